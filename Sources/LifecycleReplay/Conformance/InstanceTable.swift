/// Values by the row ids of instances, which lie close together: one look-up finds a page of them, mostly the last one.
struct InstanceTable<Value: Sendable>: Sendable {
    private static var pageSize: Int64 { 256 }

    /// Places of the pages in ``pages``, by the ids' upper part.
    private var places: [Int64: Int] = [:]
    private var pages: [[Value?]] = []
    private var recent = (page: Int64.min, place: 0)

    /// Reads or changes the value of an instance.
    mutating func update<Result>(_ instance: Int64, _ body: (inout Value?) -> Result) -> Result {
        let page = instance >> 8
        if page != recent.page { recent = (page, place(of: page)) }
        return body(&pages[recent.place][Int(instance & (Self.pageSize - 1))])
    }

    /// All values, in no order that means anything.
    var values: some Sequence<Value> { pages.lazy.joined().compactMap(\.self) }

    private mutating func place(of page: Int64) -> Int {
        if let known = places[page] { return known }
        places[page] = pages.count
        pages.append(Array(repeating: nil, count: Int(Self.pageSize)))
        return pages.count - 1
    }
}
