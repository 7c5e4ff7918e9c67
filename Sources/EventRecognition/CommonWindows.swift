/// Windows that ordinary log text is full of (`dialects/windows.yaml`).
enum CommonWindows {
    static func builtIn() throws(DialectError) -> Set<UInt32> {
        let file = try DialectFile(
            name: "windows.yaml", text: String(decoding: PackageResources.windows_yaml, as: UTF8.self))
        var windows: Set<UInt32> = []
        for text in try file.texts("common").map({ Array($0.utf8) }) where text.count >= 4 {
            windows.insert(NeedleIndex.window(text, 0))
        }
        return windows
    }
}
