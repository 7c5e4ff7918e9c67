import TraceRecords

/// Durations in pictures: worded like everywhere else, with every number glued to its unit.
package enum DurationText {
    /// The text of a duration: `0 s`, `812 ns`, `350 ms`, `4.2 s`, `1 min 5 s`, `1 h 23 min`, `3 d 4 h`.
    ///
    /// - Parameter nanoseconds: The duration; a negative one keeps its sign.
    package static func of(_ nanoseconds: Int64) -> String {
        // A line may break between the parts, never between a number and its unit.
        var text = ""
        for (index, word) in HumanDuration.text(nanoseconds: nanoseconds).split(separator: " ").enumerated() {
            if index > 0 { text += index.isMultiple(of: 2) ? " " : "\u{A0}" }
            text += word
        }
        return text
    }
}
