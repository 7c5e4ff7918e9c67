/// What is read from one line, as texts: for samples, tests and `formats explain`.
package struct LineReading: Sendable, Hashable {
    /// Name of the layout that matched.
    package var layout: String
    /// ISO 8601 in UTC.
    package var time: String?
    package var process: String?
    package var pid: Int32?
    package var device: String?
    package var subsystem: String?
    package var message: String

    /// Reads one line by itself; `nil` when no layout matches it.
    package static func read(
        _ line: String, catalog: LayoutCatalog, options: ReadingOptions = ReadingOptions()
    ) -> LineReading? {
        var matcher = LineMatcher(catalog: catalog)
        var context = TimeContext(options: options)
        let bytes = Array(line.utf8)
        return bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return nil }
            var match = LineMatch()
            guard case .entry(let layout) = matcher.match(base, buffer.count, into: &match) else { return nil }
            func text(_ field: LineMatch.Field) -> String? {
                field.isEmpty ? nil : String(decoding: buffer[Int(field.start)..<Int(field.end)], as: UTF8.self)
            }
            return LineReading(
                layout: catalog.layouts[layout].name,
                time: match.hasTime ? context.resolve(match.time).map(TimeText.iso) : nil,
                process: text(match.process), pid: match.hasPid ? match.pid : nil, device: text(match.device),
                subsystem: text(match.subsystem) ?? catalog.layouts[layout].label,
                message: text(match.message) ?? "")
        }
    }
}
