import Yams

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
            throw problem(mapping["name"] ?? node, "the name '\(name)' must be of a-z, 0-9 and '-'")
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
            ignoredJSON: (mapping["ignored-json"]?.sequence ?? []).map { Self.names($0) })
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
        guard let mapping = node.mapping else { throw problem(node, "'json' must be a mapping of fields to keys") }
        try check(mapping, LayoutLanguage.jsonKeys, "JSON record")
        var keys = JSONKeys()
        for (key, value) in mapping {
            switch key.scalar?.string ?? "" {
            case "requires":
                keys.requires = (value.sequence ?? []).map { Self.names($0) }
            case "contains": keys.contains = Self.names(value)
            case "time": keys.time = Self.names(value)
            case "time-before": keys.takesTimeBefore = value.scalar?.string == "true"
            case "message": keys.message = Self.names(value)
            case "process": keys.process = Self.names(value)
            case "image-in-process": keys.hasImage = value.scalar?.string == "true"
            case "pid": keys.pid = Self.names(value)
            case "pid-of-next": keys.pidOfNext = Self.names(value).first
            case "device": keys.device = Self.names(value)
            case "subsystem": keys.subsystem = Self.names(value)
            case "unwrap": keys.unwrap = Self.names(value)
            case "lacks": keys.lacks = Self.names(value)
            case "process-attribute": keys.processAttribute = Self.names(value).first ?? []
            default: break
            }
        }
        guard !keys.requires.isEmpty || !keys.contains.isEmpty else {
            throw problem(node, "'json' needs 'requires' or 'contains', to tell its records from others")
        }
        return keys
    }

    private static func names(_ node: Node) -> [[UInt8]] {
        if let one = node.scalar?.string { return [Array(one.utf8)] }
        return (node.sequence ?? []).compactMap { $0.scalar.map { Array($0.string.utf8) } }
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
                key, "'\(key.scalar?.string ?? "?")' is no key of a \(what); it has \(known.joined(separator: ", "))")
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
