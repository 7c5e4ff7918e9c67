/// Turns rows into bytes of one format. Rows have as many cells as there are columns.
protocol RowEncoder {
    mutating func begin(into bytes: inout [UInt8])
    mutating func row(_ cells: [Cell], into bytes: inout [UInt8])
    mutating func end(into bytes: inout [UInt8])
}

extension [UInt8] {
    mutating func append(_ text: String) { append(contentsOf: text.utf8) }
}
