/// Opens the bytes of a source.
enum StreamOpener {
    static func open(
        _ source: SourceDescription, limits: ArchiveLimits
    ) throws(ReadingError) -> any ByteStream {
        switch source.location {
        case .standardInput:
            return FileStream(descriptor: 0, path: source.path)
        case .file(let path):
            return try FileStream(path: path)
        case .member(let archive, _):
            throw ReadingError(code: .unsuitable, path: archive, message: "archives cannot be read")
        }
    }
}
