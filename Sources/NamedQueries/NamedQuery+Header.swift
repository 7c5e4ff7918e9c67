extension NamedQuery {
    /// Reads the header of a query file: the comment lines at its beginning.
    ///
    ///     -- What the query answers.
    ///     --
    ///     -- Group: Stays
    ///     -- Rows: visits by layer, state
    ///     -- Parameters:
    ///     --   $app  text  = none  only this app
    ///     -- Columns:
    ///     --   layer  text  layer of the instance
    ///
    /// A purpose may go on in the next line, indented deeper.
    public init(name: String, sql: String) {
        self.name = name
        self.sql = sql
        purpose = ""
        parameters = []
        columns = []
        var section = Section.purpose
        for line in sql.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("--") else { break }
            let text = line.dropFirst(2)
            let words = text.split(separator: " ").map(String.init)
            let indent = text.prefix { $0 == " " }.count
            if words.first == "Group:" {
                group = words.dropFirst().joined(separator: " ")
            } else if words.first == "Rows:", words.count > 3 {
                rows = Self.rows(words)
            } else if words == ["Parameters:"] {
                section = .parameters
            } else if words == ["Columns:"] {
                section = .columns
            } else {
                add(words, indent: indent, to: section)
            }
        }
    }

    /// `Rows: runs by app, evidence=end_evidence`: a view, and the columns that it shares with the answer.
    private static func rows(_ words: [String]) -> RowsOfView {
        let pairs = words.dropFirst(3).joined().split(separator: ",").map { $0.split(separator: "=").map(String.init) }
        return RowsOfView(
            view: words[1], columns: Dictionary(pairs.map { ($0[0], $0[$0.count - 1]) }) { first, _ in first })
    }

    private enum Section {
        case purpose, parameters, columns
    }

    private mutating func add(_ words: [String], indent: Int, to section: Section) {
        let isContinuation = indent > 3
        switch section {
        case .purpose:
            purpose = Self.joined(purpose, words)
        case .parameters where isContinuation && !parameters.isEmpty:
            parameters[parameters.count - 1].purpose = Self.joined(parameters[parameters.count - 1].purpose, words)
        case .columns where isContinuation && !columns.isEmpty:
            columns[columns.count - 1].purpose = Self.joined(columns[columns.count - 1].purpose, words)
        case .parameters where words.count > 3 && words[0].hasPrefix("$") && words[2] == "=":
            parameters.append(
                Parameter(
                    name: String(words[0].dropFirst()), type: words[1],
                    standard: words[3] == "none" ? nil : words[3], purpose: Self.joined("", Array(words.dropFirst(4)))))
        case .columns where words.count > 1:
            columns.append(
                Column(name: words[0], type: words[1], purpose: Self.joined("", Array(words.dropFirst(2)))))
        default:
            break
        }
    }

    private static func joined(_ text: String, _ words: [String]) -> String {
        ((text.isEmpty ? [] : [text]) + words).joined(separator: " ")
    }
}
