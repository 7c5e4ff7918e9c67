/// Where Graphviz has put things, in its own notation: points, y upwards.
struct GraphvizPositions: Sendable {
    /// Attribute `bb` of the graph.
    var boundingBox = ""
    /// Attribute `pos` of each node, by name.
    var nodes: [String: String] = [:]
    /// Attributes `pos` and `lp` of each edge, by its attribute `id`.
    var edges: [String: (spline: String, label: String)] = [:]
}
