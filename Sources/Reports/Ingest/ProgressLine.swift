internal import TraceRecords

/// The progress of an ingest: one line that is overwritten on a terminal.
package struct ProgressLine: Sendable, Hashable {
    /// Bytes read so far, and in total; `nil` when that is unknown (standard input).
    package var bytes: Int64
    package var totalBytes: Int64?
    package var events: Int64
    /// Seconds since the start.
    package var seconds: Double

    package init(bytes: Int64, totalBytes: Int64? = nil, events: Int64 = 0, seconds: Double) {
        self.bytes = bytes
        self.totalBytes = totalBytes
        self.events = events
        self.seconds = seconds
    }

    /// The line in at most `width` cells, without its end: a bar, bytes, MB/s, events and the time left.
    package func text(width: Int, style: TextStyle = TextStyle(isOn: false)) -> String {
        var parts: [String] = []
        if let totalBytes, totalBytes > 0 {
            parts.append("\(NumberText.bytes(bytes)) of \(NumberText.bytes(totalBytes))")
        } else {
            parts.append(NumberText.bytes(bytes))
        }
        let rate = seconds > 0.05 ? Double(bytes) / seconds : 0
        if rate > 0 { parts.append("\(NumberText.threeDigits(rate / 1e6)) MB/s") }
        if let remaining = secondsLeft(rate: rate) { parts.append("\(HumanDuration.text(seconds: remaining)) left") }
        if events > 0 { parts.append(Plural.text(events, "event")) }
        guard let share else { return VisibleText.shortened(parts.joined(separator: "  "), to: width) }
        let percent = "\(Int(share * 100))%"
        let head = String(repeating: " ", count: 4 - percent.count) + percent
        var text = parts.joined(separator: "  ")
        while parts.count > 1, head.count + 2 + CellWidth.of(text) > width {
            parts.removeLast()
            text = parts.joined(separator: "  ")
        }
        let room = min(30, width - head.count - 4 - CellWidth.of(text))
        guard room >= 8 else { return VisibleText.shortened("\(head)  \(text)", to: width) }
        let filled = Int((Double(room) * share).rounded(.down))
        let bar = String(repeating: "━", count: filled)
        let rest = String(repeating: style.isOn ? "━" : "─", count: room - filled)
        return "\(head)  \(style.green(bar))\(style.dim(rest))  \(text)"
    }

    /// Share of the bytes that has been read, 0 to 1.
    private var share: Double? {
        guard let totalBytes, totalBytes > 0 else { return nil }
        return min(1, max(0, Double(bytes) / Double(totalBytes)))
    }

    /// Whole seconds until the end at the rate so far; `nil` during the first second.
    private func secondsLeft(rate: Double) -> Double? {
        guard let totalBytes, totalBytes > bytes, rate > 0, seconds >= 1 else { return nil }
        return max(1, (Double(totalBytes - bytes) / rate).rounded())
    }
}
