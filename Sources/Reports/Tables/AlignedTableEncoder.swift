internal import TraceRecords

/// Aligned columns for people, in a terminal or as a Markdown table.
///
/// The first rows (``pageLength``) decide the widths; later pages only widen them. Memory is therefore bounded however
/// long the result is.
struct AlignedTableEncoder: RowEncoder {
    enum Style { case text, markdown }

    /// Rows that are buffered to find the widths of the columns.
    static let pageLength = 2_000
    /// The same limit for very long rows, in bytes of text.
    private static let pageBytes = 4 << 20
    /// A longer cell is written in full but does not widen its column: one hostile name must not pad every row.
    private static let widestPadding = 240
    /// Columns are not narrowed below this: names of states and layers stay whole, even if the line gets too long.
    private static let narrowest = 12
    /// Lines of a cell; what does not fit into them is cut.
    private static let mostLines = 12

    private let columns: [Column]
    private let options: TableOptions
    private let style: Style
    private var widths: [Int]
    private var atRight: [Bool] = []
    /// Columns without any value on the first page that gave way, because a line was too long.
    private var isHidden: [Bool]
    /// Whether durations are written without blanks, and columns one blank apart, because a line was too long.
    private var isTight = false
    private var page: [[Cell]] = []
    private var pageSize = 0
    private var hasHeader = false

    init(columns: [Column], options: TableOptions, style: Style) {
        self.columns = columns
        self.options = options
        self.style = style
        widths = columns.map { _ in 0 }
        isHidden = columns.map { _ in false }
    }

    func begin(into bytes: inout [UInt8]) {}

    mutating func row(_ cells: [Cell], into bytes: inout [UInt8]) {
        page.append(cells)
        pageSize += cells.reduce(0) { $0 + $1.size }
        if page.count == Self.pageLength || pageSize > Self.pageBytes { writePage(into: &bytes) }
    }

    mutating func end(into bytes: inout [UInt8]) {
        if !page.isEmpty || !hasHeader { writePage(into: &bytes) }
    }

    private mutating func writePage(into bytes: inout [UInt8]) {
        if !hasHeader { atRight = columns.indices.map { isNumeric($0) } }
        let headings = self.headings.map { escaped(VisibleText.neutralised($0)) }
        var texts = self.texts
        measure([headings] + texts)
        if style == .text, !hasHeader, let width = options.width {
            hideEmptyColumns(beyond: width)
            if lineWidth > width {
                isTight = true
                texts = self.texts
                widths = columns.map { _ in 0 }
                measure([headings] + texts)
            }
        }
        if style == .text { narrow() }
        if !hasHeader { writeHeader(headings, into: &bytes) }
        hasHeader = true
        for row in texts { writeRow(row, into: &bytes) }
        page.removeAll(keepingCapacity: true)
        pageSize = 0
    }

    private var texts: [[String]] {
        page.map { cells in
            zip(cells, columns).map { cell, column in
                let text = CellText.text(cell, kind: column.kind, raw: options.raw)
                return escaped(isTight && column.kind.isDuration && cell.isNumber ? Self.tight(text) : text)
            }
        }
    }

    /// `23 h 55 min` as `23h55m`.
    private static func tight(_ duration: String) -> String {
        duration.replacing(" min", with: "m").replacing(" ", with: "")
    }

    private mutating func measure(_ rows: [[String]]) {
        for texts in rows {
            for (index, text) in texts.enumerated() {
                widths[index] = max(widths[index], min(CellWidth.of(text), Self.widestPadding))
            }
        }
    }

    /// The names of the columns; without the unit where the values have theirs.
    private var headings: [String] {
        let names = Set(columns.map(\.name))
        return columns.map { column in
            guard !options.raw, [.seconds, .nanoseconds, .durationOrTime, .time].contains(column.kind),
                let end = ["_s", "_ns"].first(where: column.name.hasSuffix)
            else { return column.name }
            let name = String(column.name.dropLast(end.count))
            let isTaken = names.contains(name) || end == "_ns" && names.contains(name + "_s")
            return isTaken ? column.name : name
        }
    }

    /// Whether a column is aligned at the right. The first rows decide for a column of unknown kind.
    private func isNumeric(_ index: Int) -> Bool {
        let values = page.lazy.map { $0[index] }.filter { $0 != .null }
        // Points in time are texts, and may be broken between date and clock.
        if columns[index].kind == .time, !options.raw { return false }
        if values.isEmpty { return columns[index].kind != .plain }
        return values.allSatisfy(\.isNumber)
    }

    private func escaped(_ text: String) -> String {
        style == .markdown ? MarkdownText.escaped(text) : text
    }

    private var shown: [Int] { columns.indices.filter { !isHidden[$0] } }

