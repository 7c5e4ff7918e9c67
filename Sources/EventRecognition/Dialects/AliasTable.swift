package import LifecycleModel
import TraceRecords
import Yams

/// A user's further spellings of callbacks, and evidence of their own, in any language. A YAML file that maps callback ids
/// to texts; under `evidence`, what a text proves to texts:
///
///     applicationDidEnterBackground: [程序进入后台, app went away]
///     viewDidAppear: screen shown
///     evidence:
///       origin: tea
///       background: [the kettle is cold, "kettle -> {any}cold"]
///       active: the kettle boils
///
/// A text counts wherever it is as a whole word or words, in any case, and in a sentence, too: the rules that tell prose
/// from statements are for the names of callbacks. In the texts of evidence `{any}` is any text, and `{pid}`, `{bundle}`
/// and `{name}` name the process, where it is not the one that wrote the line. `origin` becomes the kind of the events; it
/// is `user` where the file names none.
package struct AliasTable: Sendable, Hashable {
    /// A text that proves something.
    struct Evidence: Sendable, Hashable {
        var proof: Proof
        var origin: String
        var text: String
    }

    /// The most texts, and the longest in bytes. What there is to look for must stay few and short.
    static let most = 2000
    static let longest = 500
    private static let evidenceKey = "evidence"

    /// Spellings by callback id.
    package private(set) var spellings: [String: [String]] = [:]
    private(set) var evidence: [Evidence] = []
    private var count = 0

    /// Reads a table.
    ///
    /// - Parameters:
    ///   - yaml: the text of the file.
    ///   - file: its name, for messages.
    ///   - vocabulary: the callbacks that it may name.
    /// - Throws: ``DialectError`` with the line of what is wrong.
    package init(yaml: String, file: String, vocabulary: Vocabulary) throws(DialectError) {
        let source = try DialectFile(name: file, text: yaml)
        for field in source.fields {
            if field.key == Self.evidenceKey {
                try readEvidence(source, field.value)
                continue
            }
            guard vocabulary.index(of: field.key) != nil else {
                throw source.error(
                    field.value, "No model has a callback `\(field.key)`; `lifestats model show` lists them.")
            }
            for text in try source.texts(of: field.value, as: field.key) {
                try check(text, source, field.value)
                spellings[field.key, default: []].append(text)
            }
        }
    }

    private mutating func readEvidence(_ source: DialectFile, _ node: Node) throws(DialectError) {
        guard let fields = DialectFile.fields(of: node) else {
            throw source.error(node, "`\(Self.evidenceKey)` must map what is proved to the texts that prove it.")
        }
        let origin = try fields.first { $0.key == "origin" }
            .map { field throws(DialectError) in try source.texts(of: field.value, as: field.key) }?.first
        for field in fields where field.key != "origin" {
            let proof = try source.proof(field.key, field.value)
            guard !proof.isDetail else { throw source.error(field.value, "A text cannot prove `\(field.key)`.") }
            for text in try source.texts(of: field.value, as: field.key) {
                try check(text, source, field.value)
                guard TextPattern(text) != nil else {
                    throw source.error(field.value, "`\(text)` has an unknown placeholder in braces.")
                }
                evidence.append(Evidence(proof: proof, origin: origin ?? "user", text: text))
            }
        }
    }

    private mutating func check(_ text: String, _ source: DialectFile, _ node: Node) throws(DialectError) {
        guard text.utf8.count >= ShortNames.shortest else {
            throw source.error(node, "`\(text)` is too short to be unambiguous; use at least 4 bytes.")
        }
        guard text.utf8.count <= Self.longest else {
            throw source.error(node, "`\(text.prefix(20))…` is too long; use at most \(Self.longest) bytes.")
        }
        count += 1
        guard count <= Self.most else {
            throw source.error(node, "There are more than \(Self.most) texts; keep fewer.")
        }
    }
}

/// A set of words that is asked in bytes, in any case of letters.
struct WordList: Sendable {
    private var table = ByteTable(foldsCase: true)

    init(_ words: [String]) {
        for word in words {
            let bytes = Array(word.utf8)
            let span = bytes.span.bytes
            if table.value(span, 0, count: bytes.count) == nil {
                table.insert(span, 0, count: bytes.count, value: 1)
            }
        }
    }

    func contains(_ bytes: RawSpan, _ word: Range<Int>) -> Bool {
        !word.isEmpty && table.value(bytes, word.lowerBound, count: word.count) != nil
    }
}
