import Foundation

/// Small files that users name, read as a whole.
public enum TextFile {
    /// - Throws: ``LifeStatsError`` when the file cannot be read.
    public static func read(_ path: String) throws -> String {
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
                "cannot read \(path)", why: exists && isFolder.boolValue ? "it is a folder" : reason(error))
        }
    }

    /// Everything on standard input.
    public static func readStandardInput() -> String {
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
