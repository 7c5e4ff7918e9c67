import Foundation

/// Small files that people name: read whole, written whole or not at all.
public enum TextFile {
    /// - Throws: ``LifeStatsError`` when the file cannot be read.
    public static func read(_ path: String) throws -> String {
        do {
            // Pipes and other files without a length, too.
            if isSpecial(path), let file = FileHandle(forReadingAtPath: path) {
                defer { try? file.close() }
                return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
            }
            return String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        } catch {
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            throw LifeStatsError(
                "cannot read \(path)", why: exists && isFolder.boolValue ? "it is a folder" : reason(error))
        }
    }

    /// Everything that standard input holds.
    public static func readStandardInput() -> String {
        String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self)
    }

    /// Writes a file beside its final place and renames it, so that nobody ever sees half of it. Links stay links, and
    /// what is no file (`/dev/stdout`, a named pipe) is written into.
    ///
    /// - Throws: ``LifeStatsError`` when the file cannot be written.
    public static func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
        do throws(SystemFile.Failure) {
            if isSpecial(path) {
                try SystemFile.fill(path, with: Array(bytes))
            } else {
                try SystemFile.replace(target(of: path), with: Array(bytes))
            }
        } catch {
            throw LifeStatsError(
                "cannot write \(path)", why: error.reason,
                remedy: "check that the folder exists, that you may write there, and that the disk has room")
        }
    }

    /// Whether it is neither a file nor a folder: a pipe, a device.
    private static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
    }

    /// Where links lead, also when there is nothing yet.
    private static func target(of path: String) -> String {
        var place = path
        for _ in 0..<40 {
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: place) else { break }
            let folder = URL(fileURLWithPath: place).deletingLastPathComponent()
            place = URL(fileURLWithPath: next, relativeTo: folder).path
        }
        return place
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
