import Foundation

/// The lines that were typed at the prompt, kept in a file that only its owner can read.
public struct ShellHistory: Sendable {
    /// Lines that are kept.
    private static let most = 1_000

    private let file: URL
    public private(set) var lines: [String]

    /// - Parameter environment: `XDG_STATE_HOME` or `HOME` say where the file is.
    public init(environment: [String: String]) {
        let home = URL(fileURLWithPath: environment["HOME"] ?? NSHomeDirectory())
        let state = environment["XDG_STATE_HOME"].flatMap { $0.isEmpty ? nil : URL(fileURLWithPath: $0) }
        file = (state ?? home.appending(path: ".local/state")).appending(path: "lifestats/history")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        lines = text.split(separator: "\n").suffix(Self.most).map { Self.decoded(String($0)) }
    }

    /// Keeps a line. That it cannot be written is no reason to disturb anybody.
    public mutating func add(_ line: String) {
        guard !line.allSatisfy(\.isWhitespace), line != lines.last else { return }
        lines = (lines + [line]).suffix(Self.most)
        let text = lines.map { Self.encoded($0) + "\n" }.joined()
        let files = FileManager.default
        try? files.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        guard (try? Data(text.utf8).write(to: file, options: .atomic)) != nil else { return }
        try? files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }

    private static func encoded(_ line: String) -> String {
        line.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    }

    private static func decoded(_ line: String) -> String {
        line.split(separator: "\\\\", omittingEmptySubsequences: false).map { $0.replacing("\\n", with: "\n") }
            .joined(separator: "\\")
    }
}
