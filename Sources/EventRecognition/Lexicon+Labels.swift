extension Lexicon {
    /// The instance that a line names for a callback.
    @inline(__always)
    func label(_ bytes: RawSpan, _ match: Match, _ start: Int, _ end: Int) -> LabelRules.Label {
        switch match.context.subject {
        case .app: LabelRules.Label()
        case .scene: labels.scene(bytes, lineStart: start, lineEnd: end)
        case .object:
            labels.controller(bytes, match.frame, lineStart: start, lineEnd: end, nameEnd: match.nameEnd)
        }
    }

    /// Whether a line whose callback any class may have is one of a view controller: its label says so, or it says
    /// nothing but the name.
    func isController(
        _ bytes: RawSpan, _ label: LabelRules.Label, _ match: Match, _ start: Int, _ end: Int
    ) -> Bool {
        if label.nameEnd > label.nameStart { return labels.isController(bytes, label.nameStart, label.nameEnd) }
        for position in start..<end where position < match.nameStart || position >= match.nameEnd {
            if ByteClass.isName(bytes.byte(position)) { return false }
        }
        return true
    }
}
