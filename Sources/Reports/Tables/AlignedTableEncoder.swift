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
    /// The most lines of a cell; the rest is cut off.
    private static let mostLines = 12
    /// Widest values of rows that are written beside each other.
    private static let widestBeside = 30

    private let columns: [Column]
    private let options: TableOptions
    private let style: Style
    private var widths: [Int]
    private var atRight: [Bool] = []
    /// Columns without any value on the first page that gave way, because a line was too long.
    private var isHidden: [Bool]
    /// Whether columns are one blank apart, because a line was too long.
    private var isTight = false
    /// Whether every value has a line of its own, because no width of the columns made a line fit.
    private var isVertical = false
    private var rowNumber = 0
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
        let texts = page.map { cells in
            zip(cells, columns).map { escaped(CellText.text($0, kind: $1.kind, raw: options.raw)) }
        }
        measure([headings] + texts)
        if style == .text, let width = options.width, !isVertical { fit([headings] + texts, into: width) }
        if isVertical {
            writeVertically(texts, headings, into: &bytes)
        } else {
            if !hasHeader { writeHeader(headings, into: &bytes) }
            for row in texts { writeRow(row, into: &bytes) }
        }
        hasHeader = true
        page.removeAll(keepingCapacity: true)
        pageSize = 0
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

    /// Writes a row: on a terminal, texts that are too long continue in further lines.
    private func writeRow(
        _ texts: [String], styled: (String) -> String = { $0 }, into bytes: inout [UInt8]
    ) {
        guard style == .text, options.width != nil else { return writeLine(texts, styled: styled, into: &bytes) }
        let cells = shown.map { column in
            WrappedText.lines(texts[column], room: widths[column], most: Self.mostLines)
        }
        for line in 0..<(cells.map(\.count).max() ?? 0) {
            var parts = texts.map { _ in "" }
            for (column, cell) in zip(shown, cells) where line < cell.count { parts[column] = cell[line] }
            writeLine(parts, styled: styled, into: &bytes)
        }
    }

    /// Writes rows as `name  value` lines: as many beside each other as fit.
    private mutating func writeVertically(_ rows: [[String]], _ headings: [String], into bytes: inout [UInt8]) {
        let name = headings.map(CellWidth.of).max() ?? 0
        let value = min(rows.joined().map(CellWidth.of).max() ?? 0, Self.widestBeside)
        let count = min(rows.count, ((options.width ?? 80) - name - 2) / (value + 2))
        guard count > 1 else {
            for row in rows { writeAlone(row, headings, into: &bytes) }
            return
        }
        for start in stride(from: 0, to: rows.count, by: count) {
            writeBeside(rows[start..<min(start + count, rows.count)], headings, into: &bytes)
        }
    }

    /// Writes rows beside each other, with a line for each column that has a value in one of them.
    private mutating func writeBeside(_ rows: ArraySlice<[String]>, _ headings: [String], into bytes: inout [UInt8]) {
        let style = TextStyle(isOn: options.colour)
        let numbers = rows.indices.map { "row \(rowNumber + $0 - rows.startIndex + 1)" }
        let name = headings.map(CellWidth.of).max() ?? 0
        let widths = zip(numbers, rows).map { number, row in
            max(number.count, min(row.map(CellWidth.of).max() ?? 0, Self.widestBeside))
        }
        func write(_ heading: String, _ values: [String], styled: (String) -> String = { $0 }) {
            var line = "  " + heading
            var blanks = name - CellWidth.of(heading)
            for (value, width) in zip(values, widths) {
                blanks += 2
                if !value.isEmpty {
                    line += String(repeating: " ", count: blanks) + styled(value)
                    blanks = -CellWidth.of(value)
                }
                blanks += width
            }
            bytes.append(line + "\n")
        }
        if rowNumber > 0 { bytes.append("\n") }
        write("", numbers, styled: style.bold)
        for (field, heading) in headings.enumerated() where rows.contains(where: { !["–", ""].contains($0[field]) }) {
            let cells = zip(rows, widths).map { WrappedText.lines($0[field], room: $1, most: Self.mostLines) }
            for line in 0..<(cells.map(\.count).max() ?? 0) {
                write(line == 0 ? heading : "", cells.map { line < $0.count ? $0[line] : "" })
            }
        }
        rowNumber += rows.count
    }

    /// Writes a row as `name  value` lines; what is unknown is left out.
    private mutating func writeAlone(_ texts: [String], _ headings: [String], into bytes: inout [UInt8]) {
        rowNumber += 1
        let style = TextStyle(isOn: options.colour)
        let widest = headings.map(CellWidth.of).max() ?? 0
        let room = max(20, (options.width ?? 80) - widest - 4)
        bytes.append((rowNumber > 1 ? "\n" : "") + style.bold("row \(rowNumber)") + "\n")
        for (heading, text) in zip(headings, texts) where text != "–" && !text.isEmpty {
            let lines = WrappedText.lines(text, room: room, most: Self.mostLines)
            bytes.append("  " + heading + String(repeating: " ", count: widest - CellWidth.of(heading) + 2))
            bytes.append(lines.joined(separator: "\n" + String(repeating: " ", count: widest + 4)) + "\n")
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

    /// Makes lines fit a terminal: empty columns give way, then texts and durations are wrapped, between words first and
    /// then inside names. When nothing helps, rows are written vertically.
    private mutating func fit(_ rows: [[String]], into width: Int) {
        if !hasHeader {
            for index in columns.indices.reversed() where lineWidth > width && page.allSatisfy({ $0[index] == .null }) {
                isHidden[index] = !page.isEmpty
            }
        }
        let wrappable = shown.filter { !atRight[$0] || columns[$0].kind.isDuration }
        for piecewise in [false, true] where lineWidth > width {
            let floors = columns.indices.map { index in
                rows.map { WrappedText.narrowest($0[index], piecewise: piecewise) }.max() ?? 0
            }
            narrow(wrappable, floors, to: width)
            if lineWidth > width { isTight = true }
            narrow(wrappable, floors, to: width)
        }
        isVertical = lineWidth > width && !hasHeader && columns.count > 1
    }

    /// Narrows the widest columns first, none of them below its floor.
    private mutating func narrow(_ wrappable: [Int], _ floors: [Int], to width: Int) {
        while lineWidth > width,
            let widest = wrappable.filter({ widths[$0] > floors[$0] }).max(by: { widths[$0] < widths[$1] })
        {
            widths[widest] -= 1
        }
    }
}

/// A text in lines of a given width.
enum WrappedText {
    /// A longer piece of a name is cut anywhere.
    private static let longestPiece = 30

    /// Breaks between words, and words that are longer than a line between their parts: `log.tgz!/`, `viewDid`.
    ///
    /// - Parameter most: the number of lines; the last one ends with an ellipsis where there would be more.
    static func lines(_ text: String, room: Int, most: Int) -> [String] {
        guard CellWidth.of(text) > room else { return [text] }
        var lines: [String] = []
        for word in WrappedList.lines(of: VisibleText.shortened(text, to: room * most), room: room) {
            var rest = ""
            for piece in pieces(of: word) where CellWidth.of(word) > room {
                if !rest.isEmpty, CellWidth.of(rest + piece) > room {
                    lines.append(rest)
                    rest = ""
                }
                rest += piece
                while CellWidth.of(rest) > room, rest.count > 1 {
                    var end = rest.index(before: rest.endIndex)
                    while CellWidth.of(String(rest[..<end])) > room { end = rest.index(before: end) }
                    lines.append(String(rest[..<end]))
                    rest = String(rest[end...])
                }
            }
            lines.append(CellWidth.of(word) > room ? rest : word)
        }
        guard lines.count > most else { return lines }
        return lines.prefix(most - 1) + [VisibleText.shortened(lines[most - 1] + "…", to: room)]
    }

    /// The least width in which a text needs no break inside a word, or inside a piece of a name. A number stays with
    /// its unit.
    static func narrowest(_ text: String, piecewise: Bool) -> Int {
        var widest = 0
        for word in WrappedList.words(of: text) {
            let width = CellWidth.of(word)
            if width <= widest { continue }
            widest =
                !piecewise && width <= longestPiece
                ? width : max(widest, pieces(of: word).map { min(longestPiece, CellWidth.of($0)) }.max() ?? 0)
        }
        return widest
    }

    /// The pieces of a name: they end after a separator and before a capital letter that follows a small one.
    private static func pieces(of word: String) -> [String] {
        var pieces: [String] = []
        var last: Character = "/"
        for character in word {
            let begins =
                "/_:,".contains(last) ? !"/_:,".contains(character) : last.isLowercase && character.isUppercase
            if pieces.isEmpty || begins { pieces.append("") }
            pieces[pieces.count - 1].append(character)
            last = character
        }
        return pieces
    }
}
