import Foundation
import UnifiedLog

/// The files of a binary unified log: tracev3 files, the clocks of their boots, and their format strings.
protocol LogArchive: StringFiles {
    /// The `timesync` files, without bytes where they cannot be read.
    func timeSyncs() -> [(name: String, bytes: (any StringBytes)?)]
    /// Opens the tracev3 files.
    func traces() throws(ReadingError) -> [any TraceBytes]
    /// Files of strings that were wanted so far, and are there, but cannot be read.
    var unreadable: [MergedLog.Problem] { get }
}

extension MergedLog.Problem {
    /// A file that is there and cannot be read.
    static func unreadable(_ file: String) -> MergedLog.Problem {
        MergedLog.Problem(of: file, reason: "cannot be read: not a file, or not allowed")
    }
}

/// What a file in a log archive is for, by its name.
enum LogArchiveFile {
    case trace
    case timeSync
    /// Strings of an executable (`XX/30 digits`) or of a shared cache (`dsc/32 digits`).
    case strings

    /// Folders with tracev3 files, below the folder of the archive.
    static let traceFolders: Set<Substring> = ["Persist", "Special", "Signpost", "HighVolume"]

    private static let otherParts: Set = ["timesync", "uuidtext", "dsc", "Info.plist", "version.plist"]

    /// - Parameter path: the parts of the path.
    init?(_ path: [Substring]) {
        guard let name = path.last else { return nil }
        if name.hasSuffix(".tracev3") {
            self = .trace
        } else if name.hasSuffix(".timesync") {
            self = .timeSync
        } else if let folder = path.dropLast().last, name.allSatisfy(\.isHexDigit),
            folder == "dsc" && name.utf8.count == 32
                || folder.utf8.count == 2 && folder.allSatisfy(\.isHexDigit) && name.utf8.count == 30
        {
            self = .strings
        } else {
            return nil
        }
    }

    /// Whether what is so called in the folder of a log archive is read with its tracev3 files, or says nothing of apps.
    static func isPart(_ name: String) -> Bool {
        traceFolders.contains(name[...]) || otherParts.contains(name) || name.hasSuffix(".tracev3")
            || name.hasPrefix("logdata.statistics.") || name.utf8.count == 2 && name.allSatisfy(\.isHexDigit)
    }

    /// The folder of the log archive that a tracev3 file is in.
    static func root(ofTrace path: [Substring]) -> [Substring] {
        let folder = path.dropLast()
        return Array(folder.last.map(traceFolders.contains) == true ? folder.dropLast() : folder)
    }

    /// Where the format strings of an archive are: in it, below it, or beside it.
    static func stringFolders(of root: String) -> [String] { [root, root + "/uuidtext", root + "/../uuidtext"] }

    static func name(ofExecutable uuid: LogUUID) -> String { "\(uuid.digits.prefix(2))/\(uuid.digits.dropFirst(2))" }
    static func name(ofSharedCache uuid: LogUUID) -> String { "dsc/\(uuid.digits)" }
}

/// A log archive on disk: a `.logarchive`, or `diagnostics` beside `uuidtext`.
final class ArchiveFolder: LogArchive {
    /// The archive, and those that links in it lead to.
    private let folders: [String]
    private let paths: [String]
    private var unreadableStrings: Set<String> = []

    init(_ folder: String, traces: [String]) {
        paths = traces
        var folders = [folder]
        var seen: Set = [SystemCalls.resolved(folder)]
        for parent in Set(traces.map { Self.parent(of: SystemCalls.resolved($0)) }).sorted() {
            let home = Self.folder(ofTrace: parent + "/")
            if seen.insert(SystemCalls.resolved(home)).inserted { folders.append(home) }
        }
        self.folders = folders
    }

    func timeSyncs() -> [(name: String, bytes: (any StringBytes)?)] {
        folders.map { $0 + "/timesync" }.flatMap { folder -> [(name: String, bytes: (any StringBytes)?)] in
            switch Self.files(in: folder, ending: ".timesync") {
            case .success(let files): files.map { (name(of: $0), FileBytes($0)) }
            case .failure(let error): error.code == .missing ? [] : [(name(of: folder), nil)]
            }
        }
    }

