import DataFiles

/// The language of layout files. The parser accepts these words and no others, and `lifestats formats --help` lists them.
package enum LayoutLanguage {
    /// A word, and what it means.
    package typealias Word = (name: String, meaning: String)

    /// Words of one kind after another, each kind with a heading, as the file `layouts.txt` has them.
    package static let parts: [(title: String, words: [Word])] =
        String(decoding: PackageResources.layouts_txt, as: UTF8.self).split(separator: "\n\n").map { part in
            let lines = part.split(separator: "\n")
            let words = lines.dropFirst().map { line -> Word in
                let word = line.split(separator: " ", maxSplits: 1)
                return (String(word[0]), String(word[1].drop { $0 == " " }))
            }
            return (String(lines[0]), words)
        }

    /// Keys of a layout, of a sample, and of `json`, where each value is a key, or a list of which the first that exists
    /// counts; a dot leads into an object.
    package static var layoutKeys: [Word] { parts[0].words }
    package static var sampleKeys: [Word] { parts[1].words }
    package static var jsonKeys: [Word] { parts[2].words }
    /// What may be in braces in a pattern, and what a time is made of; everything else means itself.
    package static var places: [Word] { parts[3].words }
    package static var times: [Word] { parts[4].words }

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
            followsMessage: try flag(layout, "follows-message"), holdsLines: try flag(layout, "holds-lines"),
            isAnywhere: try flag(layout, "anywhere"), json: json,
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
            ("unwrap", \.unwrap), ("instance", \.instance), ("app-version", \.appVersion),
            ("os-version", \.systemVersion),
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
                    subsystem: sample["subsystem"]?.text, message: sample["message"]?.text,
                    instance: sample["instance"]?.text, appVersion: sample["app-version"]?.text,
                    systemVersion: sample["os-version"]?.text, fileLine: sample.line))
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
