/// Reads an XML document into a tree.
///
/// It covers what data files use: elements, attributes, namespaces, text, CDATA, comments, processing instructions,
/// character references. A document type is refused, and with it entities of its own and everything that could reach
/// outside of the file. Foundation's parser would bring libxml2 and ICU, 60 MB, into every installation.
struct XMLReader {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var line = 1
    private let file: String
    /// Deeper nesting is refused, so that no file exhausts the stack.
    private static let deepest = 200

    private init(_ text: String, file: String) {
        scalars = Array(text.unicodeScalars)
        self.file = file
    }

    /// The root of a document.
    static func read(_ text: String, file: String) throws(ModelError) -> XMLElement {
        var reader = XMLReader(text, file: file)
        try reader.misc()
        guard reader.peek("<") else { throw reader.error("there is no element; is this XML?") }
        let root = try reader.element(scope: ["": "", "xml": "http://www.w3.org/XML/1998/namespace"], depth: 0)
        try reader.misc()
        guard reader.index == reader.scalars.count else { throw reader.error("something follows the root element") }
        return root
    }

    private func error(_ message: String) -> ModelError {
        ModelError(file: file, line: line, message: "not well-formed XML: \(message)")
    }

    private func peek(_ text: String) -> Bool {
        var place = index
        for scalar in text.unicodeScalars {
            guard place < scalars.count, scalars[place] == scalar else { return false }
            place += 1
        }
        return true
    }

    private mutating func advance() {
        if scalars[index] == "\n" { line += 1 }
        index += 1
    }

    private mutating func take(_ text: String) -> Bool {
        guard peek(text) else { return false }
        for _ in text.unicodeScalars { advance() }
        return true
    }

    private mutating func skipBlanks() {
        while index < scalars.count, scalars[index].properties.isWhitespace { advance() }
    }

    /// The text up to a mark, which is taken as well.
    private mutating func upTo(_ mark: String, of what: String) throws(ModelError) -> String {
        let start = index
        while index < scalars.count {
            if peek(mark) {
                let text = String(String.UnicodeScalarView(scalars[start..<index]))
                _ = take(mark)
                return text
            }
            advance()
        }
        throw error("\(what) does not end with '\(mark)'")
    }

    /// Skips blanks, comments and processing instructions outside of the root.
    private mutating func misc() throws(ModelError) {
        if index < scalars.count, scalars[index] == "\u{FEFF}" { index += 1 }
        while true {
            skipBlanks()
            if take("<!--") {
                _ = try upTo("-->", of: "a comment")
            } else if take("<?") {
                _ = try upTo("?>", of: "a processing instruction")
            } else if peek("<!DOCTYPE") {
                throw error("a document type is not accepted; take it out")
            } else {
                return
            }
        }
    }

    private mutating func name() throws(ModelError) -> String {
        let start = index
        while index < scalars.count {
            let scalar = scalars[index]
            guard
                scalar.properties.isAlphabetic || ":_-.".unicodeScalars.contains(scalar)
                    || ("0"..."9").contains(scalar)
            else { break }
            advance()
        }
        guard start < index else { throw error("a name is missing") }
        return String(String.UnicodeScalarView(scalars[start..<index]))
    }

    private mutating func element(scope: [String: String], depth: Int) throws(ModelError) -> XMLElement {
        guard depth < Self.deepest else { throw error("elements are nested more than \(Self.deepest) deep") }
        let begin = line
        _ = take("<")
        let name = try name()
        var scope = scope
        let attributes = try attributes(of: name, scope: &scope)
        let (prefix, local) = Self.split(name)
        guard let namespace = scope[prefix] else { throw error("the prefix '\(prefix)' has no namespace") }
        var element = XMLElement(
            name: local, namespace: namespace, attributes: attributes, children: [], text: "", line: begin)
        skipBlanks()
        if take("/>") { return element }
        guard take(">") else { throw error("'>' is missing in <\(name)>") }
        while !take("</") {
            guard index < scalars.count else { throw error("<\(name)> of line \(begin) is not closed") }
            if take("<!--") {
                _ = try upTo("-->", of: "a comment")
            } else if take("<![CDATA[") {
                element.text += try upTo("]]>", of: "CDATA")
            } else if take("<?") {
                _ = try upTo("?>", of: "a processing instruction")
            } else if peek("<") {
                element.children.append(try self.element(scope: scope, depth: depth + 1))
            } else {
                element.text.unicodeScalars.append(contentsOf: try characters(until: "<"))
            }
        }
        let closing = try self.name()
        skipBlanks()
        guard closing == name, take(">") else { throw error("<\(name)> of line \(begin) is closed by </\(closing)>") }
        return element
    }

    private mutating func attributes(
        of element: String, scope: inout [String: String]
    ) throws(ModelError) -> [String: String] {
        var attributes: [String: String] = [:]
        while true {
            skipBlanks()
            guard index < scalars.count else { throw error("<\(element)> does not end") }
            if peek(">") || peek("/>") { return attributes }
            let name = try name()
            skipBlanks()
            guard take("=") else { throw error("'=' is missing after '\(name)' in <\(element)>") }
            skipBlanks()
            guard peek("\"") || peek("'") else { throw error("the value of '\(name)' has no quotes") }
            let quote = scalars[index]
            advance()
            let value = String(try characters(until: quote))
            guard take(String(quote)) else { throw error("the value of '\(name)' does not end") }
            let (prefix, local) = Self.split(name)
            if name == "xmlns" {
                scope[""] = value
            } else if prefix == "xmlns" {
                scope[local] = value
            } else if prefix.isEmpty {
                guard attributes.updateValue(value, forKey: local) == nil else {
                    throw error("'\(name)' is there twice in <\(element)>")
                }
            }
        }
    }

    /// Text with its references resolved, up to a character that stays.
    private mutating func characters(until end: Unicode.Scalar) throws(ModelError) -> String.UnicodeScalarView {
        var text = String.UnicodeScalarView()
        while index < scalars.count, scalars[index] != end {
            if take("&") {
                text.append(try reference(try upTo(";", of: "a reference")))
            } else {
                text.append(scalars[index])
                advance()
            }
        }
        return text
    }

    private func reference(_ name: String) throws(ModelError) -> Unicode.Scalar {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        let isHex = name.hasPrefix("#x")
        guard name.hasPrefix("#"),
            let value = UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10),
            let scalar = Unicode.Scalar(value)
        else { throw error("'&\(name.prefix(20));' is unknown") }
        return scalar
    }

    private static func split(_ name: String) -> (prefix: String, local: String) {
        guard let colon = name.firstIndex(of: ":") else { return ("", name) }
        return (String(name[..<colon]), String(name[name.index(after: colon)...]))
    }
}
