internal import Mustache
internal import TraceRecords

/// A table as the templates see it.
struct PageTable: MustacheParent {
    private let table: ReportTable
    private let atRight: [Bool]
    /// The titles of states by their ids.
    private let titles: [String: String]

    init(_ table: ReportTable, titles: [String: String]) {
        (self.table, self.titles) = (table, titles.merging(table.titles) { $1 })
        atRight = table.columns.indices.map { index in
            let values = table.rows.lazy.map { $0[index] }.filter { $0 != .null }
            if values.isEmpty { return table.columns[index].column.kind != .plain }
            return values.allSatisfy(\.isNumber)
        }
    }

    func child(named name: String) -> Any? {
        switch name {
        case "kind": "table"
        case "caption": table.caption
        case "all":
            table.rows.count > max(ReportTable.foldingLimit, table.openRows)
                ? "Show all \(Plural.text(min(table.rows.count, ReportTable.rowLimit), "row"))" : nil
        case "columns":
            zip(table.columns, atRight).map { column, isNumber -> [String: String] in
                let side = isNumber ? "num" : "txt"
                return [
                    "heading": column.heading, "name": column.column.name,
                    "side": [side, column.importance.name].compactMap(\.self).joined(separator: " "),
                ]
            }
        case "extra": leftOut([.extra])
        case "minor": leftOut([.extra, .minor])
        case "rows":
            table.rows.prefix(ReportTable.rowLimit).indices.map { index -> [String: Any] in
                [
                    "cells": zip(zip(table.rows[index], table.columns), atRight).map {
                        PageCell($0.0, $0.1, isNumber: $1, titles: titles)
                    },
                    "anchor": table.anchors.indices.contains(index) ? table.anchors[index] : false,
                    "path": path(ofRow: index) ?? false, "isOpen": index < table.openRows,
                ]
            }
        case "isDense": table.columns.count > 7
        case "hasRows": !table.rows.isEmpty
        case "limit": limit
        default: nil
        }
    }

    /// What a row is about: as given, or by its columns with states.
    private func path(ofRow index: Int) -> String? {
        if table.paths.indices.contains(index) { return table.paths[index].text }
        func state(_ name: String) -> String? {
            guard let place = table.columns.firstIndex(where: { $0.column.name == name }),
                case .text(let text) = table.rows[index][place]
            else { return nil }
            return text
        }
        var path = StatePath()
        if let only = state("state") { path.visit(only) }
        if let from = state("from_state"), let to = state("to_state") { path.move(from: from, to: to) }
        return path.text
    }

    /// A sentence about the columns that a screen leaves out.
    private func leftOut(_ kinds: [ReportColumn.Importance]) -> String? {
        let names = table.columns.filter { kinds.contains($0.importance) }.map(\.heading)
        return names.isEmpty ? nil : "A wider window shows more columns: \(names.joined(separator: ", "))."
    }

    /// A sentence about the rows that are left out.
    private var limit: String? {
        let total = max(table.totalRows ?? 0, table.rows.count)
        let shown = min(table.rows.count, ReportTable.rowLimit)
        guard total > shown else { return nil }
        return "The first \(NumberText.grouped(shown)) of \(Plural.text(total, "row")); the query gives them all."
    }
}

/// A cell as the templates see it.
struct PageCell: MustacheParent {
    /// Longer texts are folded, so that one hostile name cannot fill the page.
    static let foldingLength = 240

    private let cell: Cell
    private let column: ReportColumn
    private let isNumber: Bool
    private let titles: [String: String]

    init(_ cell: Cell, _ column: ReportColumn, isNumber: Bool, titles: [String: String]) {
        self.titles = titles
        self.cell = cell
        self.column = column
        self.isNumber = isNumber
    }

    func child(named name: String) -> Any? {
        switch name {
        case "text": text
        case "title": titles[text] ?? text
        case "isLongTitle": (titles[text] ?? text).count > 14
        case "start": String(String.UnicodeScalarView(text.unicodeScalars.prefix(100))) + "…"
        case "side": side
        case "sort": sortValue
        case "width": width
        case "isState": role == .state
        case "isBar": role == .bar
        case "isBadge": role == .badge
        case "isCode": role == .code
        case "pieces": pieces
        case "isLong": isLong
        case "isPlain": (role == .plain || role == .moment) && !isLong
        default: nil
        }
    }

    private var text: String {
        // The page can show the line ends of a text.
        if case .text(let text) = cell { return text }
        return CellText.text(cell, kind: column.column.kind, raw: false)
    }

    /// The words of a name in camel case, between which a line may break.
    private var pieces: [String] {
        text.reduce(into: [""]) { pieces, character in
            let isBreak = character.isUppercase && pieces[pieces.count - 1].last?.isLowercase == true
            if isBreak { pieces.append("") }
            pieces[pieces.count - 1].append(character)
        }
    }

    /// Class of the cell: its alignment, and how its text may break.
    private var side: String {
        if isNumber { return ["num", column.importance.name].compactMap(\.self).joined(separator: " ") }
        if role == .moment { return "txt moment" }
        if text.utf8.count <= 24 { return "txt" }
        // A word is broken only when it fits no column.
        let longestWord = text.split(whereSeparator: \.isWhitespace).map(\.utf8.count).max() ?? 0
        return longestWord > 44 ? "txt wide" : "txt mid"
    }

