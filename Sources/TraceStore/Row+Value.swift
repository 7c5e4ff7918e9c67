import GRDB

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
}
