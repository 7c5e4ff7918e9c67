/// What a layout file may say. The parser accepts these words and no others, and `lifestats formats --help` lists them.
package enum LayoutLanguage {
    /// A word, and what it means.
    package typealias Word = (name: String, meaning: String)

    /// Keys of a layout.
    package static let layoutKeys: [Word] = [
        ("name", "for --format and the column format: a-z, 0-9 and '-'"),
        ("title", "what writes such logs, in a few words"),
        ("about", "what else to know"),
        ("patterns", "list of line patterns, the most specific first"),
        ("ignored", "patterns of lines that say nothing: headers, footers"),
        ("continuation", "which lines without a header belong to the entry before: any, indented (the default), none"),
        ("label", "the subsystem of entries that name none"),
        ("zone", "zone of times that state none: UTC, or an offset as +0100; goes before --timezone"),
        ("whole-line", "true: the message is the whole line, not what follows its header"),
        ("follows-message", "true: a line of the layout ends a record whose message stands before it"),
        ("json", "the fields of records that are JSON objects, in place of patterns or beside them"),
        ("ignored-json", "list of lists of keys: an object that has all of one list says nothing"),
        ("samples", "lines that the layout must read, checked whenever it is loaded"),
    ]

    /// Keys of a sample.
    package static let sampleKeys: [Word] = [
        ("line", "the line"), ("time", "ISO 8601 in UTC"), ("process", "its name"), ("pid", "its number"),
        ("device", "host or device"), ("subsystem", "subsystem, or the label of a logger"),
        ("message", "what the entry says; of all keys the only one that is not compared when left out"),
    ]

    /// Keys of `json`. Each value is a key of the object, or a list of which the first that it has counts; a dot leads
    /// into an object inside.
    package static let jsonKeys: [Word] = [
        ("requires", "list of keys the object must have; of a list inside the list, one"),
        ("lacks", "keys it must not have"),
        ("contains", "texts that must stand somewhere in it"),
        ("time", "ISO 8601, or a number: seconds, milli-, micro- or nanoseconds since 1970"),
        ("time-before", "true: a record without a time has that of the dated line before it"),
        ("message", "without it, the message is the object as it stands"),
        ("process", "name of the process, or a path of which the last part counts"),
        ("process-attribute", "name of an attribute of the object, or of what is around it, that names the process"),
        ("image-in-process", "true: what stands in parentheses behind the process is left out"),
        ("pid", "number of the process"),
        ("pid-of-next", "key of the object behind this one that holds the number of the process"),
        ("device", "host or device"),
        ("subsystem", "subsystem, or the label of a logger"),
        ("unwrap", "a text that is read by the other layouts"),
    ]

    /// What may stand in braces in a pattern; everything else stands for itself.
    package static let places: [Word] = [
        ("{time:FORM}", "when; FORM as below"),
        ("{date:FORM}", "a date without a clock: the entry has no time"),
        ("{columns:FORM}", "columns between tabs in any order, told by what they hold; FORM is that of the time"),
        ("{milliseconds}", "time since the line before; {milliseconds:0} for a place left blank"),
        ("{process}", "text up to what follows; {process:name} has no blanks at its ends and no marks"),
        ("{pid}", "number of the process"),
        ("{thread}", "hexadecimal number, left out"),
        ("{device}", "text up to what follows; {device:word} up to the next blank; so for all texts"),
        ("{subsystem}", "subsystem, or the label of a logger"),
        ("{level}", "how serious it is; {level:Debug|Info} only these words; so for all texts"),
        ("{library}", "left out"), ("{category}", "left out"), ("{text}", "any text, left out"),
        ("{word}", "text without blanks, left out"), ("{number}", "digits, left out"),
        ("{message}", "the rest of the line"),
        ("{_}", "one blank or more"), ("{*}", "blanks, or none"),
        ("{(", "begins a part that may be missing, up to )}"), ("{{", "a brace"),
    ]

    /// What a time is made of; everything else stands for itself.
    package static let times: [Word] = [
        ("yyyy", "year"), ("MM", "month"), ("Mon", "month in English, three letters"), ("dd", "day"),
        ("d", "day of one digit or two, perhaps behind a blank"), ("HH", "hour"), ("mm", "minute"), ("ss", "second"),
        (".S", "fraction of any length behind . , or :"), ("Z", "zone: +0100, +01:00, Z, (UTC)"),
        ("[.S]", "fraction or none"), ("[Z]", "zone or none"),
    ]

    static func names(_ words: [Word]) -> [String] { words.map(\.name) }
}
