/// Beginnings of sequences of small numbers, each kept once. The first nodes are the roots, which are empty beginnings.
///
/// Few symbols follow one beginning, so that its children are a list: that is faster than a table to look one up in.
struct PrefixTree: Sendable {
    /// The node that a node goes on from; -1 for a root.
    private(set) var parents: [Int32]
    /// The last symbol of each beginning; -1 for a root.
    private(set) var symbols: [Int32]
    private var firstChild: [Int32]
    private var nextSibling: [Int32]

    init(roots: Int) {
        parents = Array(repeating: -1, count: roots)
        symbols = parents
        firstChild = parents
        nextSibling = parents
    }

    var count: Int { parents.count }

    /// The node of a beginning that is one symbol longer, made if there is none.
    mutating func child(of node: Int32, _ symbol: Int32) -> Int32 {
        if let known = existingChild(of: node, symbol) { return known }
        let new = Int32(parents.count)
        parents.append(node)
        symbols.append(symbol)
        firstChild.append(-1)
        nextSibling.append(firstChild[Int(node)])
        firstChild[Int(node)] = new
        return new
    }

    /// The node of a beginning that is one symbol longer, if there is one.
    func existingChild(of node: Int32, _ symbol: Int32) -> Int32? {
        var child = firstChild[Int(node)]
        while child >= 0, symbols[Int(child)] != symbol { child = nextSibling[Int(child)] }
        return child >= 0 ? child : nil
    }
}
