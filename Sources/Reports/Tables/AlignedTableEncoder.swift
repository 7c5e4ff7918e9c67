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
    /// Columns are not cut below this: names of states and layers stay whole, even if the line gets too long.
    private static let narrowest = 12

    private let columns: [Column]
    private let options: TableOptions
    private let style: Style
    private var widths: [Int]
    private var atRight: [Bool] = []
    private var page: [[Cell]] = []
    private var pageSize = 0
    private var hasHeader = false

    init(columns: [Column], options: TableOptions, style: Style) {
        self.columns = columns
        self.options = options
        self.style = style
        widths = columns.map { _ in 0 }
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
        var headings = columns.map { escaped(VisibleText.neutralised($0.name)) }
        var texts = page.map { cells in
            zip(cells, columns).map { escaped(CellText.text($0, kind: $1.kind, raw: options.raw)) }
        }
        for texts in [headings] + texts {
            for (index, text) in texts.enumerated() {
                widths[index] = max(widths[index], min(CellWidth.of(text), Self.widestPadding))
            }
        }
        if style == .text {
            fit()
            for row in texts.indices { texts[row] = shortened(texts[row]) }
            headings = shortened(headings)
        }
        if !hasHeader { writeHeader(headings, into: &bytes) }
        hasHeader = true
        for row in texts { writeLine(row, into: &bytes) }
        page.removeAll(keepingCapacity: true)
        pageSize = 0
    }

    /// Whether a column is aligned at the right. The first rows decide for a column of unknown kind.
    private func isNumeric(_ index: Int) -> Bool {
        let values = page.lazy.map { $0[index] }.filter { $0 != .null }
        if values.isEmpty { return columns[index].kind != .plain }
        return values.allSatisfy(\.isNumber)
    }

    private func escaped(_ text: String) -> String {
        style == .markdown ? MarkdownText.escaped(text) : text
    }

    private func writeHeader(_ headings: [String], into bytes: inout [UInt8]) {
        let bold = TextStyle(isOn: options.colour && style == .text)
        writeLine(headings, styled: bold.bold, into: &bytes)
        let rules = columns.indices.map { index in
            switch style {
            case .text: bold.dim(String(repeating: "─", count: widths[index]))
            case .markdown where atRight[index]: String(repeating: "-", count: max(1, widths[index] - 1)) + ":"
            case .markdown: String(repeating: "-", count: max(1, widths[index]))
            }
        }
        switch style {
        case .text: bytes.append(rules.joined(separator: "  ") + "\n")
        case .markdown: bytes.append("| " + rules.joined(separator: " | ") + " |\n")
        }
    }

    private func writeLine(
        _ texts: [String], styled: (String) -> String = { $0 }, into bytes: inout [UInt8]
    ) {
        bytes.append(style == .markdown ? "| " : "")
        for (index, text) in texts.enumerated() {
            if index > 0 { bytes.append(style == .markdown ? " | " : "  ") }
            let padding = String(repeating: " ", count: max(0, widths[index] - CellWidth.of(text)))
            let isLast = index == texts.count - 1 && style == .text
            bytes.append(atRight[index] ? padding + styled(text) : styled(text) + (isLast ? "" : padding))
        }
        bytes.append(style == .markdown ? " |\n" : "\n")
    }

    /// Narrows the widest text columns until a line fits the terminal; numbers are never cut.
    private mutating func fit() {
        guard let available = options.width else { return }
        let cuttable = columns.indices.filter { !atRight[$0] }
        var excess = widths.reduce(2 * max(0, columns.count - 1), +) - available
        while excess > 0, let widest = cuttable.max(by: { widths[$0] < widths[$1] }), widths[widest] > Self.narrowest {
            let next = cuttable.filter { $0 != widest }.map { widths[$0] }.max() ?? 0
            let cut = min(excess, max(1, widths[widest] - max(next, Self.narrowest)))
            widths[widest] -= cut
            excess -= cut
        }
    }

    private func shortened(_ texts: [String]) -> [String] {
        guard options.width != nil else { return texts }
        return zip(texts, columns.indices).map { text, column in
            atRight[column] ? text : VisibleText.fitted(text, to: widths[column])
        }
    }
}
