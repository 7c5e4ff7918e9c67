/// Gives the files that hold the format strings of executables and of the shared cache.
package protocol StringFiles {
    /// The file `uuidtext/XX/YYYY…` of an executable or library.
    func uuidText(_ uuid: LogUUID) -> [UInt8]?
    /// The file `uuidtext/dsc/XXXX…` of a shared cache.
    func sharedCache(_ uuid: LogUUID) -> [UInt8]?
}

/// A format string with the image it belongs to.
struct ImageString {
    /// `nil` when the string is not there.
    var format: ArraySlice<UInt8>?
    var path: String
}

/// The strings of one executable: a `uuidtext` file.
struct UUIDText {
    private let reader: ByteReader
    /// Range of references, and where its strings begin in the file.
    private var entries: [(start: UInt64, size: UInt64, offset: Int)] = []
    let path: String

    init?(_ bytes: [UInt8]) {
        reader = ByteReader(bytes)
        var header = ByteReader(bytes)
        guard let signature: UInt32 = header.integer(), signature == 0x6677_8899, header.skip(8),
            let count: UInt32 = header.integer(), Int(count) <= header.remaining / 8
        else { return nil }
        var offset = 16 + 8 * Int(count)
        for _ in 0..<count {
            guard let start: UInt32 = header.integer(), let size: UInt32 = header.integer() else { return nil }
            entries.append((UInt64(start), UInt64(size), offset))
            offset += Int(size)
        }
        guard let name = reader.text(at: offset) else { return nil }
        path = String(decoding: name, as: UTF8.self)
    }

    func string(at reference: UInt64) -> ArraySlice<UInt8>? {
        for entry in entries where reference >= entry.start && reference - entry.start <= entry.size {
            return reader.text(at: entry.offset + Int(reference - entry.start))
        }
        return nil
    }
}

/// The strings of the system's libraries: a shared-cache strings (`dsc`) file, version 1 or 2.
struct SharedCacheStrings {
    private struct Range {
        var start: UInt64
        var size: UInt64
        var offset: Int
        var image: Int
    }

    private struct Image {
        var textStart: UInt64
        var textSize: UInt64
        var path: String
    }

    private let reader: ByteReader
    private var ranges: [Range] = []
    private var images: [Image] = []

    init?(_ bytes: [UInt8]) {
        reader = ByteReader(bytes)
        var header = ByteReader(bytes)
        guard let signature: UInt32 = header.integer(), signature == 0x6473_6368, let major: UInt16 = header.integer(),
            major == 1 || major == 2, header.skip(2), let rangeCount: UInt32 = header.integer(),
            let imageCount: UInt32 = header.integer(), Int(rangeCount) <= header.remaining / 16,
            Int(imageCount) <= header.remaining / 28
        else { return nil }
        for _ in 0..<rangeCount {
            guard let range = Self.range(&header, major: major) else { return nil }
            ranges.append(range)
        }
        for _ in 0..<imageCount {
            guard let image = Self.image(&header, major: major, in: reader) else { return nil }
            images.append(image)
        }
        guard ranges.allSatisfy({ $0.image < images.count }) else { return nil }
    }

    private static func range(_ header: inout ByteReader, major: UInt16) -> Range? {
        if major == 1 {
            guard let image: UInt32 = header.integer(), let start: UInt32 = header.integer(),
                let offset: UInt32 = header.integer(), let size: UInt32 = header.integer()
            else { return nil }
            return Range(start: UInt64(start), size: UInt64(size), offset: Int(offset), image: Int(image))
        }
        guard let start: UInt64 = header.integer(), let offset: UInt32 = header.integer(),
            let size: UInt32 = header.integer(), let image: UInt64 = header.integer(), image <= UInt64(Int32.max)
        else { return nil }
        return Range(start: start, size: UInt64(size), offset: Int(offset), image: Int(image))
    }

    private static func image(_ header: inout ByteReader, major: UInt16, in file: ByteReader) -> Image? {
        let start: UInt64?
        if major == 1 {
            start = header.integer(UInt32.self).map(UInt64.init)
        } else {
            start = header.integer()
        }
        guard let start, let size: UInt32 = header.integer(), header.uuid() != nil,
            let pathOffset: UInt32 = header.integer(), let path = file.text(at: Int(pathOffset))
        else { return nil }
        return Image(textStart: start, textSize: UInt64(size), path: String(decoding: path, as: UTF8.self))
    }

    /// The string at a reference; for a dynamic one, the image whose code it is in, with the format `%s`.
    func string(at reference: UInt64, isDynamic: Bool) -> ImageString? {
        for range in ranges {
            let image = images[range.image]
            if isDynamic {
                if reference >= image.textStart, reference - image.textStart <= image.textSize {
                    return ImageString(format: FormatString.plainText, path: image.path)
                }
            } else if reference >= range.start, reference - range.start <= range.size {
                return ImageString(
                    format: reader.text(at: range.offset + Int(reference - range.start)), path: image.path)
            }
        }
        return nil
    }
}
