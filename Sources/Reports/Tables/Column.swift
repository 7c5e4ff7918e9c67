/// A column of a result: its name, and what its numbers mean to a reader.
package struct Column: Sendable, Hashable {
    package var name: String
    package var kind: ColumnKind

    /// A column whose kind follows from its name, unless it is told.
    package init(_ name: String, kind: ColumnKind? = nil) {
        self.name = name
        self.kind = kind ?? ColumnKind(columnName: name)
    }
}
