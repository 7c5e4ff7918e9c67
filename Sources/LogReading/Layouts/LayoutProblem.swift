/// What is wrong with a layout, without the place where it stands.
struct LayoutProblem: Error, Hashable {
    var text: String
    init(_ text: String) { self.text = text }
}
