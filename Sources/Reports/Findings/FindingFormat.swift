/// How findings are written out: the words of `check --format`.
package enum FindingFormat: String, Sendable, CaseIterable {
    /// Grouped and counted, for people.
    case text
    /// One document with a summary and every finding.
    case json
    /// Test results for build servers.
    case junit
    /// SARIF 2.1.0, for code scanning.
    case sarif
    /// Annotations of GitHub Actions.
    case github
    /// A summary for a pull request.
    case markdown
}
