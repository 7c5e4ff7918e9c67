import Foundation
import Synchronization

/// A database that lives as long as one command.
public enum TemporaryDatabase {
    private static let folders = Mutex<Set<String>>([])
    private static let isWatched: Void = { _ = atexit { TemporaryDatabase.removeAll() } }()

    /// Runs something with the path of a database that does not exist yet, and removes the database afterwards.
    ///
    /// - Throws: ``LifeStatsError`` when no folder can be made for it, or what `body` throws.
    static func with<T>(_ body: (String) throws -> T) throws -> T {
        let folder = FileManager.default.temporaryDirectory.path + "/lifestats-\(UUID().uuidString)"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            throw LifeStatsError(
                "cannot make the temporary folder \(folder)", why: String(cString: strerror(errno)),
                remedy: "set TMPDIR to a folder with room, or keep what is read with --db FILE")
        }
        _ = isWatched
        folders.withLock { _ = $0.insert(folder) }
        defer { remove(folder) }
        return try body(folder + "/lifestats.db")
    }

    private static func remove(_ folder: String) {
        try? FileManager.default.removeItem(atPath: folder)
        folders.withLock { _ = $0.remove(folder) }
    }

    /// Removes the temporary databases of this process, which is about to end.
    public static func removeAll() {
        for folder in folders.withLock(\.self) { remove(folder) }
    }
}
