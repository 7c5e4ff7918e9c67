import CGraphviz
import Synchronization

/// The one owner of Graphviz. The library keeps global state, so that everything goes through one lock.
enum Graphviz {
    private static let context = Mutex(GraphvizContext())

    /// Lays a graph out with the engine `dot`.
    ///
    /// - Parameter dot: A graph whose edges carry a unique attribute `id`.
    static func layOut(_ dot: String) throws(DiagramError) -> GraphvizPositions {
        try context.withLock { context throws(DiagramError) in try context.layOut(dot) }
    }

    /// Renders a graph whose nodes are placed already.
    ///
    /// - Parameter format: A renderer of Graphviz, such as `png:cairo`.
    static func render(_ dot: String, format: String) throws(DiagramError) -> [UInt8] {
        try context.withLock { context throws(DiagramError) in try context.render(dot, format: format) }
    }
}
