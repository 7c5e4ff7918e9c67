package import LifecycleModel

/// A user's further spellings of callbacks, in any language: a YAML file that maps callback ids to texts.
///
///     applicationDidEnterBackground: [程序进入后台, app went away]
///     viewDidAppear: screen shown
///
/// A spelling counts wherever it stands as a whole word or words, in any case, and in a sentence, too: the rules that
/// tell prose from statements are for the names of callbacks.
package struct AliasTable: Sendable, Hashable {
    /// The most spellings, and the longest in bytes. What there is to look for must stay few and short.
    static let most = 2000
    static let longest = 500

    /// Spellings by callback id.
    package private(set) var spellings: [String: [String]] = [:]

    /// Reads a table.
    ///
    /// - Parameters:
    ///   - yaml: the text of the file.
    ///   - file: its name, for messages.
    ///   - vocabulary: the callbacks that it may name.
    /// - Throws: ``DialectError`` with the line of what is wrong.
    package init(yaml: String, file: String, vocabulary: Vocabulary) throws(DialectError) {
        let source = try DialectFile(name: file, text: yaml)
        var count = 0
        for field in source.fields {
            guard vocabulary.index(of: field.key) != nil else {
                throw source.error(
                    field.value, "No model has a callback `\(field.key)`; `lifestats model show` lists them.")
            }
            for text in try source.texts(of: field.value, as: field.key) {
                guard text.utf8.count >= ShortNames.shortest else {
                    throw source.error(field.value, "`\(text)` is too short to tell a callback; give at least 4 bytes.")
                }
                guard text.utf8.count <= Self.longest else {
                    throw source.error(
                        field.value, "`\(text.prefix(20))…` is too long; give at most \(Self.longest) bytes.")
                }
                count += 1
                guard count <= Self.most else {
                    throw source.error(field.value, "There are more than \(Self.most) spellings; keep fewer.")
                }
                spellings[field.key, default: []].append(text)
            }
        }
    }
}
