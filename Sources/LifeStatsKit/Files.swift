import Foundation
import LogReading
import Reports
import Synchronization
import TraceRecords
import TraceStore

/// Small files that users name, read as a whole.
enum TextFile {
    /// - Throws: ``LifeStatsError`` when the file cannot be read.
    static func read(_ path: String) throws -> String {
        do {
            // Pipes and other files without a length, too.
            if SystemFile.isSpecial(path), let file = FileHandle(forReadingAtPath: path) {
                defer { try? file.close() }
                return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
            }
            return String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        } catch {
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            throw LifeStatsError(
                "cannot read \(path)", why: exists && isFolder.boolValue ? "it is a folder" : reason(error),
                remedy: exists ? nil : NearestPath.question(path) ?? "check its name, and the folder that you are in")
        }
    }

    /// Everything on standard input.
    static func readStandardInput() -> String {
        String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self)
    }

    private static func reason(_ error: any Error) -> String {
        let cocoa = error as NSError
        if let underlying = cocoa.userInfo[NSUnderlyingErrorKey] as? NSError, underlying.domain == NSPOSIXErrorDomain {
            return String(cString: strerror(Int32(underlying.code)))
        }
        switch cocoa.code {
        case NSFileReadNoSuchFileError, NSFileNoSuchFileError: return "there is no such file or folder"
        case NSFileReadNoPermissionError: return "permission denied"
        default: return cocoa.localizedDescription
        }
    }
}

/// Names of files, which are bytes.
public enum FileName {
    /// The text that stands for a name: bytes that are not UTF-8 are spelled `%FF`, and found again by that spelling.
    public static func text(of bytes: UnsafePointer<CChar>) -> String { PathSpelling.text(of: bytes) }
}

/// A file that a command writes.
///
/// It never replaces what answers are made from: the database, another SQLite file, a log that was ingested, under
/// whatever name, or another one. Other files are replaced as a whole: the new content is written beside the target and
/// renamed, so that a failure leaves the old one. Links stay links, and devices and pipes are written into.
public struct OutputFile: Sendable {
    private let path: String

    /// - Parameters:
    ///   - path: where to write.
    ///   - database: the database of the command; it need not exist.
    /// - Throws: ``LifeStatsError`` when writing there would destroy something.
    public init(_ path: String, database: String?) throws {
        self.path = path
        if path == "-" {
            throw LifeStatsError(
                "will not write to -", why: "this output cannot go to standard output", remedy: "name a file, or ./-")
        }
        guard !SystemFile.isSpecial(path) else { return }
        try Self.protect(Location(path), named: path, database: database)
        if let log = Self.layout(ofLog: path) {
            throw Self.refusal(path, "it is a log (format \(log))")
        }
    }