    private var isLong: Bool {
        if case .text(let text) = cell { return text.utf8.count > Self.foldingLength }
        return false
    }

    /// The role of the column, if the cell can be drawn in that way.
    private var role: ReportColumn.Role {
        if isLong || cell == .null { return .plain }
        if column.role == .bar { return cell.isNumber ? .bar : .plain }
        return column.role
    }

    /// The number by which the column is sorted.
    private var sortValue: String? {
        switch cell {
        case .integer(let value): String(value)
        case .real(let value): value.isFinite ? value.description : nil
        case .null, .text, .blob: nil
        }
    }

    /// Length of a bar, 0 to 1.
    private var width: String {
        let share =
            switch cell {
            case .integer(let value): Double(value)
            case .real(let value) where value.isFinite: value
            default: 0.0
            }
        return ((min(1, max(0, share)) * 1000).rounded() / 1000).description
    }
}

/// A table of the report.
package struct ReportTable: Sendable, Hashable {
    /// Most rows that a report shows; the rest is counted, and the query has them all.
    package static let rowLimit = 500
    /// A longer table shows only its first rows until a reader asks for all.
    static let foldingLimit = 10

    /// One sentence that explains what a row is.
    package var caption: String
    package var columns: [ReportColumn]
    /// Rows in their first order, each with as many cells as there are columns.
    package var rows: [[Cell]]
    /// The number of all rows, when `rows` holds only the first of them.
    package var totalRows: Int?
    /// For each row its anchor in the page; empty when nothing links to the rows.
    package var anchors: [String] = []
    /// How many of the first rows are never folded.
    package var openRows = 0
    /// The titles of the states of its layer by their ids: those of another layer may have the same id.
    package var titles: [String: String] = [:]
    /// For each row the states and changes that it is about; empty when the columns say so.
    package var paths: [StatePath] = []

    package init(caption: String, columns: [ReportColumn], rows: [[Cell]], totalRows: Int? = nil) {
        self.caption = caption
        self.columns = columns
        self.rows = rows
        self.totalRows = totalRows
    }
}

/// The states and changes of state that an entry of the report is about: it stays when a reader selects one of them.
package struct StatePath: Sendable, Hashable {
    /// Ids of states, and pairs of them with `>` between.
    private var parts: Set<String> = []

    package init() {}

    package mutating func visit(_ state: String) { parts.insert(state) }

    package mutating func move(from: String, to: String) { parts.formUnion([from, to, "\(from)>\(to)"]) }

    func has(from: String, to: String) -> Bool { parts.contains("\(from)>\(to)") }

    /// `|active|active>background|background|`; `nil` when it is about no state.
    var text: String? { parts.isEmpty ? nil : "|" + parts.sorted().joined(separator: "|") + "|" }
}

/// A column of a table in the report: what it holds, and how it is drawn.
package struct ReportColumn: Sendable, Hashable {
    /// How the cells of a column are drawn.
    package enum Role: String, Sendable, Hashable {
        case plain
        /// The id of a state, highlighted wherever it occurs.
        case state
        /// A share: a bar below the percentage.
        case bar
        /// `error`, `warning`, `info`, or a verdict: a badge.
        case badge
        /// An identifier, a callback, a file with its line.
        case code
        /// A point in time, never broken across lines.
        case moment
    }

    package var column: Column
    package var heading: String
    package var role: Role

    /// Which screens show a column.
    enum Importance {
        case usual
        /// Windows of more than a thousand points.
        case extra
        /// All but phones.
        case minor

        /// The class of its cells.
        var name: String? { self == .usual ? nil : self == .extra ? "extra" : "minor" }
    }

    /// Set by the section that the column is in.
    package var isSecondary = false

    var importance: Importance { isSecondary ? ["mean_s", "p99_s"].contains(column.name) ? .extra : .minor : .usual }

    /// A column; without heading and role its name decides.
    package init(_ name: String, kind: ColumnKind? = nil, heading: String? = nil, role: Role? = nil) {
        column = Column(name, kind: kind)
        self.heading = heading ?? Self.heading(of: name, kind: column.kind)
        self.role = role ?? Self.role(of: name, kind: column.kind)
    }

    private static func role(of name: String, kind: ColumnKind) -> Role {
        if kind == .share { return .bar }
        switch name {
        case "state", "from_state", "to_state", "state_before", "state_after": return .state
        case "severity", "verdict": return .badge
        case "callback", "callbacks", "rule", "source", "file", "place", "path", "from", "to", "entered_by", "left_by":
            return .code
        case "time", "started", "ended", "entered", "left", "first", "last", "day": return .moment
        default: return .plain
        }
    }

    /// Words for the names of SQL columns: percentiles are named, units are left out because the cells carry them.
    private static func heading(of name: String, kind: ColumnKind) -> String {
        let known = [
            "p50_s": "median", "p50_dwell_s": "median visit", "min_s": "shortest", "max_s": "longest", "mean_s": "mean",
            "total_s": "total", "from_state": "from", "to_state": "to", "end_reason": "end reason", "p90_s": "p90",
            "p99_s": "p99", "p25_s": "p25", "p75_s": "p75", "p95_s": "p95",
        ]
        if let heading = known[name] { return heading }
        var words = name.split(separator: "_").map(String.init)
        if words.count > 1, kind == .seconds || kind == .nanoseconds { words.removeLast() }
        return words.joined(separator: " ")
    }
}
