/// A path as a URI reference after RFC 3986: `logs/my%20app.log`, `file:///var/log/app.log`.
enum FileURI {
    static func text(path: String) -> String {
        var text = path.hasPrefix("/") ? "file://" : ""
        // A colon in the first segment would read as a scheme.
        let firstSlash = path.utf8.firstIndex(of: UInt8(ascii: "/")) ?? path.utf8.endIndex
        for index in path.utf8.indices {
            let byte = path.utf8[index]
            let isPlain =
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"): true
                case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
                case UInt8(ascii: "/"): true
                case UInt8(ascii: ":"): index > firstSlash
                default: false
                }
            if isPlain {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += byte < 16 ? "%0" : "%"
                text += String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }
}