    /// Refuses a redirection of standard output (`>>`) into the database or an ingested log.
    ///
    /// - Throws: ``LifeStatsError`` when standard output is such a file.
    public static func requireHarmlessStandardOutput(database: String?) throws {
        var status = stat()
        guard fstat(STDOUT_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        try protect(Location(status), named: "standard output", database: database)
    }

    /// Requires that there is a folder for a file, before the work begins.
    ///
    /// - Parameter path: where to write; `nil` for standard output.
    /// - Throws: ``LifeStatsError`` when there is none.
    public static func requireFolder(of path: String?) throws {
        guard let path else { return }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        if !FileManager.default.fileExists(atPath: folder) { throw failure(path, SystemFile.Failure(ENOENT)) }
    }

    /// Replaces the content of the file.
    ///
    /// - Throws: ``LifeStatsError`` when the file cannot be written; its old content is then intact.
    public func write(_ bytes: some Sequence<UInt8>) throws { try write { $0(Array(bytes)) } }

    /// Replaces the content of the file piece by piece.
    ///
    /// - Throws: ``LifeStatsError`` when the file cannot be written, or what `body` throws; the old content is then intact.
    public func write(_ body: (_ append: @escaping ([UInt8]) -> Void) throws -> Void) throws {
        do {
            if SystemFile.isSpecial(path) {
                try SystemFile.fill(path, body)
            } else {
                try SystemFile.replace(Self.target(of: path), body)
            }
        } catch let error as SystemFile.Failure {
            throw Self.failure(path, error)
        }
    }

    private static func failure(_ path: String, _ failure: SystemFile.Failure) -> LifeStatsError {
        LifeStatsError(
            "cannot write \(path)", why: failure.reason,
            remedy: "check that the folder exists, that you may write to it, and that the disk has room")
    }

    // MARK: - What must not be replaced

    /// What a path leads to: the file itself, under any of its names, and the name, also where there is no file yet.
    private struct Location {
        var device: UInt64?
        var file: UInt64?
        var name: String?

        init(_ path: String) {
            let target = OutputFile.target(of: path)
            var status = stat()
            if stat(target, &status) == 0 {
                (device, file) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
            }
            let url = URL(fileURLWithPath: target)
            name = url.deletingLastPathComponent().resolvingSymlinksInPath().path + "/" + url.lastPathComponent
        }

        init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            file = UInt64(status.st_ino)
        }

        /// Whether it is of the name of a source and still begins with what was read: the path of a source does not say from
        /// which folder it was read.
        func holds(_ source: String, _ fingerprint: String) -> Bool {
            guard file != nil, let name, let mark = SourceFingerprint(text: fingerprint), mark.length > 0,
                URL(fileURLWithPath: name).lastPathComponent == URL(fileURLWithPath: source).lastPathComponent
            else { return false }
            return InputFinder.find([name]).sources.contains { found in
                (try? mark.relation(to: found)).map { $0 != .replaced } ?? false
            }
        }

        func isSame(as other: Location) -> Bool {
            if let file, let known = other.file { return file == known && device == other.device }
            return name != nil && name == other.name
        }
    }

    private static func protect(_ target: Location, named path: String, database: String?) throws {
        func refuse(_ why: String) throws { throw refusal(path, why) }
        if let database {
            for suffix in ["", "-wal", "-shm", "-journal", "-writer"]
            where target.isSame(as: Location(OutputFile.target(of: database) + suffix)) {
                try refuse(suffix.isEmpty ? "it is the database \(database)" : "it belongs to the database \(database)")
            }
        }
        if target.name != nil, isSQLite(path) { try refuse("it is a SQLite database") }
        guard let database, let reader = try? TraceReader(path: database) else { return }
        var source: String?
        try LifeStatsError.translated {
            _ = try reader.query("SELECT path, fingerprint FROM sources") { row in
                // A member of an archive is named ARCHIVE!/MEMBER.
                guard source == nil, let name = row.text(0), let file = name.split(separator: "!/").first else {
                    return
                }
                if target.isSame(as: Location(String(file))) || target.holds(String(file), row.text(1) ?? "") {
                    source = name
                }
            }
        }
        guard let source else { return }
        let isForOneCommand = TemporaryFiles.isFolderHeld(of: database)
        try refuse((isForOneCommand ? "it is one of the logs" : "\(database) was made from it") + " (source \(source))")
    }

    private static func refusal(_ path: String, _ why: String) -> LifeStatsError {
        LifeStatsError(
            "will not write to \(path)", why: why, remedy: "choose another name for the output; nothing was changed")
    }

    /// The format of a file that begins as a log does, with times; `nil` for other files, and for markup and pictures, which
    /// commands write as well. What they write as JSON is no format of logs.
    private static func layout(ofLog path: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard let first = try? file.read(upToCount: 1)?.first, first < 0x80, !"<%".utf8.contains(first),
            let catalog = try? LayoutCatalog.builtIn(), let source = InputFinder.find([path]).sources.first
        else { return nil }
        let found = try? FormatExplanation.explain(source, catalog: catalog, bytes: 1 << 16)
        // A layout of JSON is specific enough without a time; lines without a layout may be anything.
        return found?.attempts.first { attempt in
            attempt.entries > 0
                && ("{[".utf8.contains(first) && attempt.layout != "bare"
                    || attempt.samples.contains { $0.reading.time != nil })
        }?.layout
    }

    static func isSQLite(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        return (try? file.read(upToCount: 16)) == Data("SQLite format 3\0".utf8)
    }

