/// A number with its noun: `1 file`, `1,234 files`.
package enum Plural {
    package static func text(_ count: some BinaryInteger, _ singular: String, _ plural: String? = nil) -> String {
        "\(NumberText.grouped(count)) \(count == 1 ? singular : plural ?? singular + "s")"
    }
}
