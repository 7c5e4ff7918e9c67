/// A named value of a trace or an event in XES.
package struct XESAttribute: Sendable, Hashable {
    package var key: String
    /// NULL is left out.
    package var value: Cell

    package init(_ key: String, _ value: Cell) {
        self.key = key
        self.value = value
    }
}