    /// Where links lead, also where there is nothing yet.
    fileprivate static func target(of path: String) -> String {
        var place = path
        for _ in 0..<40 {
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: place) else { break }
            let folder = URL(fileURLWithPath: place).deletingLastPathComponent()
            place = URL(fileURLWithPath: next, relativeTo: folder).path
        }
        return place
    }
}

/// Writes files by system calls, whose errors are exact: Foundation reports a file that may not grow as an unknown error.
enum SystemFile {
    /// Why the system refused.
    struct Failure: Error {
        var reason: String

        /// The text of an error number.
        init(_ code: Int32) {
            reason =
                switch code {
                case EFBIG: "the file would be larger than a limit allows (File too large)"
                case EDQUOT: "the disk quota is used up (Disk quota exceeded)"
                default: String(cString: strerror(code))
                }
        }
    }

    /// Writes a file next to the target, syncs it to the disk, and renames it. On failure, the old content is intact and
    /// nothing is left.
    static func replace(_ path: String, _ body: (@escaping ([UInt8]) -> Void) throws -> Void) throws {
        let url = URL(fileURLWithPath: path)
        let draft = url.deletingLastPathComponent().path + "/.\(url.lastPathComponent.prefix(200)).\(getpid())"
        let sink = try TemporaryFiles.hold(draft) { try Sink(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o666) }
        do {
            try body(sink.append)
            try sink.close(syncing: true)
            var known = stat()
            if stat(path, &known) == 0 { chmod(draft, known.st_mode & 0o7777) }
            guard rename(draft, path) == 0 else { throw Failure(errno) }
            TemporaryFiles.keep(draft)
        } catch {
            TemporaryFiles.remove(draft)
            throw error
        }
    }

    /// Writes a new file, whole or not at all, with these permissions.
    static func create(_ path: String, with bytes: [UInt8], mode: mode_t = 0o666) throws(Failure) {
        let sink = try Sink(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode)
        sink.append(bytes)
        do throws(Failure) {
            try sink.close(syncing: true)
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Writes into a device or a pipe.
    static func fill(_ path: String, _ body: (@escaping ([UInt8]) -> Void) throws -> Void) throws {
        let sink = try Sink(path, O_WRONLY, 0)
        try body(sink.append)
        try sink.close(syncing: false)
    }

    /// Whether it is neither a file nor a folder: a pipe, a device.
    static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
    }

    /// Writes all bytes to an open file; returns the number of an error.
    static func write(_ bytes: [UInt8], to file: Int32) -> Int32? {
        bytes.withUnsafeBytes { room in
            var rest = UnsafeRawBufferPointer(room)
            while !rest.isEmpty {
                let count = Foundation.write(file, rest.baseAddress, rest.count)
                if count >= 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                } else if errno != EINTR, errno != EAGAIN {
                    return errno
                }
            }
            return nil
        }
    }

    /// An open file. After a failure, further bytes are dropped.
    final class Sink {
        private var file: Int32
        private var failure: Failure?

        init(_ path: String, _ flags: Int32, _ mode: mode_t) throws(Failure) {
            file = open(path, flags | O_CLOEXEC, mode)
            guard file >= 0 else { throw Failure(errno) }
        }

        deinit { if file >= 0 { _ = Foundation.close(file) } }

        func append(_ bytes: [UInt8]) {
            if failure == nil { failure = SystemFile.write(bytes, to: file).map { Failure($0) } }
        }

        func close(syncing: Bool) throws(Failure) {
            if failure == nil, syncing, fsync(file) != 0 { failure = Failure(errno) }
            // Some file systems report only now that there is no room.
            if Foundation.close(file) != 0, failure == nil { failure = Failure(errno) }
            file = -1
            if let failure { throw failure }
        }
    }
}

/// A folder that a command writes as a whole: it is filled beside the target and renamed at the end, so that a failure
/// leaves nothing.
///
/// Several threads may fill it.
final class OutputFolder: Sendable {
    private let path: String
    private let draft: String
    private let folders = Mutex<Set<String>>([])
    private let isFinished = Mutex(false)

