/// Damages a simulated log at known places, and says where.
///
/// Works on the text, knowing nothing of how it was made: a line names at most one callback. Faults keep apart from
/// each other and from the beginning and end of a process, so that each shows by itself.
package struct FaultInjector {
    private struct Line {
        var text: String
        var callback: String?
        var pid: String
    }

    /// Callbacks between two faults, so that the machine is back on its way.
    private static let distance = 6

    private var random: RandomSource
    private let faults: [Fault]

    /// - Parameters:
    ///   - seed: the same seed injects the same faults.
    ///   - faults: kinds to choose from.
    package init(seed: UInt64, faults: [Fault] = Fault.allCases) {
        random = RandomSource(seed: seed)
        self.faults = faults
    }

    /// A damaged copy of a log, with about one fault in so many callbacks.
    package mutating func inject(into log: String, every: Int) -> (log: String, faults: [InjectedFault]) {
        let lines = log.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { Self.line($0) }
        var out: [String] = []
        var injected: [InjectedFault] = []
        var since = 0
        for (index, line) in lines.enumerated() {
            out.append(line.text)
            guard let callback = line.callback else { continue }
            since += 1
            guard since > Self.distance, isInside(index, of: lines), random.below(max(1, every)) == 0 else { continue }
            let fault = faults[random.below(faults.count)]
            switch (fault, callback) {
            case (.missingCallback, "applicationWillResignActive"):
                guard next(after: index, in: lines) == "applicationDidEnterBackground" else { continue }
                out.removeLast()
                injected.append(InjectedFault(fault: fault, line: out.count + 1 + noise(after: index, in: lines)))
            case (.duplicate, "applicationDidBecomeActive"):
                guard let copy = moved(line.text, bySeconds: 0, milliseconds: 150) else { continue }
                guard let following = following(index, in: lines), copy < following else { continue }
                out.append(copy)
                injected.append(InjectedFault(fault: fault, line: out.count))
            case (.clockRegression, "applicationDidEnterBackground"):
                guard let earlier = moved(line.text, bySeconds: -30, milliseconds: 0) else { continue }
                out[out.count - 1] = earlier
                injected.append(InjectedFault(fault: fault, line: out.count))
            default: continue
            }
            since = 0
        }
        return (out.joined(separator: "\n") + "\n", injected)
    }

    private static func line(_ text: Substring) -> Line {
        let names = [
            "willFinishLaunchingWithOptions", "didFinishLaunchingWithOptions", "applicationDidBecomeActive",
            "applicationWillResignActive", "applicationDidEnterBackground", "applicationWillEnterForeground",
            "applicationWillTerminate",
        ]
        let pid = text.split(separator: "[").dropFirst().first?.prefix { $0 != ":" } ?? ""
        return Line(text: String(text), callback: names.first { text.contains($0) }, pid: String(pid))
    }

    /// Whether the process goes on well before and after a line.
    private func isInside(_ index: Int, of lines: [Line]) -> Bool {
        var callbacks = 0
        var place = index + 1
        while place < lines.count, lines[place].pid == lines[index].pid {
            if lines[place].callback != nil { callbacks += 1 }
            if callbacks == Self.distance { return true }
            place += 1
        }
        return false
    }

    private func next(after index: Int, in lines: [Line]) -> String? {
        lines[(index + 1)...].first { $0.callback != nil }?.callback
    }

    private func noise(after index: Int, in lines: [Line]) -> Int {
        lines[(index + 1)...].prefix { $0.callback == nil }.count
    }

    private func following(_ index: Int, in lines: [Line]) -> String? {
        index + 1 < lines.count ? lines[index + 1].text : nil
    }

    /// The line with its clock moved, inside one day; `nil` where that would leave the day.
    private func moved(_ text: String, bySeconds seconds: Int, milliseconds: Int) -> String? {
        let digits = Array(text.utf8.prefix(23))
        guard digits.count == 23 else { return nil }
        func number(_ range: Range<Int>) -> Int {
            digits[range].reduce(0) { $0 * 10 + Int($1) - Int(UInt8(ascii: "0")) }
        }
        let clock = ((number(11..<13) * 60 + number(14..<16)) * 60 + number(17..<19)) * 1_000 + number(20..<23)
        let new = clock + seconds * 1_000 + milliseconds
        guard new >= 0, new < 86_400_000 else { return nil }
        func padded(_ value: Int, _ width: Int) -> String {
            let figure = String(value)
            return String(repeating: "0", count: width - figure.count) + figure
        }
        let time = [
            padded(new / 3_600_000, 2), padded(new / 60_000 % 60, 2), padded(new / 1_000 % 60, 2),
        ].joined(separator: ":")
        return text.prefix(11) + time + "." + padded(new % 1_000, 3) + text.dropFirst(23)
    }
}
