import Foundation

/// JSON with equal bytes for equal values.
enum JSONText {
    static func of(_ value: some Encodable) throws(DiagramError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do { return Array(try encoder.encode(value)) + [10] } catch { throw .notANumber }
    }
}
