import LifecycleModel
import TraceRecords

/// What the codes say with which the system ends processes: ``ModelSettings/endCodes`` as recognition needs them.
struct EndingTable: Sendable {
    /// What a code says.
    struct Ending: Sendable {
        var proof: Proof
        /// Who says so; empty where that follows from the line.
        var origin: String
        /// The code and what it means, for `runs.end_detail`.
        var meaning: String
    }

    private struct Group: Sendable {
        var namespaces: WordList
        var domains: Set<UInt64>
        /// The codes that are meant; `nil` for all.
        var codes: Set<UInt64>?
        var ending: Ending
    }

    private let groups: [Group]
    /// Codes that mean the same in every namespace.
    private let everywhere: [UInt64: Ending]
    /// What codes mean that stand for themselves, by code.
    let meanings: [String: String]
    /// Codes that mean the same everywhere, as lines print them.
    let knownCodes: [String]
    /// The reasons that jetsam gives.
    let jetsamReasons: [String]

    init(_ codes: [EndCode]) {
        var everywhere: [UInt64: Ending] = [:]
        for code in codes { if let number = code.decimal { everywhere[number] = Ending(code) } }
        self.everywhere = everywhere
        groups = codes.filter { !$0.namespaces.isEmpty }.map { code in
            Group(
                namespaces: WordList(code.namespaces), domains: Set(code.namespaces.compactMap { UInt64($0) }),
                codes: code.codes.isEmpty ? nil : Set(code.codes.compactMap { UInt64($0) }), ending: Ending(code))
        }
        knownCodes = codes.flatMap { code in code.decimal.map { [code.code, String($0)] } ?? [] }
        meanings = Dictionary(codes.map { ($0.code, $0.meaning) }, uniquingKeysWith: { first, _ in first })
        jetsamReasons = codes.filter {
            $0.endReason == EndReason.jetsam.rawValue && $0.namespaces.isEmpty && !$0.code.hasSuffix("Count")
        }.map(\.code)
    }

    /// What a finding with a code says; `nil` when the code is not known, and neither is who uses it.
    func ending(_ finding: TextPattern.Finding, _ bytes: RawSpan) -> Ending? {
        guard let code = finding.code else { return nil }
        if let ending = everywhere[code] { return ending }
        return groups.first { group in
            let isMeant =
                finding.domain.map(group.domains.contains) ?? group.namespaces.contains(bytes, finding.namespace)
            return isMeant && group.codes?.contains(code) ?? true
        }?.ending
    }
}

extension EndingTable.Ending {
    fileprivate init(_ code: EndCode) {
        meaning = code.decimal == nil ? code.meaning : "\(code.code) \(code.meaning)"
        origin = ""
        switch EndReason(rawValue: code.endReason) {
        case .watchdog: (proof, origin) = (.exitedByWatchdog, "watchdog")
        case .jetsam: (proof, origin) = (.exitedByJetsam, "jetsam")
        case .terminated: proof = .notRunning
        case nil where code.endReason == EndCode.killed: proof = .exitedByKill
        default: proof = .exitedBySignal
        }
    }
}

/// What a line prints of the end of a process.
enum EndText {
    /// The longest text that is kept.
    private static let longest = 240

    /// What stands before the code and its explanation, and before the explanation; and what ends it.
    private static let context = Array("RBSTerminateContext| ".utf8)
    private static let signals = [#""indicator":""#, #""indicator" : ""#].map { Array($0.utf8) }
    private static let rest = Array(" reportType:".utf8)
    /// What an explanation begins with, and one without a code.
    private static let explanation = Array("explanation:".utf8)
    private static let refusal = Array("Application failed to launch:".utf8)

    /// The text from a place of the line on, whole from the word at that place on, or from the code and its explanation
    /// on: without what follows the end of a string in JSON, and without blanks and marks at its end.
    ///
    /// - Parameter isKnown: whether the meaning of the code is known, so that only the explanation is wanted.
    static func printed(_ bytes: RawSpan, _ place: Int, _ lineStart: Int, _ end: Int, isKnown: Bool) -> String {
        var (start, end) = (place, end)
        for word in [context] + (isKnown ? signals : []) {
            start = Scan.first(word, bytes, start..<max(start, end)).map { $0 + word.count } ?? start
        }
        if isKnown {
            start = Scan.first(explanation, bytes, start..<max(start, end)).map { $0 + explanation.count } ?? start
        }
        start = Scan.first(refusal, bytes, start..<max(start, end)) ?? start
        end = Scan.first(rest, bytes, start..<max(start, end)) ?? end
        while start > lineStart, ByteClass.isName(bytes.byte(start)), ByteClass.isName(bytes.byte(start - 1)) {
            start -= 1
        }
        let quotes = (start..<max(start, end)).filter {
            bytes.byte($0) == 0x22 && ($0 == start || bytes.byte($0 - 1) != 0x5C)
        }
        let isInString = !quotes.count.isMultiple(of: 2) && quotes[0] > start
        var last = min(isInString ? quotes[0] : end, start + longest)
        // A character is not cut.
        while last > start, last < end, bytes.byte(last) & 0xC0 == 0x80 { last -= 1 }
        // The angle that closes one before the text is no part of it.
        let angles = (start..<last).reduce(0) { $0 + (bytes.byte($1) == 0x3E ? 1 : bytes.byte($1) == 0x3C ? -1 : 0) }
        if angles > 0, bytes.byte(last - 1) == 0x3E { last -= 1 }
        while last > start, ByteClass.isBlank(bytes.byte(last - 1)) || bytes.byte(last - 1) == 0x2C { last -= 1 }
        var text: [UInt8] = []
        for position in start..<last
        where bytes.byte(position) != 0x5C || position + 1 == end || bytes.byte(position + 1) != 0x22 {
            text.append(bytes.byte(position))
        }
        return String(decoding: VisText.plain(text), as: UTF8.self)
    }
}