    private func writeHeader(_ headings: [String], into bytes: inout [UInt8]) {
        let bold = TextStyle(isOn: options.colour && style == .text)
        writeRow(headings, styled: bold.bold, into: &bytes)
        let rules = shown.map { index in
            switch style {
            case .text: bold.dim(String(repeating: "─", count: widths[index]))
            case .markdown where atRight[index]: String(repeating: "-", count: max(1, widths[index] - 1)) + ":"
            case .markdown: String(repeating: "-", count: max(1, widths[index]))
            }
        }
        switch style {
        case .text: bytes.append(rules.joined(separator: String(repeating: " ", count: gap)) + "\n")
        case .markdown: bytes.append("| " + rules.joined(separator: " | ") + " |\n")
        }
    }

    /// Writes a row: on a terminal, texts that are too long go on in further lines.
    private func writeRow(
        _ texts: [String], styled: (String) -> String = { $0 }, into bytes: inout [UInt8]
    ) {
        guard style == .text, options.width != nil else { return writeLine(texts, styled: styled, into: &bytes) }
        let cells = shown.map { column in
            let text = texts[column]
            guard !atRight[column], CellWidth.of(text) > widths[column] else { return [text] }
            return WrappedText.lines(text, room: widths[column], most: Self.mostLines)
        }
        for line in 0..<(cells.map(\.count).max() ?? 0) {
            var parts = texts.map { _ in "" }
            for (column, cell) in zip(shown, cells) where line < cell.count { parts[column] = cell[line] }
            writeLine(parts, styled: styled, into: &bytes)
        }
    }

    private func writeLine(_ texts: [String], styled: (String) -> String, into bytes: inout [UInt8]) {
        if style == .markdown { bytes.append("| ") }
        // Blanks are written only before the next text, so that no line ends with some.
        var blanks = 0
        for (place, index) in shown.enumerated() {
            if place > 0, style == .markdown { bytes.append(" | ") }
            if place > 0, style == .text { blanks += gap }
            let padding = max(0, widths[index] - CellWidth.of(texts[index]))
            if atRight[index] { blanks += padding }
            if !texts[index].isEmpty || style == .markdown {
                bytes.append(String(repeating: " ", count: blanks) + styled(texts[index]))
                blanks = 0
            }
            if !atRight[index] { blanks += padding }
            if style == .markdown {
                bytes.append(String(repeating: " ", count: blanks))
                blanks = 0
            }
        }
        bytes.append(style == .markdown ? " |\n" : "\n")
    }

    private var gap: Int { isTight ? 1 : 2 }
    private var lineWidth: Int { shown.map { widths[$0] }.reduce(gap * max(0, shown.count - 1), +) }

    /// Columns without any value give way to the others.
    private mutating func hideEmptyColumns(beyond width: Int) {
        for index in columns.indices.reversed() where lineWidth > width && page.allSatisfy({ $0[index] == .null }) {
            isHidden[index] = !page.isEmpty
        }
    }

    /// Narrows the widest texts until a line fits the terminal; numbers are never cut.
    private mutating func narrow() {
        guard let available = options.width else { return }
        let cuttable = shown.filter { !atRight[$0] }
        var excess = lineWidth - available
        while excess > 0, let widest = cuttable.max(by: { widths[$0] < widths[$1] }), widths[widest] > Self.narrowest {
            let next = cuttable.filter { $0 != widest }.map { widths[$0] }.max() ?? 0
            let cut = min(excess, max(1, widths[widest] - max(next, Self.narrowest)))
            widths[widest] -= cut
            excess -= cut
        }
    }
}

/// A text in lines of a given width.
enum WrappedText {
    /// Breaks between words, and inside words that are longer than a line.
    ///
    /// - Parameter most: the number of lines; the last one ends with an ellipsis where there would be more.
    static func lines(_ text: String, room: Int, most: Int) -> [String] {
        var lines: [String] = []
        for word in WrappedList.lines(of: VisibleText.shortened(text, to: room * most), room: room) {
            var rest = word[...]
            while CellWidth.of(String(rest)) > room {
                let head = head(of: rest, room: room)
                lines.append(String(head))
                rest = rest[head.endIndex...]
            }
            lines.append(String(rest))
        }
        guard lines.count > most else { return lines }
        return lines.prefix(most - 1) + [VisibleText.shortened(lines[most - 1] + "…", to: room)]
    }

    /// The beginning of a long word, broken after a separator where there is one in its second half.
    private static func head(of word: Substring, room: Int) -> Substring {
        var end = word.startIndex
        var lastBreak: String.Index?
        var width = 0
        while end < word.endIndex {
            width += CellWidth.of(String(word[end]))
            if width > room, end > word.startIndex { break }
            let isBreak = "/._-:,".contains(word[end]) && width * 2 > room
            end = word.index(after: end)
            if isBreak { lastBreak = end }
        }
        return word[..<(lastBreak ?? end)]
    }
}
