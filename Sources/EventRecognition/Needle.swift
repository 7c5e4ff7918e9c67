/// A text that gives a line its meaning when it stands in it, in any case of letters.
struct Needle: Sendable, Hashable {
    /// What the text stands for.
    enum Meaning: Sendable, Hashable {
        /// A callback, by its index in the vocabulary.
        case callback(UInt16)
        /// Some rule of a group, by its index among all groups: their texts share the needle.
        case rules(UInt16)
        /// A total of a day, or the day that totals are of.
        case total
        /// A version that a report tells.
        case version
    }

    /// UTF-8.
    var text: [UInt8]
    var meaning: Meaning
    /// Whether it is a slip of the pen, which is compared after the proper spellings.
    var isSlip = false
}
