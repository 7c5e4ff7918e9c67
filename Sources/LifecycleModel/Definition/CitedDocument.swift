/// A document that citations name by a short name.
package struct CitedDocument: Sendable, Hashable {
    /// Its short name, such as `A-LIFE`.
    package var id: String
    package var title: String
    /// Where it is found; empty for what is in no known place.
    package var address: String
}
