/// Names with what they mean beside them, for a terminal.
package enum WrappedList {
    /// One entry after another; texts that do not fit go on below themselves, between words.
    package static func text(_ entries: [(name: String, text: String)], width: Int) -> String {
        let indent = (entries.map { CellWidth.of($0.name) }.max() ?? 0) + 2
        // Where hardly a word would fit beside the names, the texts stand below them.
        let isNarrow = width - indent < 24
        let room = max(20, isNarrow ? width - 2 : width - indent)
        let margin = String(repeating: " ", count: isNarrow ? 2 : indent)
        return entries.map { name, text in
            var lines: [String] = [""]
            for word in text.split(separator: " ") {
                let last = lines[lines.count - 1]
                if last.isEmpty {
                    lines[lines.count - 1] = String(word)
                } else if CellWidth.of(last) + 1 + CellWidth.of(String(word)) <= room {
                    lines[lines.count - 1] = "\(last) \(word)"
                } else {
                    lines.append(String(word))
                }
            }
            let body = lines.joined(separator: "\n" + margin)
            let gap = String(repeating: " ", count: max(0, indent - CellWidth.of(name)))
            return isNarrow ? "\(name)\n\(margin)\(body)\n" : "\(name)\(gap)\(body)\n"
        }.joined()
    }
}
