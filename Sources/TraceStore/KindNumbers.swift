/// Which rows of the store the kinds of one replay are. One value belongs to one replay, from its first batch to
/// its last.
package struct KindNumbers: Sendable {
    var rows: [Int64] = []

    package init() {}
}
