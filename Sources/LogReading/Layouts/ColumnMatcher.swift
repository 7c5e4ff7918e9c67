/// Matches lines of columns between tabs, in whatever order the user arranged them: what a column is follows from what it
/// holds.
struct ColumnMatcher {
    /// Columns that a line may have; more of them are a table of something else.
    private static let mostColumns = 12
    private static let levels = ["default", "info", "debug", "error", "fault", "activity", "signpost"].map {
        Array($0.utf8)
    }

    private let time: TimePattern

    init(_ time: TimePattern) { self.time = time }

    /// Whether the line has such columns: a time among the first three, a message, and something that the usual columns
    /// (type, time, process, message) don't have or that is in another place.
    func match(_ p: UnsafePointer<UInt8>, _ count: Int, into match: inout LineMatch) -> Bool {
        guard count > 0, p[0] != 0x09, Bytes.find(0x09, p, 0, count) != nil, let columns = columns(p, count) else {
            return false
        }
        var timeColumn: Int?
        var texts: [Int] = []
        var (beginsWithLevel, hasThread) = (false, false)
        for (number, column) in columns.enumerated() {
            let (start, length) = (p + column.lowerBound, column.count)
            if length == 0 {
                continue
            } else if isLevel(start, length) {
                if number == 0 { beginsWithLevel = true }
            } else if isThread(start, length) {
                hasThread = true
            } else if length == 1, start[0] == UInt8(ascii: "|") {
                return false
            } else if timeColumn == nil, number < 3, readTime(start, length, into: &match) {
                timeColumn = number
            } else if let number = decimal(start, length) {
                guard !match.hasPid, let pid = Int32(exactly: number) else { continue }
                match.pid = pid
                match.hasPid = true
            } else if match.subsystem.isEmpty, isSubsystem(start, length) {
                match.subsystem = field(column)
            } else {
                texts.append(number)
            }
        }
        guard let timeColumn, let message = texts.last(where: { holdsBlank(p, columns[$0]) }) ?? texts.last else {
            return false
        }
        guard !beginsWithLevel || timeColumn != 1 || hasThread || match.hasPid || !match.subsystem.isEmpty else {
            return false
        }
        match.message = field(columns[message])
        // The process comes after the time, or before everything else.
        let names = texts.filter { $0 != message }
        if let process = names.first(where: { $0 > timeColumn }) ?? names.first {
            match.process = field(columns[process])
        }
        return true
    }

    private func columns(_ p: UnsafePointer<UInt8>, _ count: Int) -> [Range<Int>]? {
        var columns: [Range<Int>] = []
        var start = 0
        for at in 0..<count where p[at] == 0x09 {
            columns.append(trimmed(p, start..<at))
            start = at + 1
            if columns.count >= Self.mostColumns { return nil }
        }
        columns.append(trimmed(p, start..<count))
        return columns.count >= 3 ? columns : nil
    }

    private func trimmed(_ p: UnsafePointer<UInt8>, _ column: Range<Int>) -> Range<Int> {
        var (start, end) = (column.lowerBound, column.upperBound)
        while start < end, p[start] == 0x20 { start += 1 }
        while end > start, p[end - 1] == 0x20 { end -= 1 }
        return start..<end
    }

    private func field(_ column: Range<Int>) -> LineMatch.Field {
        LineMatch.Field(
            start: Int32(truncatingIfNeeded: column.lowerBound), end: Int32(truncatingIfNeeded: column.upperBound))
    }

    private func readTime(_ p: UnsafePointer<UInt8>, _ count: Int, into match: inout LineMatch) -> Bool {
        var reader = TimeReader(time)
        var raw = RawTime()
        guard case .time(count) = reader.read(p, count, into: &raw) else { return false }
        match.time = raw
        match.hasTime = true
        return true
    }

    private func isLevel(_ p: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        Self.levels.contains { word in word.count == count && word.indices.allSatisfy { p[$0] | 0x20 == word[$0] } }
    }

    private func isThread(_ p: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        count > 2 && p[0] == UInt8(ascii: "0") && p[1] == UInt8(ascii: "x")
            && (2..<count).allSatisfy { p[$0] &- 48 < 10 || (p[$0] | 0x20) &- 97 < 6 }
    }

    private func decimal(_ p: UnsafePointer<UInt8>, _ count: Int) -> Int64? {
        guard count <= 18, (0..<count).allSatisfy({ p[$0] &- 48 < 10 }) else { return nil }
        return (0..<count).reduce(0) { $0 * 10 + Int64(p[$1] &- 48) }
    }

    /// Whether it is a name such as `com.example.tea`.
    private func isSubsystem(_ p: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        var dots = 0
        for at in 0..<count {
            switch p[at] {
            case UInt8(ascii: "."): dots += 1
            case UInt8(ascii: "-"), UInt8(ascii: "_"): continue
            default: guard (p[at] | 0x20) &- 97 < 26 || p[at] &- 48 < 10 else { return false }
            }
        }
        return dots >= 2
    }

    private func holdsBlank(_ p: UnsafePointer<UInt8>, _ column: Range<Int>) -> Bool {
        column.contains { p[$0] == 0x20 }
    }
}
