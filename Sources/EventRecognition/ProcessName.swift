/// What a process is called: where a line gives the path of its program, by the last part of that. The folders before it
/// are of the machine, and would make one app two on two machines.
enum ProcessName {
    /// Where the name begins that stands in `start..<end`.
    static func start(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Int {
        guard start < end else { return start }
        // `kworker/0` is no path: one begins at the root, at home or here.
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
