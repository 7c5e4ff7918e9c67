import DataFiles

/// The language of layout files. The parser accepts these words and no others, and `lifestats formats --help` lists them.
package enum LayoutLanguage {
    /// A word, and what it means.
    package typealias Word = (name: String, meaning: String)

    /// Keys of a layout.
    package static let layoutKeys: [Word] = [
        ("name", "for --format and the column format: a-z, 0-9 and '-'"),
        ("title", "what writes such logs, in a few words"),
        ("about", "further notes"),
        ("patterns", "list of line patterns, the most specific first"),
        ("ignored", "patterns of lines without information: headers, footers"),
        ("continuation", "which lines without a header belong to the entry before: any, indented (the default), none"),
        ("label", "the subsystem of entries that do not name one"),
        ("zone", "zone of times without one: UTC, or an offset such as +0100; overrides --timezone"),
        ("whole-line", "true: the message is the whole line, not only the part after its header"),
        ("follows-message", "true: a line of this layout ends a record whose message precedes it"),
        ("json", "the fields of records that are JSON objects, instead of patterns or in addition to them"),
        ("ignored-json", "list of lists of keys: an object that has all keys of one of the lists is skipped"),
        ("samples", "lines that the layout must read, checked whenever it is loaded"),
    ]

    /// Keys of a sample.
    package static let sampleKeys: [Word] = [
        ("line", "the line"), ("time", "ISO 8601 in UTC"), ("process", "its name"), ("pid", "its number"),
        ("device", "host or device"), ("subsystem", "subsystem, or the label of a logger"),
        ("message", "the message; the only key that is not compared when left out"),
    ]

    /// Keys of `json`. Each value is a key, or a list of which the first that exists counts; a dot leads into an
    /// object.
    package static let jsonKeys: [Word] = [
        ("requires", "list of keys that the object must have; of a list inside the list, at least one"),
        ("lacks", "keys that it must not have"),
        ("contains", "texts that it must contain anywhere"),
        ("time", "ISO 8601, or a number: seconds, milli-, micro- or nanoseconds since 1970"),
        ("time-before", "true: a record without a time takes that of the dated line before it"),
        ("message", "the message: all keys of the list that are present, in order; if left out, the whole object"),
        ("process", "name of the process, or a path that ends with it"),
        ("process-attribute", "attribute, of the object or of one that encloses it, that names the process"),
        ("image-in-process", "true: what follows the process in parentheses is left out"),
        ("pid", "number of the process"),
        ("pid-of-next", "key in the next object for the number of the process"),
        ("device", "host or device"),
        ("subsystem", "subsystem, or the label of a logger"),
        ("number", "number of the entry: a skipped number means lost entries"),
        ("number-of", "what restarts the numbers, such as the launch"),
        ("monotonic", "nanoseconds of a monotonic clock, which bridges steps of the wall clock"),
        ("boot", "the boot that the monotonic clock belongs to"),
        ("unwrap", "text that the other layouts read"),
    ]

    /// What may be in braces in a pattern; everything else means itself.
    package static let places: [Word] = [
        ("{time:FORM}", "the time; see below for FORM"),
        ("{date:FORM}", "a date without a time of day: the entry has no time"),
        ("{columns:FORM}", "columns between tabs, in any order, recognised by their content; FORM is that of the time"),
        ("{milliseconds}", "time since the previous line; {milliseconds:0} where the line leaves it out"),
        ("{process}", "text up to what follows; {process:name} has no brackets, quotes, colons, or blanks at its ends"),
        ("{pid}", "number of the process"),
        ("{thread}", "hexadecimal number; only `formats entries` shows it"),
        ("{device}", "text up to what follows; {device:word} up to the next blank (works for all texts)"),
        ("{subsystem}", "subsystem, or the label of a logger"),
        ("{level}", "severity; {level:Debug|Info} matches only these words (works for all texts)"),
        ("{library}", "only `formats entries` shows it"), ("{category}", "as {library}"),
        ("{text}", "any text, ignored"), ("{word}", "text without blanks, ignored"), ("{number}", "digits, ignored"),
        ("{message}", "the rest of the line"),
        ("{_}", "one or more blanks"), ("{*}", "any number of blanks, or none"),
        ("{(", "begins an optional part, which ends with )}"), ("{{", "a brace"),
    ]

    /// What a time is made of; everything else means itself.
    package static let times: [Word] = [
        ("yyyy", "year, also behind the seconds"), ("yy", "year of two digits, from 2000 on"), ("MM", "month"),
        ("M/", "month of one or two digits, and the stroke"), ("Mon", "month in English, three letters"), ("dd", "day"),
        ("d", "day of one or two digits, possibly after a blank"), ("HH", "hour"),
        ("hh", "hour of a clock of twelve hours, one or two digits"), ("mm", "minute"), ("ss", "second"),
        (".S", "fraction of any length after '.', ',' or ':'"), ("Z", "zone: +0100, +01:00, GMT+0100, Z, (UTC)"),
        ("[.S]", "fraction or none"), ("[Z]", "zone or none"), ("PM", "AM or PM, at the end"),
        ("number", "alone: seconds, milli- or microseconds since 1970"),
    ]

    static func names(_ words: [Word]) -> [String] { words.map(\.name) }
}

/// Reads layouts from a file: one mapping, or several under `layouts`.
enum LayoutParser {
    static func layouts(in file: Field) throws(DataFileError) -> [Layout] {
        guard let list = file["layouts"] else { return [try layout(file)] }
        var layouts: [Layout] = []
        for entry in try list.elements() { layouts.append(try layout(entry)) }
        return layouts
    }

