/// Which keys of a JSON record hold which field. A dot leads into a nested object.
package struct JSONKeys: Sendable, Hashable {
    /// Each element is a list of keys of which the record must have one.
    var requires: [[[UInt8]]] = []
    /// Keys that the record must not have.
    var lacks: [[UInt8]] = []
    /// Texts that must occur somewhere in the record.
    var contains: [[UInt8]] = []
    /// Keys by field, the first that the record has is taken.
    var time: [[UInt8]] = []
    /// Whether a record without a time has that of the last one that said its own.
    var takesTimeBefore = false
    var message: [[UInt8]] = []
    var process: [[UInt8]] = []
    /// Name of the attribute that names the process: of the record, or of what it is a part of.
    var processAttribute: [UInt8] = []
    /// Whether the image that wrote the line follows the name of the process in brackets.
    var hasImage = false
    var pid: [[UInt8]] = []
    /// Key of the object that follows the record and goes on with it: it has the process id that the record lacks.
    var pidOfNext: [UInt8]?
    var device: [[UInt8]] = []
    var subsystem: [[UInt8]] = []
    /// Key whose text is read with the other layouts.
    var unwrap: [[UInt8]] = []
}
