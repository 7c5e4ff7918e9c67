#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The system calls that reading needs, with errors as values.
enum SystemCalls {
    /// What the file system says of a path.
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

    /// The status of what a path leads to, or of the link itself.
    static func status(_ path: String, followLinks: Bool = true) -> Result<Status, ReadingError> {
        var info = stat()
        let code = followLinks ? stat(path, &info) : lstat(path, &info)
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
        guard let handle = opendir(folder) else { return .failure(error(errno, folder)) }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return .success(names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    /// The paths that a shell pattern stands for, sorted; empty when there are none.
    static func glob(_ pattern: String) -> [String] {
        var matches = glob_t()
        defer { globfree(&matches) }
        #if canImport(Darwin)
            let found = Darwin.glob(pattern, 0, nil, &matches)
        #elseif canImport(Musl)
            let found = Musl.glob(pattern, 0, nil, &matches)
        #else
            let found = Glibc.glob(pattern, 0, nil, &matches)
        #endif
        guard found == 0, let paths = matches.gl_pathv else { return [] }
        return (0..<Int(matches.gl_pathc)).compactMap { paths[$0].map { String(cString: $0) } }
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

/// What tells whether two paths lead to the same file.
package struct FileIdentity: Hashable, Sendable {
    private var device: UInt64
    private var inode: UInt64

    init(_ status: SystemCalls.Status) {
        device = status.device
        inode = status.inode
    }
}