    private static func layout(_ layout: Field) throws(DataFileError) -> Layout {
        try check(layout, LayoutLanguage.layoutKeys, "layout")
        let name = try text(layout, "name")
        guard !name.isEmpty, name.allSatisfy({ $0.isLowercase || $0.isNumber || $0 == "-" }) else {
            throw (layout["name"] ?? layout).error("the name '\(name)' must consist of a-z, 0-9 and '-'")
        }
        var continuation = Layout.Continuation.indented
        if let value = layout["continuation"] {
            guard let known = Layout.Continuation(rawValue: value.text ?? "") else {
                throw value.error("continuation must be any, indented or none")
            }
            continuation = known
        }
        let json = try layout["json"].map { record throws(DataFileError) in try keys(record) }
        let texts = json != nil && layout["patterns"] == nil ? [] : try list(layout, "patterns")
        return Layout(
            name: name, title: try text(layout, "title"), about: layout["about"]?.text ?? "",
            continuation: continuation, label: layout["label"]?.text, zone: try zone(layout["zone"]),
            keepsWholeLine: try flag(layout, "whole-line"), patternTexts: texts.compactMap(\.text),
            samples: try samples(layout), file: layout.file, fileLine: (layout["name"] ?? layout).line,
            patterns: try patterns(texts),
            ignored: layout["ignored"] == nil ? [] : try patterns(list(layout, "ignored")),
            followsMessage: try flag(layout, "follows-message"), json: json,
            ignoredJSON: try choices(layout["ignored-json"]))
    }

    private static func zone(_ field: Field?) throws(DataFileError) -> FixedZone? {
        guard let field else { return nil }
        guard let zone = field.text.flatMap(FixedZone.init(written:)) else {
            throw field.error("zone must be UTC or an offset from it such as +0100 or -05:30")
        }
        return zone
    }

    static func patterns(_ texts: [Field]) throws(DataFileError) -> [LinePattern] {
        var patterns: [LinePattern] = []
        for field in texts {
            do {
                patterns.append(try LinePattern(field.text ?? ""))
            } catch {
                throw field.error(error.text)
            }
        }
        return patterns
    }

    private static func keys(_ record: Field) throws(DataFileError) -> JSONKeys {
        try check(record, LayoutLanguage.jsonKeys, "JSON record")
        var keys = JSONKeys()
        for (key, place) in lists { keys[keyPath: place] = try names(record[key]) }
        keys.requires = try choices(record["requires"])
        keys.processAttribute = try names(record["process-attribute"]).first ?? []
        keys.pidOfNext = try names(record["pid-of-next"]).first
        keys.takesTimeBefore = try flag(record, "time-before")
        keys.hasImage = try flag(record, "image-in-process")
        guard !keys.requires.isEmpty || !keys.contains.isEmpty else {
            throw record.error("'json' needs 'requires' or 'contains', to distinguish its records from others")
        }
        return keys
    }

    /// The keys that list keys of a record.
    static var lists: [(key: String, place: WritableKeyPath<JSONKeys, [[UInt8]]>)] {
        [
            ("contains", \.contains), ("lacks", \.lacks), ("time", \.time), ("message", \.message),
            ("process", \.process), ("pid", \.pid), ("device", \.device), ("subsystem", \.subsystem),
            ("number", \.number), ("number-of", \.numberOf), ("monotonic", \.monotonic), ("boot", \.boot),
            ("unwrap", \.unwrap),
        ]
    }

    private static func names(_ field: Field?) throws(DataFileError) -> [[UInt8]] {
        try field?.texts().map { Array($0.utf8) } ?? []
    }

    /// A list whose elements are names or lists of names.
    private static func choices(_ field: Field?) throws(DataFileError) -> [[[UInt8]]] {
        var choices: [[[UInt8]]] = []
        for element in try field?.elements() ?? [] { choices.append(try names(element)) }
        return choices
    }

    private static func samples(_ layout: Field) throws(DataFileError) -> [Layout.Sample] {
        guard let list = try layout["samples"]?.elements(), !list.isEmpty else {
            throw (layout["samples"] ?? layout).error("a layout needs samples: lines that it must be able to read")
        }
        var samples: [Layout.Sample] = []
        for sample in list {
            try check(sample, LayoutLanguage.sampleKeys, "sample")
            samples.append(
                Layout.Sample(
                    line: try text(sample, "line"), time: sample["time"]?.text, process: sample["process"]?.text,
                    pid: sample["pid"]?.text.flatMap { Int32($0) }, device: sample["device"]?.text,
                    subsystem: sample["subsystem"]?.text, message: sample["message"]?.text, fileLine: sample.line))
        }
        return samples
    }

    private static func check(_ field: Field, _ words: [LayoutLanguage.Word], _ what: String) throws(DataFileError) {
        let known = LayoutLanguage.names(words)
        for entry in try field.entries() where !known.contains(entry.key) {
            throw entry.error(
                "'\(entry.key)' is not a key of a \(what); the keys are \(known.joined(separator: ", "))")
        }
    }

    private static func text(_ field: Field, _ key: String) throws(DataFileError) -> String {
        guard let text = field[key]?.text else { throw (field[key] ?? field).error("'\(key)' is missing") }
        return text
    }

    private static func flag(_ field: Field, _ key: String) throws(DataFileError) -> Bool {
        switch field[key]?.text {
        case "true": true
        case nil, "false": false
        default: throw (field[key] ?? field).error("'\(key)' must be true or false")
        }
    }

    /// The texts under a key that must be there, each with its line.
    static func list(_ field: Field, _ key: String) throws(DataFileError) -> [Field] {
        guard let list = try field[key]?.elements(), !list.isEmpty else {
            throw (field[key] ?? field).error("'\(key)' must be a list with at least one text")
        }
        for element in list where element.text == nil { throw element.error("'\(key)' must be a list of texts") }
        return list
    }
}
