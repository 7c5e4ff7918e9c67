import Yams

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
        ("message", "the message; if left out, the message is the whole object"),
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

/// Reads layouts from YAML: one mapping, or several under `layouts`.
struct LayoutParser {
    let file: String

    func layouts(in yaml: String) throws(LayoutError) -> [Layout] {
        let root: Node?
        do {
            root = try Yams.compose(yaml: yaml, .basic, .default, .utf8)
        } catch {
            throw Self.notYAML(error, file)
        }
        guard let root else { throw LayoutError(file: file, line: 1, message: "the file is empty") }
        guard let list = root.mapping?["layouts"] else { return [try layout(root)] }
        guard let nodes = list.sequence else { throw problem(list, "'layouts' must be a list") }
        var result: [Layout] = []
        for node in nodes { result.append(try layout(node)) }
        return result
    }

    private func layout(_ node: Node) throws(LayoutError) -> Layout {
        guard let mapping = node.mapping else {
            throw problem(node, "a layout is a mapping with name, title, patterns and samples")
        }
        try check(mapping, LayoutLanguage.layoutKeys, "layout")
        let name = try text(mapping, "name", of: node)
        guard !name.isEmpty, name.allSatisfy({ $0.isLowercase || $0.isNumber || $0 == "-" }) else {
            throw problem(mapping["name"] ?? node, "the name '\(name)' must consist of a-z, 0-9 and '-'")
        }
        var continuation = Layout.Continuation.indented
        if let value = mapping["continuation"] {
            guard let known = Layout.Continuation(rawValue: value.scalar?.string ?? "") else {
                throw problem(value, "continuation must be any, indented or none")
            }
            continuation = known
        }
        let json = try mapping["json"].map { node throws(LayoutError) in try keys(node) }
        let texts = json != nil && mapping["patterns"] == nil ? [] : try strings(mapping, "patterns", of: node)
        let ignored = mapping["ignored"] == nil ? [] : try strings(mapping, "ignored", of: node)
        return Layout(
            name: name, title: try text(mapping, "title", of: node), about: mapping["about"]?.scalar?.string ?? "",
            continuation: continuation, label: mapping["label"]?.scalar?.string, zone: try zone(mapping["zone"]),
            keepsWholeLine: mapping["whole-line"]?.scalar?.string == "true", patternTexts: texts.map(\.value),
            samples: try samples(mapping, of: node), file: file,
            fileLine: mapping["name"]?.mark?.line, patterns: try compiled(texts),
            ignored: try compiled(ignored), followsMessage: mapping["follows-message"]?.scalar?.string == "true",
            json: json,
            ignoredJSON: mapping["ignored-json"]?.sequence?.map { Self.names($0) } ?? [])
    }

    private func zone(_ node: Node?) throws(LayoutError) -> FixedZone? {
        guard let node else { return nil }
        guard let text = node.scalar?.string, let zone = FixedZone(written: text) else {
            throw problem(node, "zone must be UTC or an offset from it such as +0100 or -05:30")
        }
        return zone
    }

    private func compiled(_ texts: [(value: String, node: Node)]) throws(LayoutError) -> [LinePattern] {
        var patterns: [LinePattern] = []
        for text in texts {
            do {
                patterns.append(try LinePattern(text.value))
            } catch {
                throw problem(text.node, error.text)
            }
        }
        return patterns
    }

    private func keys(_ node: Node) throws(LayoutError) -> JSONKeys {
        guard let record = node.mapping else { throw problem(node, "'json' must be a mapping of fields to keys") }
        try check(record, LayoutLanguage.jsonKeys, "JSON record")
        var keys = JSONKeys()
        for (key, place) in Self.lists {
            if let value = record[key] { keys[keyPath: place] = Self.names(value) }
        }
        keys.requires = record["requires"]?.sequence?.map { Self.names($0) } ?? []
        keys.processAttribute = record["process-attribute"].map(Self.names)?.first ?? []
        keys.pidOfNext = record["pid-of-next"].map(Self.names)?.first
        keys.takesTimeBefore = record["time-before"]?.scalar?.string == "true"
        keys.hasImage = record["image-in-process"]?.scalar?.string == "true"
        guard !keys.requires.isEmpty || !keys.contains.isEmpty else {
            throw problem(node, "'json' needs 'requires' or 'contains', to distinguish its records from others")
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

    private static func names(_ node: Node) -> [[UInt8]] {
        if let one = node.scalar?.string { return [Array(one.utf8)] }
        return node.sequence?.compactMap { $0.scalar.map { Array($0.string.utf8) } } ?? []
    }

    private func samples(_ mapping: Node.Mapping, of node: Node) throws(LayoutError) -> [Layout.Sample] {
        guard let list = mapping["samples"]?.sequence, !list.isEmpty else {
            throw problem(mapping["samples"] ?? node, "a layout needs samples: lines that it must be able to read")
        }
        var samples: [Layout.Sample] = []
        for node in list {
            guard let mapping = node.mapping else {
                throw problem(node, "a sample is a mapping: line, and the fields expected in it")
            }
            try check(mapping, LayoutLanguage.sampleKeys, "sample")
            samples.append(
                Layout.Sample(
                    line: try text(mapping, "line", of: node), time: mapping["time"]?.scalar?.string,
                    process: mapping["process"]?.scalar?.string,
                    pid: mapping["pid"]?.scalar.flatMap { Int32($0.string) },
                    device: mapping["device"]?.scalar?.string, subsystem: mapping["subsystem"]?.scalar?.string,
                    message: mapping["message"]?.scalar?.string, fileLine: node.mark?.line))
        }
        return samples
    }

    private func check(
        _ mapping: Node.Mapping, _ words: [LayoutLanguage.Word], _ what: String
    ) throws(LayoutError) {
        let known = LayoutLanguage.names(words)
        for (key, _) in mapping where !known.contains(key.scalar?.string ?? "") {
            throw problem(
                key,
                "'\(key.scalar?.string ?? "?")' is not a key of a \(what); the keys are \(known.joined(separator: ", "))"
            )
        }
    }

    private func text(_ mapping: Node.Mapping, _ key: String, of node: Node) throws(LayoutError) -> String {
        guard let value = mapping[key]?.scalar?.string else {
            throw problem(mapping[key] ?? node, "'\(key)' is missing")
        }
        return value
    }

    private func strings(
        _ mapping: Node.Mapping, _ key: String, of node: Node
    ) throws(LayoutError) -> [(value: String, node: Node)] {
        guard let list = mapping[key]?.sequence, !list.isEmpty else {
            throw problem(mapping[key] ?? node, "'\(key)' must be a list with at least one text")
        }
        var result: [(String, Node)] = []
        for node in list {
            guard let value = node.scalar?.string else { throw problem(node, "'\(key)' must be a list of texts") }
            result.append((value, node))
        }
        return result
    }

    private static func notYAML(_ error: any Error, _ file: String) -> LayoutError {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            LayoutError(file: file, line: mark.line, message: "this is not YAML: \(problem)")
        default: LayoutError(file: file, line: nil, message: "this is not YAML: \(error)")
        }
    }

    private func problem(_ node: Node, _ message: String) -> LayoutError {
        LayoutError(file: file, line: node.mark?.line, message: message)
    }
}
