/// Gives the files that hold the format strings of executables and of the shared cache.
package protocol StringFiles {
    /// The file `uuidtext/XX/YYYY…` of an executable or library.
    func uuidText(_ uuid: LogUUID) -> (any StringBytes)?
    /// The file `uuidtext/dsc/XXXX…` of a shared cache.
    func sharedCache(_ uuid: LogUUID) -> (any StringBytes)?
}

/// A file of strings, read where a string is wanted: that of a shared cache has hundreds of MiB.
package protocol StringBytes {
    var count: Int { get }
    /// Bytes from an offset, fewer at the end.
    func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8>
}

extension StringBytes {
    /// The bytes up to a NUL, or to the end; `nil` outside of the file, and for a text longer than any format string.
    func text(at offset: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, offset <= count else { return nil }
        for size in [512, 64 << 10] {
            let bytes = bytes(at: offset, count: size)
            if let end = bytes.firstIndex(of: 0) { return bytes[..<end] }
            if bytes.count < size { return bytes }
        }
        return nil
    }
}

/// The most ranges and images of a file of strings: more is damage. Systems have some thousands.
private let mostParts: UInt32 = 1 << 18
/// The same of an executable, which has a few.
private let mostPartsOfExecutable: UInt32 = 1 << 14
/// The longest path of an image; no system has a longer one.
private let mostPath = 1024

/// A format string with the image it belongs to.
struct ImageString {
    /// `nil` when the string is not there.
    var format: ArraySlice<UInt8>?
    var path: String
}

/// The strings of one executable: a `uuidtext` file.
struct UUIDText {
    private let file: any StringBytes
    /// Range of references, and where its strings begin in the file; in order.
    private var entries: [(start: UInt64, size: UInt64, offset: Int)] = []
    let path: String

    init?(_ file: any StringBytes) {
        self.file = file
        let start = file.bytes(at: 0, count: 16)
        var header = ByteReader(start.span.bytes)
        guard let signature: UInt32 = header.integer(), signature == 0x6677_8899, header.skip(8),
            let count: UInt32 = header.integer(), count <= mostPartsOfExecutable, Int(count) <= (file.count - 16) / 8
        else { return nil }
        let table = file.bytes(at: 16, count: 8 * Int(count))
        var parts = ByteReader(table.span.bytes)
        var offset = 16 + 8 * Int(count)
        for _ in 0..<count {
            guard let start: UInt32 = parts.integer(), let size: UInt32 = parts.integer() else { return nil }
            entries.append((UInt64(start), UInt64(size), offset))
            offset += Int(size)
        }
        guard let name = file.text(at: offset) else { return nil }
        path = String(decoding: name.prefix(mostPath), as: UTF8.self)
        entries.sort { $0.start < $1.start }
    }

    func string(at reference: UInt64) -> ArraySlice<UInt8>? {
        let place = entries.partitionPoint { $0.start <= reference } - 1
        guard place >= 0, reference - entries[place].start <= entries[place].size else { return nil }
        return file.text(at: entries[place].offset + Int(reference - entries[place].start))
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
        var path: Int
    }

    private let file: any StringBytes
    /// In the order of references.
    private var ranges: [Range] = []
    private var images: [Image] = []
    private var code: [Image] = []

    init?(_ file: any StringBytes) {
        self.file = file
        let start = file.bytes(at: 0, count: 16)
        var header = ByteReader(start.span.bytes)
        guard let signature: UInt32 = header.integer(), signature == 0x6473_6368, let major: UInt16 = header.integer(),
            major == 1 || major == 2, header.skip(2), let rangeCount: UInt32 = header.integer(),
            let imageCount: UInt32 = header.integer(), rangeCount <= mostParts, imageCount <= mostParts
        else { return nil }
        let sizes = major == 1 ? (range: 16, image: 28) : (range: 24, image: 32)
        let table = file.bytes(at: 16, count: sizes.range * Int(rangeCount) + sizes.image * Int(imageCount))
        var parts = ByteReader(table.span.bytes)
        for _ in 0..<rangeCount {
            guard let range = Self.range(&parts, major: major) else { return nil }
            ranges.append(range)
        }
        for _ in 0..<imageCount {
            guard let image = Self.image(&parts, major: major) else { return nil }
            images.append(image)
        }
        guard ranges.allSatisfy({ $0.image < images.count }) else { return nil }
        ranges.sort { $0.start < $1.start }
        code = images.sorted { $0.textStart < $1.textStart }
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

    private static func image(_ header: inout ByteReader, major: UInt16) -> Image? {
        let start: UInt64?
        if major == 1 {
            start = header.integer(UInt32.self).map(UInt64.init)
        } else {
            start = header.integer()
        }
        guard let start, let size: UInt32 = header.integer(), header.uuid() != nil,
            let path: UInt32 = header.integer()
        else { return nil }
        return Image(textStart: start, textSize: UInt64(size), path: Int(path))
    }

    /// The string at a reference; for a dynamic one, the image whose code it is in, with the format `%s`.
    func string(at reference: UInt64, isDynamic: Bool) -> ImageString? {
        if isDynamic {
            let place = code.partitionPoint { $0.textStart <= reference } - 1
            guard place >= 0, reference - code[place].textStart <= code[place].textSize else { return nil }
            return ImageString(format: FormatString.plainText, path: path(of: code[place]))
        }
        let place = ranges.partitionPoint { $0.start <= reference } - 1
        guard place >= 0, reference - ranges[place].start <= ranges[place].size else { return nil }
        return ImageString(
            format: file.text(at: ranges[place].offset + Int(reference - ranges[place].start)),
            path: path(of: images[ranges[place].image]))
    }

    private func path(of image: Image) -> String {
        file.text(at: image.path).map { String(decoding: $0.prefix(mostPath), as: UTF8.self) } ?? ""
    }
}
