import Foundation
import TraceRecords

/// The system calls that reading needs, with errors as values.
enum SystemCalls {
    /// What the file system knows about a path.
    struct Status {
        enum Kind { case file, directory, pipe, socket, characterDevice, blockDevice, other }

        var kind: Kind
        var size: Int64
        /// Device and number: two paths with the same pair are the same file.
        var device: UInt64
        var inode: UInt64
        /// How many paths lead to it; 0 for an open file that was deleted.
        var links: UInt64

        /// Whether it is of the same file, with as many bytes.
        func isSameContent(as other: Status) -> Bool {
            FileIdentity(self) == FileIdentity(other) && size == other.size
        }
    }

    /// The status of what a path leads to.
    static func status(_ path: String) -> Result<Status, ReadingError> {
        var info = stat()
        let code = PathSpelling.withBytes(of: path) { stat($0, &info) }
        guard code == 0 else { return .failure(error(errno, path)) }
        return .success(status(of: info))
    }

    /// The status of an open file.
    static func status(descriptor: Int32, path: String) -> Result<Status, ReadingError> {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { return .failure(error(errno, path)) }
        return .success(status(of: info))
    }

    private static func status(of info: stat) -> Status {
        let kind: Status.Kind =
            switch info.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            case S_IFIFO: .pipe
            case S_IFSOCK: .socket
            case S_IFCHR: .characterDevice
            case S_IFBLK: .blockDevice
            default: .other
            }
        return Status(
            kind: kind, size: Int64(info.st_size), device: UInt64(truncatingIfNeeded: info.st_dev),
            inode: UInt64(info.st_ino), links: UInt64(info.st_nlink))
    }

    /// The names in a folder, sorted by their bytes, without `.` and `..`.
    static func names(in folder: String) -> Result<[String], ReadingError> {
        guard let handle = PathSpelling.withBytes(of: folder, opendir) else { return .failure(error(errno, folder)) }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 1) { PathSpelling.text(of: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return .success(names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    /// The path that a path leads to through links; the path itself where it leads nowhere.
    static func resolved(_ path: String) -> String {
        guard let whole = PathSpelling.withBytes(of: path, { realpath($0, nil) }) else { return path }
        defer { free(whole) }
        return PathSpelling.text(of: whole)
    }

    /// The paths that match a shell pattern, sorted; empty when there are none.
    static func glob(_ pattern: String) -> [String] {
        var matches = glob_t()
        defer { globfree(&matches) }
        guard Foundation.glob(pattern, 0, nil, &matches) == 0, let paths = matches.gl_pathv else { return [] }
        return (0..<Int(matches.gl_pathc)).compactMap { paths[$0].map { PathSpelling.text(of: $0) } }
    }

    /// An error number of the system, as a reading error.
    static func error(_ number: Int32, _ path: String) -> ReadingError {
        switch number {
        case ENOENT, ENOTDIR:
            ReadingError(code: .missing, path: path, message: "no such file or folder; check the spelling")
        case EACCES, EPERM:
            ReadingError(
                code: .denied, path: path, message: "reading it is not allowed; give read permission (chmod +r)")
        default:
            ReadingError(code: .io, path: path, message: "cannot be read: \(String(cString: strerror(number)))")
        }
    }
}

/// What a path that leads nowhere was probably meant to be.
package enum NearestPath {
    /// A question to the user, with one path that exists; `nil` when nothing is near.
    package static func question(_ path: String) -> String? {
        var found = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/").map(String.init) {
            var name = part
            if case .failure = SystemCalls.status(found + part) {
                guard case .success(let names) = SystemCalls.names(in: found.isEmpty ? "." : found),
                    let near = Suggestion.nearest(to: part, among: names, byWords: false).first
                else { return nil }
                name = near
            }
            found += (found.isEmpty || found.hasSuffix("/") ? "" : "/") + name
        }
        return found == path ? nil : "did you mean \(found)?"
    }
}

/// Identifies a file, whatever path leads to it.
package struct FileIdentity: Hashable, Sendable {
    private var device: UInt64
    private var inode: UInt64

    init(_ status: SystemCalls.Status) {
        device = status.device
        inode = status.inode
    }
}

/// How paths are spelled as text: bytes that are not UTF-8 as `%FF`. Files are found by that spelling.
package enum PathSpelling {
    /// The text of a path: its UTF-8, and the hexadecimal digits of every byte that is not.
    package static func text(of path: UnsafePointer<CChar>) -> String {
        if let text = String(validatingCString: path) { return text }
        let bytes = UnsafeRawBufferPointer(start: path, count: strlen(path))
        var text = ""
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var at = 0
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let encoded):
                text.unicodeScalars.append(Unicode.UTF8.decode(encoded))
                at += encoded.count
            case .error(let length):
                for byte in bytes[at..<at + length] { text += "%" + String(byte, radix: 16, uppercase: true) }
                at += length
            case .emptyInput: return text
            }
        }
    }

    /// Calls `body` with the bytes of the file that a path leads to: as it is written, or with the spelled bytes.
    static func withBytes<Result>(of path: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
        if path.utf8.contains(UInt8(ascii: "%")) {
            var info = stat()
            if lstat(path, &info) != 0, errno == ENOENT, let bytes = unspelled(path) {
                return bytes.withUnsafeBufferPointer { buffer in
                    buffer.baseAddress.map(body) ?? path.withCString(body)
                }
            }
        }
        return path.withCString(body)
    }

    /// The bytes of a path with those that are spelled, as a C string; `nil`: none is.
    private static func unspelled(_ path: String) -> [CChar]? {
        var bytes: [UInt8] = []
        var rest = Substring(path)[...]
        while let percent = rest.firstIndex(of: "%") {
            bytes += Array(rest[..<percent].utf8)
            let digits = rest[rest.index(after: percent)...].prefix(2)
            // Only bytes that can't be UTF-8 by themselves are spelled.
            if digits.utf8.count == 2, let byte = UInt8(digits, radix: 16), byte >= 0x80 {
                bytes.append(byte)
                rest = rest[digits.endIndex...]
            } else {
                bytes.append(UInt8(ascii: "%"))
                rest = rest[rest.index(after: percent)...]
            }
        }
        bytes += Array(rest.utf8)
        guard bytes.count < path.utf8.count else { return nil }
        return bytes.map { CChar(bitPattern: $0) } + [0]
    }
}