    func traces() throws(ReadingError) -> [any TraceBytes] {
        // Of several files, one that cannot be read costs itself only.
        if paths.count == 1 { _ = try FileStream(path: paths[0]) }
        return paths.map { TraceFileBytes(path: $0, name: name(of: $0)) }
    }

    func uuidText(_ uuid: LogUUID) -> (any StringBytes)? { first(LogArchiveFile.name(ofExecutable: uuid)) }

    func sharedCache(_ uuid: LogUUID) -> (any StringBytes)? { first(LogArchiveFile.name(ofSharedCache: uuid)) }

    private func first(_ name: String) -> (any StringBytes)? {
        for path in folders.flatMap(LogArchiveFile.stringFolders).map({ "\($0)/\(name)" }) {
            if let file = FileBytes(path) { return file }
            if case .failure(let error) = SystemCalls.status(path), error.code != .denied { continue }
            unreadableStrings.insert(self.name(of: path))
        }
        return nil
    }

    var unreadable: [MergedLog.Problem] { unreadableStrings.sorted().map { .unreadable($0) } }

    /// What a file is called in messages: its path below the archive, as in an archive that is packed.
    private func name(of path: String) -> String {
        path.hasPrefix(folders[0] + "/") ? String(path.dropFirst(folders[0].count + 1)) : path
    }

    /// The tracev3 files of a folder that is a log archive, and its folders that cannot be read; `nil` when it is not one.
    static func traces(in folder: String) -> (files: [String], unreadable: [ReadingError])? {
        guard case .success(let names) = SystemCalls.names(in: folder) else { return nil }
        let traceFolders = names.filter { LogArchiveFile.traceFolders.contains($0[...]) }
        guard
            folder.hasSuffix(".logarchive") || folder.hasSuffix(".logarchive/")
                || names.contains("timesync") && (!traceFolders.isEmpty || names.contains { $0.hasSuffix(".tracev3") })
        else { return nil }
        var traces: [String] = []
        var unreadable: [ReadingError] = []
        for folder in [folder] + traceFolders.map({ "\(folder)/\($0)" }) {
            switch files(in: folder, ending: ".tracev3") {
            case .success(let files): traces += files
            case .failure(let error): unreadable.append(error)
            }
        }
        return traces.isEmpty ? nil : (traces, unreadable)
    }

    /// Where the files that belong to a tracev3 file are: beside it or above.
    static func folder(ofTrace path: String) -> String {
        var folder = path
        for _ in 0..<3 {
            let slash = folder.lastIndex(of: "/")
            folder = slash.map { String(folder[..<$0]) } ?? "."
            if case .success(let names) = SystemCalls.names(in: folder.isEmpty ? "/" : folder),
                !Set(names).isDisjoint(with: ["timesync", "uuidtext", "dsc"])
            {
                return folder
            }
            if slash == nil { break }
        }
        return parent(of: path)
    }

    private static func parent(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }

    private static func files(in folder: String, ending: String) -> Result<[String], ReadingError> {
        SystemCalls.names(in: folder).map { names in
            names.filter { $0.hasSuffix(ending) }.map { "\(folder)/\($0)" }
        }
    }
}

/// The bytes of one tracev3 file on disk. It is opened for every read: a log archive may have more files than may be open.
private struct TraceFileBytes: TraceBytes {
    let path: String
    let name: String

    func bytes(at offset: Int, count: Int) throws -> [UInt8] {
        do throws(ReadingError) {
            return try FileStream(path: path).bytes(in: Int64(offset)..<Int64(offset) + Int64(count))
        } catch {
            // The name is said beside it.
            throw ReadingError(code: error.code, path: "", message: error.message)
        }
    }
}

/// A file that is read at any place.
private struct FileBytes: StringBytes {
    private let stream: FileStream
    let count: Int

    /// - Returns: `nil` when there is no such file.
    init?(_ path: String) {
        guard case .success(let status) = SystemCalls.status(path), status.kind == .file,
            let stream = try? FileStream(path: path)
        else { return nil }
        self.stream = stream
        count = Int(clamping: status.size)
    }

    func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8> {
        guard offset >= 0, offset < self.count, count > 0 else { return [] }
        let end = offset + min(count, self.count - offset)
        return (try? stream.bytes(in: Int64(offset)..<Int64(end)))?[...] ?? []
    }
}

