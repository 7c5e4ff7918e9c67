/// Why a source cannot be read, or cannot be read to its end.
package struct ReadingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure.
    package enum Code: String, Sendable {
        /// No such file.
        case missing
        /// Not allowed to read it.
        case denied
        /// A socket, a device, or another thing that is no file.
        case unsuitable
        /// The operating system reported an error.
        case io
        /// Compressed data or an archive is damaged.
        case damaged
        /// It expands beyond every sensible size.
        case tooLarge
        /// It is another file than the one that was found at its path.
        case changed
        /// The name of a layout, zone or option is not known.
        case unknown

        /// Whether it can only come of a file that could be read when it was found.
        package var tellsOfChange: Bool {
            switch self {
            case .changed, .missing, .denied, .io: true
            case .unsuitable, .damaged, .tooLarge, .unknown: false
            }
        }
    }

    package var code: Code
    /// The path, as shown to people.
    package var path: String
    /// What happened, why, and how to mend it.
    package var message: String

    package var description: String { path.isEmpty ? message : "\(path): \(message)" }
}
