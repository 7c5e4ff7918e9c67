/// What is shown in place of the words of a log where nobody may see them.
///
/// Recognition itself shows them so, because what it remembers of earlier lines is stored as well, and has to tell the
/// same as the facts.
package struct Disguise: Sendable {
    /// The name of a process or of a figure.
    let name: @Sendable (String) -> String
    /// The version of an app or of a system.
    let version: @Sendable (String) -> String
    /// What somebody wrote.
    let text: @Sendable (String) -> String

    /// Shows everything as it stands.
    static let none = Disguise(name: { $0 }, version: { $0 }, text: { $0 })

    package init(
        name: @escaping @Sendable (String) -> String, version: @escaping @Sendable (String) -> String,
        text: @escaping @Sendable (String) -> String
    ) {
        self.name = name
        self.version = version
        self.text = text
    }
}
