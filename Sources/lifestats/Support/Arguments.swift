/// What was typed behind the name of the program.
enum Arguments {
    /// The arguments, with a blank before those that begin with a comment of SQL, which would be taken for options: no
    /// option has blanks or line ends in its name.
    static func withComments(_ arguments: some Sequence<String>) -> [String] {
        arguments.map { argument in
            guard argument.hasPrefix("--"), let end = argument.firstIndex(where: { $0.isWhitespace || $0 == "=" }),
                argument[end] != "="
            else { return argument }
            return " " + argument
        }
    }
}
