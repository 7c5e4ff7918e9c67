import TraceRecords

/// Who wrote a line. A line that names no process is one of the process that wrote the line before.
struct LineWriter {
    private var process: RecentText
    private var device = RecentText()
    private var pid = ActivityTracker.noPid
    /// Whether the process is a part of the system that writes about others, and the line that named it not one of a report
    /// about it.
    private(set) var isDaemon = false
    /// Whether any line so far has named its process; whether any other one has said its id.
    private var namesProcesses = false
    private var namesPids = false
    /// The first device that the lines of the source name, as people read it.
    private(set) var firstDevice: String?
    /// The writer as a speaker of the present batch.
    private(set) var key = FactCollector.SpeakerKey()

    init(disguise: Disguise?, context: RecognitionContext, _ facts: inout FactCollector) {
        process = RecentText { ProcessName.shown($0, disguise) }
        process.restore(context.process, &facts)
        device.restore(context.device, &facts)
        pid = context.pid.map(Int64.init) ?? ActivityTracker.noPid
        isDaemon = context.isDaemon ?? false
        firstDevice = context.firstDevice
        updateKey()
    }

    /// The name of the process as people read it; `nil` before the first line that has one.
    var processName: String? { process.name }

    /// What the lines so far say, for a reading that goes on.
    func remember(in context: inout RecognitionContext) {
        context.process = process.remembered
        context.pid = Int32(exactly: pid)
        context.isDaemon = isDaemon ? true : nil
        context.device = device.remembered
        context.firstDevice = firstDevice
    }

    /// Takes what a line says of its writer.
    @inline(__always)
    mutating func take(_ entry: Entry, _ bytes: RawSpan, _ lexicon: Lexicon, _ facts: inout FactCollector) {
        if !entry.process.isEmpty {
            let pid = entry.pid.map(Int64.init) ?? ActivityTracker.noPid
            if namesProcesses, pid == self.pid, process.isText(bytes, entry.process) {
                if entry.device.isEmpty || device.isText(bytes, entry.device) { return }
            }
        } else if entry.device.isEmpty, entry.pid == nil || namesPids && entry.pid.map(Int64.init) == pid {
            return
        }
        change(entry, bytes, lexicon, &facts)
    }

    @inline(never)
    private mutating func change(
        _ entry: Entry, _ bytes: RawSpan, _ lexicon: Lexicon, _ facts: inout FactCollector
    ) {
        // Lines before any that names its process, or says its id, belong to what was written before them: they go first.
        if !entry.process.isEmpty {
            if !namesProcesses { facts.endActivity() }
            namesProcesses = true
            process.take(bytes, entry.process, &facts)
            isDaemon =
                lexicon.labels.isDaemon(bytes, entry.process.indices)
                && !lexicon.versions.isReport(bytes, subsystem: entry.subsystem.indices)
            pid = entry.pid.map(Int64.init) ?? ActivityTracker.noPid
        } else if let own = entry.pid {
            if !namesPids { facts.endActivity() }
            namesPids = true
            pid = Int64(own)
        }
        if !entry.device.isEmpty {
            device.take(bytes, entry.device, &facts)
            if firstDevice == nil { firstDevice = device.name }
        }
        updateKey()
    }

    private mutating func updateKey() {
        key = FactCollector.SpeakerKey(process: process.number, device: device.number, pid: pid)
    }

    /// Takes the numbers of a new batch.
    mutating func renumber(_ facts: inout FactCollector) {
        process.renumber(&facts)
        device.renumber(&facts)
        updateKey()
    }
}

/// The text of a field in the line before, which is most often the text of the field in this line too.
private struct RecentText {
    private var text: [UInt8] = []
    /// What is shown in its place; `nil` where that is the text itself.
    private var shown: [UInt8]?
    private let showing: (([UInt8]) -> [UInt8]?)?
    /// Its number in the present batch.
    private(set) var number: UInt32 = 0

    init(showing: (([UInt8]) -> [UInt8]?)? = nil) { self.showing = showing }

    /// The text as it is written; `nil` before the first line that has one.
    var remembered: String? { text.isEmpty ? nil : String(decoding: shown ?? text, as: UTF8.self) }

    /// The text as people read it.
    var name: String? { text.isEmpty ? nil : String(decoding: VisText.plain(shown ?? text), as: UTF8.self) }

    @inline(__always)
    func isText(_ bytes: RawSpan, _ range: ByteRange) -> Bool {
        Int(range.length) == text.count && bytes.equals(Int(range.offset), text.span.bytes, 0, count: text.count)
    }

    mutating func take(_ bytes: RawSpan, _ range: ByteRange, _ facts: inout FactCollector) {
        if isText(bytes, range) { return }
        text.removeAll(keepingCapacity: true)
        for position in range.indices { text.append(bytes.byte(position)) }
        shown = showing?(text)
        renumber(&facts)
    }

    /// Goes on from a text that was remembered.
    mutating func restore(_ remembered: String?, _ facts: inout FactCollector) {
        guard let remembered, !remembered.isEmpty else { return }
        text = Array(remembered.utf8)
        shown = showing?(text)
        renumber(&facts)
    }

    mutating func renumber(_ facts: inout FactCollector) {
        let present = shown ?? text
        number = facts.name(present.span.bytes, 0, present.count)
    }
}

/// What a process is called: where a line gives the path of its program, the last part of that. The folders before it are
/// of the machine, and would make one app two on two machines.
enum ProcessName {
    /// Where the name in `start..<end` begins.
    static func start(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Int {
        guard start < end else { return start }
        // `kworker/0` is not a path: one begins at the root, at home or here.
        switch bytes.byte(start) {
        case 0x2F, 0x7E, 0x2E: break
        default: return start
        }
        var position = end
        while position > start, bytes.byte(position - 1) != 0x2F { position -= 1 }
        return position < end ? position : start
    }

    /// What is shown in place of the text; `nil` where that is the text itself.
    static func shown(_ text: [UInt8], _ disguise: Disguise?) -> [UInt8]? {
        let start = start(text.span.bytes, 0, text.count)
        let part = start == 0 ? nil : Array(text[start...])
        guard let disguise else { return part }
        let name = String(decoding: VisText.plain(part ?? text), as: UTF8.self)
        let shown = disguise.name(name)
        return shown == name ? part : Array(shown.utf8)
    }
}
