import Foundation
import TraceRecords

/// Collects what MetricKit payloads say of a day. Figures wait for the day, which is on another line.
struct DailyTotals {
    /// Texts by which a line of a payload is found.
    static let needles =
        ["\"cumulative", "\"timeStampBegin\"", "\"timeStampEnd\"", "\"appVersion\"", "\"bundleIdentifier\""]
        + sections.map { "\"\($0)\"" }

    /// Objects of a payload that have figures of the same names.
    private static let sections = ["foregroundExitData", "backgroundExitData"]

    /// A payload of which the end has not been seen.
    struct Payload: Sendable, Hashable, Codable {
        var waiting: [DailyTotal] = []
        var app: String?
        var appVersion: String?
        var from: Int64?
        var until: Int64?
        /// The object of ``sections`` that began last.
        var section: String?
    }

    /// The payload that further lines may belong to; `nil` when there is none.
    var pending: Payload? { open == Payload() ? nil : open }

    /// What could not be read, or only with an assumption, in plain words: the first ones, and how many there are.
    private(set) var remarks: [String] = []
    private(set) var remarkCount = 0
    private static let remarksKept = 3

    private let units: TimeUnits
    private let disguise: Disguise
    private var open = Payload()
    private var finished: [DailyTotal] = []

    init(_ units: TimeUnits, _ disguise: Disguise, pending: Payload? = nil) {
        self.units = units
        self.disguise = disguise
        open = pending ?? Payload()
    }

    /// What people should know of the figures; `nil` when all of them could be read.
    var assumption: String? {
        guard remarkCount > 0 else { return nil }
        let more = remarkCount - remarks.count
        return "figures of MetricKit: " + remarks.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }

    private mutating func remark(_ text: String) {
        remarkCount += 1
        if remarks.count < Self.remarksKept { remarks.append(text) }
    }

    /// Reads the keys and values of one line, which a process wrote. Whether it is one of a payload for certain.
    mutating func read(_ bytes: RawSpan, _ start: Int, _ end: Int, line: Int64, process: String?) -> Bool {
        var position = start
        var isPayload = false
        while let key = text(bytes, &position, end) {
            var value = position
            while value < end, ByteClass.isBlank(bytes.byte(value)) { value += 1 }
            guard value < end, bytes.byte(value) == 0x3A else { continue }
            if Self.sections.contains(key) { open.section = key }
            // Others write of bundles, too.
            if key != "bundleIdentifier" { isPayload = true }
            value += 1
            while value < end, ByteClass.isBlank(bytes.byte(value)) { value += 1 }
            guard value < end else { break }
            if bytes.byte(value) == 0x22 {
                position = value
                if let text = text(bytes, &position, end) { take(key, text, line, process) }
            } else if ByteClass.isDigit(bytes.byte(value)) {
                var last = value
                while last < end, ByteClass.isDigit(bytes.byte(last)) || bytes.byte(last) == 0x2E { last += 1 }
                take(key, string(bytes, value, last), line, process)
                position = last
            }
        }
        return isPayload
    }

    /// Takes the totals that are complete.
    mutating func takeFinished() -> [DailyTotal] {
        defer { finished = [] }
        return finished
    }

    /// The totals that would be complete if the data ended here, without those that were complete before.
    func remaining(after before: DailyTotals) -> [DailyTotal] {
        var last = self
        last.finished.removeFirst(before.finished.count)
        last.close()
        return last.finished
    }

    private mutating func take(_ key: String, _ value: String, _ line: Int64, _ process: String?) {
        switch key {
        case "timeStampBegin":
            if open.from != nil { close() }
            open.from = PayloadTime.nanoseconds(value)
        case "timeStampEnd":
            if open.until != nil { close() }
            open.until = PayloadTime.nanoseconds(value)
        case "bundleIdentifier":
            if open.app != nil { close() }
            open.app = value.split(separator: ".").last.map { disguise.name(String($0)) }
        case "appVersion":
            if open.appVersion != nil { close() }
            open.appVersion = disguise.version(value)
        default:
            guard key.hasPrefix("cumulative"), key.hasSuffix("Time") || key.hasSuffix("Count") else { return }
            let isTime = key.hasSuffix("Time")
            let name = disguise.name(key)
            let figure = LocalisedFigure(value)
            let time = isTime ? figure?.seconds(units) : nil
            guard let number = isTime ? time?.0 : figure?.number else {
                let text = disguise.text(String(value.prefix(40)))
                remark("\(name) of line \(line) left out, '\(text)' is not a \(isTime ? "time" : "count")")
                return
            }
            if let unit = time?.unknown {
                let text = disguise.text(String(unit.prefix(20)))
                remark("\(name) of line \(line) read as seconds: '\(text)' is not a known unit")
            }
            // Only the figures of these objects end so: where the object ends need not be known.
            let section = key.hasSuffix("ExitCount") ? open.section : nil
            let metric = section.map { "\($0).\(name)" } ?? name
            if open.waiting.contains(where: { $0.metric == metric }) {
                close()
                open.section = section
            }
            open.waiting.append(
                DailyTotal(
                    line: line, app: process, appVersion: nil, from: nil, until: nil, metric: metric,
                    value: number, unit: isTime ? "s" : "count"))
        }
    }

    /// Ends a payload: its figures get the day that it names.
    private mutating func close() {
        for var total in open.waiting {
            total.app = open.app ?? total.app
            total.appVersion = open.appVersion
            total.from = open.from
            total.until = open.until
            finished.append(total)
        }
        open = Payload()
    }

    /// The next text in quotation marks; `position` moves behind it.
    private func text(_ bytes: RawSpan, _ position: inout Int, _ end: Int) -> String? {
        while position < end, bytes.byte(position) != 0x22 { position += 1 }
        guard position < end else { return nil }
        let start = position + 1
        var last = start
        while last < end, bytes.byte(last) != 0x22 { last += bytes.byte(last) == 0x5C ? 2 : 1 }
        last = min(last, end)
        position = min(last + 1, end)
        return unescaped(string(bytes, start, last))
    }

    /// A text of JSON without its escapes: many tools write what is no ASCII as `\u0661`.
    private func unescaped(_ text: String) -> String {
        guard text.utf8.contains(0x5C) else { return text }
        return (try? JSONDecoder().decode(String.self, from: Data("\"\(text)\"".utf8))) ?? text
    }

    private func string(_ bytes: RawSpan, _ start: Int, _ end: Int) -> String {
        var text: [UInt8] = []
        for position in start..<end { text.append(bytes.byte(position)) }
        return String(decoding: text, as: UTF8.self)
    }
}