/// A file of a log archive that is a member of an archive, such as a sysdiagnose.
package struct PackedFile: Sendable, Hashable {
    /// Its path below the folder of the log archive; of format strings `XX/…` or `dsc/…`.
    var name: String
    /// Its place in the archive: see ``SourceDescription/Location/member(archive:place:)``.
    var place: [Int]
    var isTrace: Bool
}

/// A log archive inside an archive.
///
/// An archive can be read only from front to back, and several files of a log archive are read at a time. So they are copied
/// to one temporary file that has no name any more: it is gone with the process, however that ends.
final class PackedLogArchive: LogArchive {
    private let files: [PackedFile]
    private let spool: SpoolFile
    private var parts: [String: SpoolPart] = [:]

    /// Copies the files, in the order of the archive.
    ///
    /// - Throws: ``ReadingError`` when the archive cannot be read, expands too far, or the temporary folder is full.
    init(
        _ archive: String, _ files: [PackedFile], path: String, policy: ArchivePolicy
    ) throws(ReadingError) {
        self.files = files
        spool = try SpoolFile(for: path)
        for file in files.sorted(by: { $0.place.lexicographicallyPrecedes($1.place) }) {
            let stream = try ArchiveStream(archive: archive, place: file.place, path: path, policy: policy)
            parts[file.name] = try spool.append(stream)
        }
    }

    func timeSyncs() -> [(name: String, bytes: (any StringBytes)?)] {
        files.map(\.name).filter { $0.hasSuffix(".timesync") }.map { ($0, parts[$0]) }
    }

    var unreadable: [MergedLog.Problem] { [] }

    func traces() -> [any TraceBytes] {
        files.filter(\.isTrace).compactMap { file in parts[file.name].map { TracePart(name: file.name, part: $0) } }
    }

    func uuidText(_ uuid: LogUUID) -> (any StringBytes)? { parts[LogArchiveFile.name(ofExecutable: uuid)] }

    func sharedCache(_ uuid: LogUUID) -> (any StringBytes)? { parts[LogArchiveFile.name(ofSharedCache: uuid)] }
}

/// A temporary file without a name.
private final class SpoolFile {
    private let descriptor: Int32
    private let path: String
    private var size: off_t = 0

    /// - Parameter path: what is read; for errors.
    init(for path: String) throws(ReadingError) {
        self.path = path
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(folder)/lifestats-XXXXXX".utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw Self.failure(path) }
        unlink(template)
    }

    deinit { close(descriptor) }

    private static func failure(_ path: String) -> ReadingError {
        ReadingError(
            code: .io, path: path,
            message: """
                cannot be copied to the temporary folder: \(String(cString: strerror(errno))); set TMPDIR to a folder \
                with enough space
                """)
    }

    /// Appends all bytes of a stream.
    func append(_ stream: ArchiveStream) throws(ReadingError) -> SpoolPart {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { room.deallocate() }
        let start = size
        while case let got = try stream.read(into: room), got > 0 {
            var written = 0
            while written < got {
                let rest = UnsafeRawBufferPointer(rebasing: room[written..<got])
                let count = pwrite(descriptor, rest.baseAddress, rest.count, size)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw Self.failure(path) }
                written += count
                size += off_t(count)
            }
        }
        return SpoolPart(file: self, start: start, count: Int(size - start))
    }

    /// Bytes from an offset, fewer at the end.
    func bytes(at offset: off_t, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            while filled < count {
                let rest = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: room[filled..<count]))
                let got = pread(descriptor, rest.baseAddress, rest.count, offset + off_t(filled))
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { return }
                filled += got
            }
        }
    }
}

/// One file in the temporary file.
private struct SpoolPart: StringBytes {
    let file: SpoolFile
    let start: off_t
    let count: Int

    func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8> {
        guard offset >= 0, offset < self.count, count > 0 else { return [] }
        return file.bytes(at: start + off_t(offset), count: min(count, self.count - offset))[...]
    }
}

private struct TracePart: TraceBytes {
    let name: String
    let part: SpoolPart

    func bytes(at offset: Int, count: Int) -> [UInt8] { Array(part.bytes(at: offset, count: count)) }
}
