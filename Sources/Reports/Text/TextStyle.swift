/// Colour and weight on a terminal, or nothing at all; the caller decides (`NO_COLOR`, a pipe).
package struct TextStyle: Sendable, Hashable {
    package var isOn: Bool

    package init(isOn: Bool) { self.isOn = isOn }

    func bold(_ text: String) -> String { wrapped(text, "1") }
    func dim(_ text: String) -> String { wrapped(text, "2") }
    func red(_ text: String) -> String { wrapped(text, "31") }
    func green(_ text: String) -> String { wrapped(text, "32") }
    func yellow(_ text: String) -> String { wrapped(text, "33") }
    func blue(_ text: String) -> String { wrapped(text, "34") }

    private func wrapped(_ text: String, _ code: String) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
