import GRDB
import TraceRecords

extension Row {
    /// The value of a column. One that is not of the type throws: in a file that something else has changed, or whose
    /// pages are damaged, anything may stand, and the subscripts of GRDB would end the program.
    @inline(__always)
    func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: Int) throws -> Value {
        try decode(atIndex: column)
    }

    /// The same by the name of the column.
    func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: String) throws -> Value {
        try decode(forColumn: column)
    }

    /// A time that a log may have; `nil` where there is none. Beyond, differences of times would leave 64 bits.
    @inline(__always)
    func time(_ column: Int) throws -> Int64? {
        guard let time: Int64 = try value(column) else { return nil }
        guard let checked = TimeLimits.checked(time) else {
            throw DamagedRow(description: "a row has the time \(time), which is none of a log")
        }
        return checked
    }
}
