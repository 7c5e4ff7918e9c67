/// Finds the format strings and image paths of records, and keeps what was parsed.
///
/// One reading owns it: it is not for use from several threads.
package final class StringCatalog {
    private struct Key: Hashable {
        var file: LogUUID
        var reference: UInt64
        var isDynamic: Bool
        var isSharedCache: Bool
    }

    /// A parsed format with the image that it is of.
    final class Found {
        let format: FormatString?
        let image: LogName

        init(_ format: FormatString?, _ image: LogName) {
            self.format = format
            self.image = image
        }
    }

    /// The most formats, their size in bytes, and the most names and files that are kept.
    private static let mostFormats = 65_536
    private static let mostFormatBytes = 16 << 20
    private static let mostNames = 8192
    private static let mostFiles = 64

    private let files: any StringFiles
    private let nothing = Found(nil, .unknown)
    private var executables: [LogUUID: UUIDText?] = [:]
    private var names: [LogUUID: LogName] = [:]
    private var imageNames: [String: LogName] = [:]
    private var sharedCaches: [LogUUID: SharedCacheStrings?] = [:]
    private var formats: [Key: Found] = [:]
    private var formatBytes = 0
    /// The formats of the last records, by the lowest bits of their references: a few of them make up most of a log.
    private var recent: [(key: Key, found: Found)?] = Array(repeating: nil, count: 1024)

    package init(_ files: any StringFiles) { self.files = files }

    /// The name of an executable; unknown when its file is not there.
    func name(of uuid: LogUUID) -> LogName {
        if let known = names[uuid] { return known }
        let name = executable(uuid).map { LogName($0.path) } ?? .unknown
        if names.count >= Self.mostNames { names.removeAll() }
        names[uuid] = name
        return name
    }

    private func name(ofImage path: String) -> LogName {
        if let known = imageNames[path] { return known }
        let name = LogName(path)
        if imageNames.count >= Self.mostNames { imageNames.removeAll() }
        imageNames[path] = name
        return name
    }

    /// The format string that a record refers to.
    func find(_ point: borrowing Tracepoint, of process: Catalog.Process) -> Found {
        guard let strings = point.strings, let file = file(of: point, strings, process) else {
            return nothing
        }
        let isSharedCache = strings == .sharedCache || strings == .largeSharedCache
        let key = Key(
            file: file, reference: point.reference, isDynamic: point.isDynamic, isSharedCache: isSharedCache)
        let slot = Int(truncatingIfNeeded: key.reference ^ key.file.low) & (recent.count - 1)
        if let last = recent[slot], last.key == key { return last.found }
        let known = formats[key]
        let found = known ?? (isSharedCache ? inSharedCache(key) : inExecutable(key))
        recent[slot] = (key, found)
        if known == nil { keep(found, as: key) }
        return found
    }

    private func keep(_ found: Found, as key: Key) {
        if formats.count >= Self.mostFormats || formatBytes >= Self.mostFormatBytes {
            formats.removeAll(keepingCapacity: true)
            formatBytes = 0
            for slot in recent.indices { recent[slot] = nil }
        }
        formats[key] = found
        formatBytes += found.format?.byteCount ?? 0
    }

    private func file(of point: borrowing Tracepoint, _ strings: Tracepoint.Strings, _ process: Catalog.Process)
        -> LogUUID?
    {
        switch strings {
        case .executable: process.executable
        case .sharedCache, .largeSharedCache: process.sharedCache
        case .uuid: point.uuid
        case .absolute: process.image(at: point.address)
        }
    }

    private func inExecutable(_ key: Key) -> Found {
        guard let text = executable(key.file) else { return nothing }
        let format = key.isDynamic ? FormatString.plainText : text.string(at: key.reference)
        return Found(format.map(FormatString.init), name(of: key.file))
    }

    private func inSharedCache(_ key: Key) -> Found {
        let found = sharedCache(key.file)?.string(at: key.reference, isDynamic: key.isDynamic)
        return Found(found?.format.map(FormatString.init), found.map { name(ofImage: $0.path) } ?? .unknown)
    }

    private func executable(_ uuid: LogUUID) -> UUIDText? {
        if let known = executables[uuid] { return known }
        if executables.count >= Self.mostFiles { executables.removeAll() }
        let file = files.uuidText(uuid).flatMap(UUIDText.init)
        executables[uuid] = .some(file)
        return file
    }

    private func sharedCache(_ uuid: LogUUID) -> SharedCacheStrings? {
        if let known = sharedCaches[uuid] { return known }
        // Each is several MiB.
        if sharedCaches.count >= 2 { sharedCaches.removeAll() }
        let file = files.sharedCache(uuid).flatMap(SharedCacheStrings.init)
        sharedCaches[uuid] = .some(file)
        return file
    }
}
