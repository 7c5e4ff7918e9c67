/// What a file name says about rotation: `app.log.2.gz` is an older part of `app.log`.
package struct RotationName: Sendable, Hashable {
    /// The name without rotation and compression.
    package var stem: String
    /// Place among the rotations: lower is older, the current file comes last.
    package var rank: Int64

    private static let compressions = [".gz", ".bz2", ".xz", ".zst", ".lz4"]

    package init(_ name: String) {
        var rest = Substring(name)
        for suffix in Self.compressions where rest.hasSuffix(suffix) && rest.count > suffix.count {
            rest.removeLast(suffix.count)
            break
        }
        stem = String(rest)
        rank = Int64.max
        guard let dot = rest.lastIndex(where: { $0 == "." || $0 == "-" || $0 == "_" }) else { return }
        let suffix = rest[rest.index(after: dot)...]
        let before = rest[..<dot]
        guard !before.isEmpty, !suffix.isEmpty, suffix.utf8.allSatisfy({ $0 &- 48 < 10 }), let number = Int64(suffix)
        else {
            dated(rest)
            return
        }
        if suffix.utf8.count == 8 && Self.isDate(number)
            || suffix.utf8.count == 10 && Self.isDate(number / 100) && number % 100 < 24
        {
            // logrotate's dateext: app.log-20240131, by the hour app.log-2024013123; a later one is newer.
            stem = String(before)
            rank = number
        } else if rest[dot] == ".", suffix.utf8.count <= 4 {
            // app.log.1: a higher number is older.
            stem = String(before)
            rank = -number
        } else {
            dated(rest)
        }
    }

    /// `app.log.2024-01-31`, `app-2024-01-31.log`: the date stands before or after the extension.
    private mutating func dated(_ name: Substring) {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated().reversed() {
            guard let date = Self.trailingDate(part) else { continue }
            var kept = parts
            let text = part.dropLast(10)
            kept[index] = text.last == "-" || text.last == "_" ? text.dropLast() : text
            stem = kept.filter { !$0.isEmpty }.joined(separator: ".")
            guard !stem.isEmpty else {
                stem = String(name)
                return
            }
            rank = date
            return
        }
    }

    private static func trailingDate(_ text: Substring) -> Int64? {
        let tail = text.suffix(10)
        guard tail.utf8.count == 10 else { return nil }
        let parts = tail.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 4, parts[1].count == 2, let number = Int64(parts.joined()),
            isDate(number)
        else { return nil }
        return number
    }

    private static func isDate(_ number: Int64) -> Bool {
        CivilDate.isValid(year: Int(number / 10_000), month: Int(number / 100 % 100), day: Int(number % 100))
            && (1970...2261).contains(number / 10_000)
    }
}
