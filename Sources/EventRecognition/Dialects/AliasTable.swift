package import DataFiles
package import LifecycleModel
import TraceRecords

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
    /// - Throws: `DataFileError` with the line of what is wrong.
    package init(yaml: String, file: String, vocabulary: Vocabulary) throws(DataFileError) {
        for field in try Field.document(yaml, file: file).entries() {
            if field.key == Self.evidenceKey {
                try readEvidence(field)
                continue
            }
            guard vocabulary.index(of: field.key) != nil else {
                throw field.error("no model has a callback '\(field.key)'; `lifestats model show` lists them")
            }
            for text in try field.texts() {
                try check(text, field)
                spellings[field.key, default: []].append(text)
            }
        }
    }

    private mutating func readEvidence(_ field: Field) throws(DataFileError) {
        let origin = try field.text("origin") ?? "user"
        for entry in try field.entries() where entry.key != "origin" {
            let proof = try entry.proof(entry.key)
            guard !proof.isDetail else { throw entry.error("a text cannot prove '\(entry.key)'") }
            for text in try entry.texts() {
                try check(text, entry)
                guard TextPattern(text) != nil else {
                    throw entry.error("'\(text)' has an unknown placeholder in braces")
                }
                evidence.append(Evidence(proof: proof, origin: origin, text: text))
            }
        }
    }

    private mutating func check(_ text: String, _ field: Field) throws(DataFileError) {
        guard text.utf8.count >= ShortNames.shortest else {
            throw field.error("'\(text)' is too short to be unambiguous; use at least 4 bytes")
        }
        guard text.utf8.count <= Self.longest else {
            throw field.error("'\(text.prefix(20))…' is too long; use at most \(Self.longest) bytes")
        }
        count += 1
        guard count <= Self.most else { throw field.error("there are more than \(Self.most) texts; keep fewer") }
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
