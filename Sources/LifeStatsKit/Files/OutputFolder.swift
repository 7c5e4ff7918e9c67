import Foundation

/// A folder that a command writes as a whole: it is filled beside the target and renamed at the end, so that a failure
/// leaves nothing.
final class OutputFolder {
    private let path: String
    private let draft: String
    private var folders: Set<String> = []
    private var isFinished = false

    /// - Parameter path: the folder, which must not exist or be empty.
    /// - Throws: ``LifeStatsError`` when it holds anything, or cannot be made.
    init(_ path: String) throws {
        self.path = path
        let url = URL(fileURLWithPath: path).standardizedFileURL
        draft = url.deletingLastPathComponent().path + "/.\(url.lastPathComponent.prefix(200)).\(getpid())"
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
            let content = try? FileManager.default.contentsOfDirectory(atPath: path)
            guard isFolder.boolValue, content?.isEmpty == true else {
                throw LifeStatsError(
                    "will not write to \(path)", why: isFolder.boolValue ? "it is not empty" : "it is a file",
                    remedy: "name a folder that does not exist yet; nothing was changed")
            }
        }
        try Self.makeFolder(draft, named: path)
    }

    deinit { if !isFinished { try? FileManager.default.removeItem(atPath: draft) } }

    /// Opens a file of the folder.
    ///
    /// - Parameter name: its path in the folder.
    func open(_ name: String) throws -> SystemFile.Sink {
        let file = "\(draft)/\(name)"
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        if folders.insert(folder).inserted { try Self.makeFolder(folder, named: path) }
        return try reporting { try SystemFile.Sink(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666) }
    }

    /// Closes a file of the folder.
    func close(_ file: SystemFile.Sink) throws { try reporting { try file.close(syncing: true) } }

    /// Gives the folder its name.
    func finish() throws {
        try reporting { if rename(draft, path) != 0 { throw SystemFile.Failure(errno) } }
        isFinished = true
    }

    private func reporting<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as SystemFile.Failure {
            throw Self.error(path, error.reason)
        }
    }

    private static func makeFolder(_ folder: String, named path: String) throws {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw Self.error(path, "\((error as NSError).localizedDescription)")
        }
    }

    private static func error(_ path: String, _ reason: String) -> LifeStatsError {
        LifeStatsError(
            "cannot write \(path)", why: reason,
            remedy: "check that you may write to the folder around it, and that the disk has room")
    }
}