    /// - Parameter path: the folder, which must not exist or be empty.
    /// - Throws: ``LifeStatsError`` when it holds anything, or cannot be made.
    init(_ path: String) throws {
        self.path = path
        if path == "-" {
            throw LifeStatsError("will not write to -", why: "the result is a folder", remedy: "name a folder, or ./-")
        }
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
        try TemporaryFiles.hold(draft) { try Self.makeFolder(draft, named: path) }
    }

    deinit { if !isFinished.withLock(\.self) { TemporaryFiles.remove(draft) } }

    /// Opens a file of the folder.
    ///
    /// - Parameter name: its path in the folder.
    func open(_ name: String) throws -> SystemFile.Sink {
        let file = "\(draft)/\(name)"
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        return try TemporaryFiles.uninterrupted {
            try folders.withLock { if $0.insert(folder).inserted { try Self.makeFolder(folder, named: path) } }
            return try reporting { try SystemFile.Sink(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666) }
        }
    }

    func close(_ file: SystemFile.Sink) throws { try reporting { try file.close(syncing: true) } }

    /// Gives the folder its name.
    func finish() throws {
        try TemporaryFiles.uninterrupted {
            try reporting { if rename(draft, path) != 0 { throw SystemFile.Failure(errno) } }
        }
        isFinished.withLock { $0 = true }
        TemporaryFiles.keep(draft)
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

/// The terminal of the program.
public enum Terminal {
    /// Whether standard output is a terminal that can move its cursor.
    static var canMoveCursor: Bool {
        isatty(STDOUT_FILENO) == 1
            && ProcessInfo.processInfo.environment["TERM"].map { !$0.isEmpty && $0 != "dumb" } ?? false
    }

    /// Columns and rows; `nil` where there is no terminal, or hardly one.
    public static var size: (width: Int, height: Int)? { size(of: STDOUT_FILENO) }

    private static func size(of descriptor: Int32) -> (width: Int, height: Int)? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// A message to the user as standard error shows it: safe, and broken between words where that is a terminal.
    public static func message(_ text: String) -> String {
        let safe = TerminalText.safe(text)
        return size(of: STDERR_FILENO).map { WrappedList.message(safe, width: $0.width) } ?? safe
    }

    /// How many columns a table may take: those of the terminal, or else `$COLUMNS`; `nil` where neither is known.
    public static var width: Int? {
        size?.width ?? ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 20 ? $0 : nil }
    }

    /// Writes all bytes to standard output, or to another open file, as long as somebody takes them; returns the number of
    /// an error.
    @discardableResult
    public static func write(_ bytes: [UInt8], to descriptor: Int32 = 1) -> Int32? {
        SystemFile.write(bytes, to: descriptor)
    }

    static func write(_ text: String) { write(Array(text.utf8)) }
}

extension TableOptions {
    /// A table that fits the terminal, where there is one.
    static var ofTerminal: TableOptions { TableOptions(width: Terminal.width) }
}

/// Text that is safe to show on a terminal. Everything a command prints there passes through here: names of files,
/// members of archives, devices and classes come from logs, and may hold escape sequences.
public enum TerminalText {
    /// The text with every control character made visible. Lines stay lines.
    ///
    /// - Parameter allowsColors: whether codes of colour and weight (`ESC [ 31 m`) stay, as lifestats prints them.
    public static func safe(_ text: String, allowsColors: Bool = false) -> String {
        if text.utf8.allSatisfy({ ($0 >= 0x20 && $0 < 0x7F) || $0 == 0x0A }) { return text }
        // Of two characters that are one to Swift ("\r\n"), the first goes: on a terminal they are one line end.
        return text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
            .map { allowsColors ? colored($0) : VisibleText.neutralised(String($0)) }.joined(separator: "\n")
    }

    /// A line without control characters, except for codes of colour and weight.
    private static func colored(_ line: Substring) -> String {
        var safe = ""
        var rest = line
        while let code = rest.firstMatch(of: /\u{1B}\[[0-9;]*m/) {
            safe += VisibleText.neutralised(String(rest[..<code.range.lowerBound])) + code.output
            rest = rest[code.range.upperBound...]
        }
        return safe + VisibleText.neutralised(String(rest))
    }
}
