import TraceRecords

/// The texts of several sources under the replay's own numbers, so that runs and labels can be compared by number.
struct SourceSymbols {
    private var own = SymbolTable()
    private var lists: [Int32: [UInt32]] = [:]
    private var current: [UInt32] = [0]
    private var currentSource = Int32.min
    /// Number of the text without regard to case, by number; 0 while not asked for.
    private var folded: [UInt32] = [0]

    /// Makes a source the one whose symbols ``number(_:)`` understands.
    mutating func select(_ source: Int32) {
        if source != currentSource {
            if currentSource != Int32.min { lists[currentSource] = current }
            current = lists.removeValue(forKey: source) ?? [0]
            currentSource = source
        }
    }

    /// Adds new texts of the selected source.
    mutating func add(_ texts: [String]) {
        for text in texts { current.append(own.intern(text).id) }
    }

    /// The selected source numbers its symbols anew. Returns which of the replay's numbers the other sources use.
    mutating func restart() -> [Bool] {
        current = [0]
        var used = Array(repeating: false, count: own.count)
        used[0] = true
        for list in lists.values { for number in list { used[Int(number)] = true } }
        return used
    }

    /// Keeps the texts whose numbers are used. Returns the new number of each of those.
    mutating func keep(_ used: [Bool]) -> [UInt32] {
        let before = own
        own = SymbolTable()
        var numbers = Array(repeating: UInt32(0), count: used.count)
        for number in used.indices where used[number] {
            guard let text = before.text(Symbol(id: UInt32(number))) else { continue }
            numbers[number] = own.intern(text).id
        }
        for source in lists.keys { lists[source] = lists[source]?.map { numbers[Int($0)] } }
        folded = [0]
        return numbers
    }

    /// Drops the symbols of a source that will give no more facts.
    mutating func forget(_ source: Int32) {
        lists[source] = nil
        if source == currentSource {
            current = [0]
            currentSource = Int32.min
        }
    }

    /// The replay's number of a symbol of the selected source; 0 for the absent text.
    @inline(__always)
    func number(_ symbol: Symbol) -> UInt32 {
        let place = Int(symbol.id)
        return place < current.count ? current[place] : 0
    }

    mutating func number(of text: String) -> UInt32 { own.intern(text).id }

    func text(_ number: UInt32) -> String? { own.text(Symbol(id: number)) }

    /// The number that stands for the spellings of a process name: ``RunRecord/foldedName(_:)``.
    mutating func foldedName(_ number: UInt32) -> UInt32 {
        own.text(Symbol(id: number)).map { own.intern(RunRecord.foldedName($0)).id } ?? 0
    }

    /// The number that stands for all spellings of a text in upper and lower case.
    mutating func caseless(_ number: UInt32) -> UInt32 {
        let place = Int(number)
        if place >= folded.count { folded += Array(repeating: 0, count: own.count - folded.count) }
        if folded[place] == 0, let text = own.text(Symbol(id: number)) {
            folded[place] = own.intern(text.lowercased()).id
        }
        return folded[place]
    }
}
