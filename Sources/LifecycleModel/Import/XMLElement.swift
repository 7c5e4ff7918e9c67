/// An element of an XML document, with the line on which it begins.
struct XMLElement {
    /// Name without prefix, and the namespace that the prefix stands for.
    var name: String
    var namespace: String
    /// Attributes without a prefix.
    var attributes: [String: String]
    var children: [XMLElement]
    /// Text directly inside, in one piece.
    var text: String
    var line: Int
}
