/// A code or word of a report that tells how a process ended.
package struct EndCode: Sendable, Hashable {
    /// The code as reports print it (`0x8badf00d`, `vm-pageshortage` …).
    package var code: String
    /// The same as a decimal number, for the codes that are numbers.
    package var decimal: UInt64?
    package var meaning: String
    /// Value of `runs.end_reason` that it stands for.
    package var endReason: String
    /// Transitions that it tells of.
    package var transitions: [String]
    package var citation: String
}
