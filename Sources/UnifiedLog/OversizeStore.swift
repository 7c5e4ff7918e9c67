/// The arguments of messages that are too large for their records. They come before the record: in its chunk set as a rule,
/// but also under an earlier catalog or in another file of the boot.
///
/// All files of a boot share one. What is far back is forgotten.
final class OversizeStore {
    struct Item {
        var arguments: [UInt8] = []
        var secrets: [UInt8] = []
    }

    private struct Key: Hashable {
        /// `nil` is any file.
        var file: Int?
        var process: Catalog.ProcessKey
        var number: UInt16
    }

    /// How many bytes are kept; older ones are forgotten.
    private static let mostBytes = 4 << 20

    private var newer: [Key: Item] = [:]
    private var older: [Key: Item] = [:]
    private var newerBytes = 0

    /// - Parameter number: of the record that refers to it, among those of the process.
    func add(_ item: Item, of process: Catalog.ProcessKey, number: UInt16, in file: Int) {
        if newerBytes >= Self.mostBytes {
            older = newer
            newer = [:]
            newerBytes = 0
        }
        newerBytes += item.arguments.count + item.secrets.count + 2 * MemoryLayout<Key>.stride
        for file in [file, nil] { newer[Key(file: file, process: process, number: number)] = item }
    }

    /// What the file has, otherwise what another one has.
    func find(_ process: Catalog.ProcessKey, number: UInt16, in file: Int) -> Item? {
        let own = Key(file: file, process: process, number: number)
        let any = Key(file: nil, process: process, number: number)
        return newer[own] ?? older[own] ?? newer[any] ?? older[any]
    }

    func removeAll() { (newer, older, newerBytes) = ([:], [:], 0) }
}
