/// A key that a user can set, and that rules may ask for.
package struct ConfigurationKey: Sendable, Hashable {
    /// Identifier (`exits-on-suspend` …).
    package var id: String
    /// Values that it may have; empty for any text.
    package var values: [String]
    /// Value where the user says nothing.
    package var standard: String
    /// Whether the value is a decision that can't be changed, listed so that it is known.
    package var isFixed: Bool
    /// What kind of value it has besides ``values``; `nil` for any text, or for those values alone.
    package var unit: Unit?
    /// The option of the command line that sets it, and alone does; `nil` when a user's file sets it.
    package var flag: String?
    package var summary: String
    package var citation: String

    /// A kind of value.
    package enum Unit: String, Sendable, Hashable, CaseIterable {
        case seconds, version
    }

    /// Whether it may have a value.
    package func allows(_ value: String) -> Bool {
        if values.contains(value) || value == standard { return true }
        switch unit {
        case .seconds: return YAMLField.seconds(value) != nil
        case .version: return Int(value.prefix { $0 != "." }) != nil
        case nil: return values.isEmpty
        }
    }

    /// The values that it may have, in words.
    package var valuesInWords: String {
        switch unit {
        case .seconds: (["seconds"] + values).joined(separator: ", ")
        case .version: "a version such as \(values.first ?? "17.4")"
        case nil: values.isEmpty ? "any" : values.joined(separator: ", ")
        }
    }
}
