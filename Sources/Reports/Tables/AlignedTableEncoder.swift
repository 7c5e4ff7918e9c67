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
    /// A shorter heading is never broken.
    private static let longHeading = 8
    /// A table in which a text takes more lines than this, in a column of fewer cells, is written vertically.
    private static let cramped = 12
    /// Widest values of rows that are written beside each other.
    private static let widestBeside = 30

    private let columns: [Column]
    private let options: TableOptions
    private let style: Style
    private var widths: [Int]
    private var atRight: [Bool] = []
    /// Columns without any value on the first page that gave way, because a line was too long.
    private var isHidden: [Bool]
    /// What lines gave up in order to fit a terminal.
    private var step: FittingStep?
    /// Columns whose values stand in lines of their own, above the rows that share them; and the last of these values.
    private var group: (columns: [Int], last: [String]?) = ([], nil)
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
        measure([headings] + texts)
        if style == .text, let width = options.width, !isVertical { fit(headings, into: width) }
        let texts = self.texts
        if isVertical {
            writeVertically(texts, headings, into: &bytes)
        } else {
            if !hasHeader { writeHeader(headings, into: &bytes) }
            for row in texts {
                writeGroup(row, headings, into: &bytes)
                writeRow(row, into: &bytes)
            }
        }
        hasHeader = true
        page.removeAll(keepingCapacity: true)
        pageSize = 0
    }

    private var texts: [[String]] {
        func shortened(_ duration: String) -> String {
            guard let step, step >= .compact else { return duration }
            let compact = HumanDuration.compact(duration)
            return step >= .rounded ? HumanDuration.rounded(compact) : compact
        }
        return page.map { cells in
            zip(cells, columns).map { cell, column in
                let text = escaped(CellText.text(cell, kind: column.kind, raw: options.raw))
                return column.kind.isDuration ? shortened(text) : text
            }
        }
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
            guard !options.raw,
                [.seconds, .nanoseconds, .durationOrTime, .time].contains(column.kind),
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

    private var shown: [Int] { columns.indices.filter { !isHidden[$0] && !group.columns.contains($0) } }

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

    /// Writes the line above rows that share values, where it changes: `layer: app`.
    private mutating func writeGroup(_ row: [String], _ headings: [String], into bytes: inout [UInt8]) {
        let values = group.columns.map { row[$0] }
        guard !values.isEmpty, values != group.last else { return }
        group.last = values
        // What is unknown is left out, if anything is known.
        let known = group.columns.filter { !["–", ""].contains(row[$0]) }
        let text = (known.isEmpty ? group.columns : known).map { "\(headings[$0]): \(row[$0])" }.joined(separator: ", ")
        let lines = WrappedText.lines(text, room: options.width ?? 80)
        for line in lines { bytes.append(TextStyle(isOn: options.colour).bold(line) + "\n") }
    }

    /// Writes a row: on a terminal, texts that are too long continue in further lines.
    private func writeRow(
        _ texts: [String], styled: (String) -> String = { $0 }, into bytes: inout [UInt8]
    ) {
        guard style == .text, options.width != nil else { return writeLine(texts, styled: styled, into: &bytes) }
        let cells = shown.map { WrappedText.lines(texts[$0], room: widths[$0]) }
        for line in 0..<(cells.map(\.count).max() ?? 0) {
            var parts = texts.map { _ in "" }
            for (column, cell) in zip(shown, cells) where line < cell.count { parts[column] = cell[line] }
            writeLine(parts, styled: styled, into: &bytes)
        }
    }

    /// How many rows fit beside each other.
    private func beside(_ rows: [[String]], _ headings: [String]) -> Int {
        let name = headings.map(CellWidth.of).max() ?? 0
        let value = min(rows.joined().map(CellWidth.of).max() ?? 0, Self.widestBeside)
        return min(rows.count, ((options.width ?? 80) - name - 2) / (value + 2))
    }

    /// Writes rows as `name  value` lines: as many beside each other as fit.
    private mutating func writeVertically(_ rows: [[String]], _ headings: [String], into bytes: inout [UInt8]) {
        let count = beside(rows, headings)
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
            let cells = zip(rows, widths).map { WrappedText.lines($0[field], room: $1) }
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
            let lines = WrappedText.lines(text, room: room)
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

    private var gap: Int { step.map { $0 >= .tight } ?? false ? 1 : 2 }
    private var lineWidth: Int { shown.map { widths[$0] }.reduce(gap * max(0, shown.count - 1), +) }

    /// Makes lines fit a terminal: empty columns give way, then lines give up one thing after another. When nothing
    /// helps, rows are written vertically.
    private mutating func fit(_ headings: [String], into width: Int) {
        if !hasHeader {
            for index in columns.indices.reversed() where lineWidth > width && page.allSatisfy({ $0[index] == .null }) {
                isHidden[index] = !page.isEmpty
            }
        }
        for next in FittingStep.allCases where lineWidth > width {
            // A few rows beside each other are easier to read than broken words.
            if next == .headings, !hasHeader, !page.isEmpty, beside(texts, headings) == page.count { break }
            step = max(next, step ?? next)
            if next == .groups, !hasHeader { share(to: width) }
            let rows = texts
            if !hasHeader { widths = columns.map { _ in 0 } }
            measure([headings] + rows)
            narrow(columns.indices.map { floor($0, headings, rows) }, to: width)
        }
        isVertical = (lineWidth > width || isCramped) && !hasHeader && columns.count > 1
        if isVertical { (group.columns, step) = ([], nil) }
    }

    /// Whether a text takes many lines in a narrow column.
    private var isCramped: Bool {
        let narrow = shown.filter { widths[$0] < Self.cramped }
        guard step != nil, !narrow.isEmpty else { return false }
        return texts.contains { row in
            narrow.contains {
                CellWidth.of(row[$0]) > widths[$0]
                    && WrappedText.lines(row[$0], room: widths[$0]).count > Self.cramped
            }
        }
    }

    /// Takes columns out of the lines: names that stand above the rows that share them, each once and two rows or more on
    /// the average.
    private mutating func share(to width: Int) {
        // A column that is no order by itself may be one together with a later one.
        for column in shown + shown where lineWidth > width && shown.count > 2 && !group.columns.contains(column) {
            let columns = group.columns + [column]
            let values = page.map { row in columns.map { row[$0] } }
            let blocks = zip(values, values.dropFirst()).count { $0 != $1 } + 1
            let isName = !atRight[column] || self.columns[column].kind == .plain
            let isTime = page.contains { CellText.isTime(CellText.text($0[column], kind: .plain, raw: false)) }
            if isName, !isTime, blocks == Set(values).count, 2 * blocks <= page.count { group.columns = columns }
        }
    }

    /// The least width of a column at the present step. Numbers, durations and clocks are never broken.
    private func floor(_ column: Int, _ headings: [String], _ rows: [[String]]) -> Int {
        let isPiecewise = step.map { $0 >= .names } ?? false
        let whole = WrappedText.narrowest(headings[column], piecewise: isPiecewise)
        let isBroken = whole >= Self.longHeading && step.map { $0 >= .headings } ?? false
        let heading = isBroken ? (whole + 1) / 2 : whole
        return rows.reduce(heading) { widest, row in
            let text = row[column]
            let natural = min(CellWidth.of(text), Self.widestPadding)
            if natural <= widest { return widest }
            if atRight[column] || step.map({ $0 < .dates }) ?? true && CellText.isTime(text) { return natural }
            let least = WrappedText.narrowest(text, piecewise: isPiecewise, whole: Self.cramped)
            return max(widest, step.map { $0 < .words } ?? true ? max(least, (natural + 1) / 2) : least)
        }
    }

    /// Narrows the widest columns first, none of them below its floor.
    private mutating func narrow(_ floors: [Int], to width: Int) {
        while lineWidth > width,
            let widest = shown.filter({ widths[$0] > floors[$0] }).max(by: { widths[$0] < widths[$1] })
        {
            widths[widest] -= 1
        }
    }
}

/// What the lines of a table give up, one after another, in order to fit a terminal.
private enum FittingStep: Int, CaseIterable, Comparable {
    /// Texts take two lines.
    case halves
    /// Durations are written without blanks.
    case compact
    /// Texts are broken between any words.
    case words
    /// Columns are one blank apart.
    case tight
    /// Columns that rows share go into lines of their own.
    case groups
    /// Names are broken between their parts.
    case names
    /// Points in time are broken between date and clock.
    case dates
    /// Durations of ten large units or more are rounded to these.
    case rounded
    /// Long words of headings take two lines.
    case headings

    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// A text in lines of a given width.
enum WrappedText {
    /// A longer piece of a name is cut anywhere.
    private static let longestPiece = 30

    /// Breaks between words, and words that are longer than a line between their parts: `log.tgz!/`, `viewDid`.
    static func lines(_ text: String, room: Int) -> [String] {
        guard CellWidth.of(text) > room else { return [text] }
        var lines: [String] = []
        for word in WrappedList.lines(of: text, room: room) {
            guard CellWidth.of(word) > room else {
                lines.append(word)
                continue
            }
            var (line, used) = ("", 0)
            for piece in pieces(of: word) {
                // A piece begins a line if it does not fit behind the last one; only a longer one is cut.
                var needed = CellWidth.of(piece)
                for character in piece {
                    let cells = CellWidth.of(character)
                    if used > 0, used + max(needed, cells) > room {
                        lines.append(line)
                        (line, used) = ("", 0)
                    }
                    line.append(character)
                    (used, needed) = (used + cells, 0)
                }
            }
            lines.append(line)
        }
        return lines
    }

    /// The least width in which a text needs no break inside a word, or inside a piece of a name. A number stays with
    /// its unit.
    ///
    /// - Parameter whole: words of at most this many cells stay whole: names of states.
    static func narrowest(_ text: String, piecewise: Bool, whole: Int = 0) -> Int {
        var widest = 0
        for word in WrappedList.words(of: text) {
            let width = CellWidth.of(word)
            if width <= widest { continue }
            widest =
                width <= (piecewise ? whole : longestPiece)
                ? width : max(widest, pieces(of: word).map { min(longestPiece, CellWidth.of($0)) }.max() ?? 0)
        }
        return widest
    }

    /// The pieces of a name: they end after a separator and before a capital letter that follows a small one. Dates,
    /// clocks and numbers stay whole.
    private static func pieces(of word: String) -> [String] {
        var pieces: [String] = []
        var last: Character = "/"
        for character in word {
            let begins =
                "/_".contains(last)
                ? !"/_".contains(character)
                : character.isLetter && (":,-".contains(last) || last.isLowercase && character.isUppercase)
            if pieces.isEmpty || begins { pieces.append("") }
            pieces[pieces.count - 1].append(character)
            last = character
        }
        return pieces
    }
}
