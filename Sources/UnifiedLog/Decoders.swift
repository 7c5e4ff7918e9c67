internal import Foundation
internal import TraceRecords

/// The decoders that a format may name in braces: `%{uuid_t}.16P`, `%{darwin.errno}d` …
enum Decoders {
    static let unsupported = "<decode: unsupported value>"

    /// The text of a value; says so when the decoder is not known.
    static func text(of bytes: ArraySlice<UInt8>, by name: String) -> String {
        switch name {
        case "bool": isTrue(bytes) ? "true" : "false"
        case "BOOL": isTrue(bytes) ? "YES" : "NO"
        case "darwin.errno", "errno":
            errorNumber(bytes).map { "[\($0): \(errorText($0))]" } ?? unsupported
        case "darwin.signal": unsigned(bytes).map { signalText($0) } ?? unsupported
        case "darwin.mode": unsigned(bytes).map { modeText($0) } ?? unsupported
        case "in_addr", "network:in_addr": bytes.count == 4 ? address4(bytes) : unsupported
        case "in6_addr", "network:in6_addr": bytes.count == 16 ? address6(bytes) : unsupported
        case "sockaddr", "network:sockaddr": socketAddress(bytes)
        case "time_t": unsigned(bytes).map { dateText(Int64(bitPattern: $0)) } ?? unsupported
        case "timeval": timeText(bytes, digits: 6)
        case "timespec": timeText(bytes, digits: 9)
        case "uuid_t": bytes.count == 16 ? uuidText(bytes) : unsupported
        case "mask.hash": "<mask.hash: \(bytes.isEmpty ? "(null)" : "'\(Data(bytes).base64EncodedString())'")>"
        case "bytes": unsigned(bytes).map { sizeText($0, unit: 1000, ["B", "kB", "MB", "GB", "TB"]) } ?? unsupported
        case "iec-bytes":
            unsigned(bytes).map { sizeText($0, unit: 1024, ["B", "KiB", "MiB", "GiB", "TiB"]) } ?? unsupported
        case "bitrate":
            unsigned(bytes).map { sizeText($0, unit: 1000, ["bps", "kbps", "Mbps", "Gbps", "Tbps"]) } ?? unsupported
        case "iec-bitrate":
            unsigned(bytes).map { sizeText($0, unit: 1024, ["bps", "Kibps", "Mibps", "Gibps", "Tibps"]) } ?? unsupported
        case "mdns:acceptable": isTrue(bytes) ? "acceptable" : "unacceptable"
        case "mdns:addrmv": isTrue(bytes) ? "add" : "rmv"
        case "mdns:yesno": isTrue(bytes) ? "yes" : "no"
        case "location:escape_only": escaped(bytes)
        default: "<decode: unsupported decoder: \(name)>"
        }
    }

    /// A little-endian number of 1, 2, 4 or 8 bytes.
    private static func unsigned(_ bytes: ArraySlice<UInt8>) -> UInt64? {
        guard [1, 2, 4, 8].contains(bytes.count) else { return nil }
        return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func errorNumber(_ bytes: ArraySlice<UInt8>) -> UInt64? { bytes.count == 4 ? unsigned(bytes) : nil }

    /// What Darwin calls an error number.
    static func errorText(_ number: UInt64) -> String {
        number < UInt64(DarwinNames.errors.count)
            ? DarwinNames.errors[Int(number)] : "<decode: unknown value: \(number)>"
    }

    private static func isTrue(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.contains { $0 != 0 } }

    private static func signalText(_ number: UInt64) -> String {
        guard number < UInt64(DarwinNames.signals.count) else { return "<decode: unknown value: \(number)>" }
        return "[\(DarwinNames.signals[Int(number)])]"
    }

    private static func modeText(_ mode: UInt64) -> String {
        let types: [UInt64: String] = [0x1000: "p", 0x2000: "c", 0x4000: "d", 0x6000: "b", 0xA000: "l", 0xC000: "s"]
        let rights = (0..<9).map { mode >> UInt64(8 - $0) & 1 == 1 ? ["r", "w", "x"][$0 % 3] : "-" }
        return (types[mode & 0xF000] ?? "-") + rights.joined()
    }

    private static func address4(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.map { String($0) }.joined(separator: ".")
    }

    /// An IPv6 address as RFC 5952 writes it.
    private static func address6(_ bytes: ArraySlice<UInt8>) -> String {
        let all = Array(bytes)
        let groups = (0..<8).map { UInt16(all[2 * $0]) << 8 | UInt16(all[2 * $0 + 1]) }
        var best = 0..<0
        var start = 0
        while start < 8 {
            var end = start
            while end < 8, groups[end] == 0 { end += 1 }
            if end - start > max(1, best.count) { best = start..<end }
            start = max(end, start + 1)
        }
        let text = { (part: ArraySlice<UInt16>) in part.map { String($0, radix: 16) }.joined(separator: ":") }
        return best.isEmpty
            ? text(groups[...]) : text(groups[..<best.lowerBound]) + "::" + text(groups[best.upperBound...])
    }

    private static func socketAddress(_ bytes: ArraySlice<UInt8>) -> String {
        guard !bytes.isEmpty else { return "<NULL>" }
        let all = Array(bytes)
        if all.count == 16, all[1] == 2 { return address4(all[4..<8]) }
        if all.count == 28, all[1] == 30 { return address6(all[8..<24]) }
        return unsupported
    }

    private static func uuidText(_ bytes: ArraySlice<UInt8>) -> String {
        var reader = ByteReader(bytes.span.bytes)
        return reader.uuid()?.description ?? unsupported
    }

    private static func escaped(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        return "\"" + text.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "\\/") + "\""
    }

    private static func timeText(_ bytes: ArraySlice<UInt8>, digits: Int) -> String {
        guard bytes.count == 16, let seconds = unsigned(bytes.prefix(8)), let part = unsigned(bytes.suffix(8)) else {
            return unsupported
        }
        let fraction = String(part)
        let zeros = String(repeating: "0", count: max(0, digits - fraction.count))
        return dateText(Int64(bitPattern: seconds)) + "." + zeros + fraction
    }

    private static func dateText(_ seconds: Int64) -> String {
        let limit: Int64 = 253_402_300_800
        guard seconds > -limit, seconds < limit else { return unsupported }
        return CivilTime.readable(seconds: seconds)
    }

    /// Three significant digits with a unit.
    private static func sizeText(_ value: UInt64, unit: Double, _ names: [String]) -> String {
        var number = Double(value)
        var place = 0
        while number >= unit, place < names.count - 1 {
            number /= unit
            place += 1
        }
        guard place > 0 else { return "\(value) \(names[0])" }
        let scale: Double = number < 10 ? 100 : number < 100 ? 10 : 1
        let rounded = (number * scale).rounded() / scale
        let text = rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
        return "\(text) \(names[place])"
    }
}

/// What Darwin calls its error numbers (strerror) and signals (strsignal), by number.
private enum DarwinNames {
    static let errors = lines(of: PackageResources.errors_txt)
    /// Each with its name before the text.
    static let signals = lines(of: PackageResources.signals_txt)

    private static func lines(of resource: [UInt8]) -> [String] {
        resource.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }
}
