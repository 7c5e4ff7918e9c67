extension Lexicon {
    /// The label of the instance that a line names for a text found in it; `nil` when the line only speaks of the
    /// callback.
    func accepts(_ bytes: RawSpan, _ hit: Hit, _ start: Int, _ end: Int) -> LabelRules.Label? {
        let frame = NameFrame(bytes, lineStart: start, nameStart: hit.nameStart)
        if !hit.context.speaksForItself {
            if prose.headIsProse(bytes, frame, lineStart: start) { return nil }
            if prose.tailIsProse(bytes, hit.nameEnd, end) { return nil }
        }
        switch hit.context.subject {
        case .app:
            return LabelRules.Label()
        case .scene:
            return labels.scene(bytes, lineStart: start, lineEnd: end)
        case .object:
            let label = labels.controller(bytes, frame, lineStart: start, lineEnd: end, nameEnd: hit.nameEnd)
            return hit.context.needsController && !isController(bytes, label, hit, start, end) ? nil : label
        }
    }

    /// Whether a line of a callback tells that its method returns, not that it begins.
    func saysEnd(_ bytes: RawSpan, _ hit: Hit, _ start: Int, _ end: Int) -> Bool {
        guard !hit.context.speaksForItself else { return false }
        let frame = NameFrame(bytes, lineStart: start, nameStart: hit.nameStart)
        return prose.saysEnd(bytes, lineStart: start, headEnd: frame.headEnd, nameEnd: hit.nameEnd, lineEnd: end)
    }

    /// Whether a line whose callback any class may have is one of a view controller: its label says so, or it says
    /// nothing but the name.
    private func isController(_ bytes: RawSpan, _ label: LabelRules.Label, _ hit: Hit, _ start: Int, _ end: Int) -> Bool
    {
        if label.nameEnd > label.nameStart { return labels.isController(bytes, label.nameStart, label.nameEnd) }
        for position in start..<end where position < hit.nameStart || position >= hit.nameEnd {
            if ByteClass.isName(bytes.byte(position)) { return false }
        }
        return true
    }
}
