internal import Mustache
internal import TraceRecords

/// A table as the templates see it.
struct PageTable: MustacheParent {
    private let table: ReportTable
    private let atRight: [Bool]

    init(_ table: ReportTable) {
        self.table = table
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
        case "columns":
            zip(table.columns, atRight).map { column, isNumber in
                ["heading": column.heading, "name": column.column.name, "side": isNumber ? "num" : "txt"]
            }
        case "rows":
            table.rows.prefix(ReportTable.rowLimit).indices.map { index -> [String: Any] in
                [
                    "cells": zip(zip(table.rows[index], table.columns), atRight).map {
                        PageCell($0.0, $0.1, isNumber: $1)
                    },
                    "anchor": table.anchors.indices.contains(index) ? table.anchors[index] : false,
                    "path": path(ofRow: index) ?? false,
                ]
            }
        case "isDense": table.columns.count > 9
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

    init(_ cell: Cell, _ column: ReportColumn, isNumber: Bool) {
        self.cell = cell
        self.column = column
        self.isNumber = isNumber
    }

    func child(named name: String) -> Any? {
        switch name {
        case "text": text
        case "start": String(String.UnicodeScalarView(text.unicodeScalars.prefix(100))) + "…"
        case "side": side
        case "sort": sortValue
        case "width": width
        case "isState": role == .state
        case "isBar": role == .bar
        case "isBadge": role == .badge
        case "isCode": role == .code
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

    /// Class of the cell: its alignment, and how its text may break.
    private var side: String {
        if isNumber { return "num" }
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
