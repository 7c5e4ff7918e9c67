/// A row that this program would never write: something else has changed the database, or its pages are damaged.
struct DamagedRow: Error, CustomStringConvertible {
    /// What is wrong with it.
    var description: String
}
