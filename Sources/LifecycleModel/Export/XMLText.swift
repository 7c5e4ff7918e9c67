/// Escapes text for XML.
enum XMLText {
    /// The text as an attribute value or as content. Characters that XML cannot carry become U+FFFD.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\n": escaped += "&#10;"
            case "\t": escaped += "&#9;"
            case "\r": escaped += "&#13;"
            case let control where control.value < 0x20 || control.value == 0xFFFE || control.value == 0xFFFF:
                escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// An identifier as an XML name: what a name cannot carry becomes `_x<hex>_`, so that different identifiers stay
    /// different.
    static func name(_ id: String) -> String {
        var name = ""
        for (index, scalar) in id.unicodeScalars.enumerated() {
            let isLetter = scalar.isASCII && scalar.properties.isAlphabetic
            let isFurther = scalar == "-" || scalar == "." || ("0"..."9").contains(scalar)
            if isLetter || scalar == "_" || (isFurther && index > 0) {
                name.unicodeScalars.append(scalar)
            } else {
                name += "_x\(String(scalar.value, radix: 16))_"
            }
        }
        return name
    }
}
