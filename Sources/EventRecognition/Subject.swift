/// What a callback is about, which decides where a line's label for it is looked for.
enum Subject: Sendable {
    /// The app: there is one in a process, and no label.
    case app
    /// A scene: a session's identifier or an object's address.
    case scene
    /// A view controller, or what a user's model is about: a class, a marker, an address.
    case object

    init(layer: String) {
        switch layer {
        case "app", "process": self = .app
        case "scene": self = .scene
        default: self = .object
        }
    }
}
