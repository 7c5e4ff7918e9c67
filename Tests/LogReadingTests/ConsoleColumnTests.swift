import Testing

@testable import LogReading

@Suite("Copies from Console, with columns in any order")
struct ConsoleColumnTests {
    /// The columns of one line, by name.
    private static let columns = [
        "type": "error", "time": "11:27:43.289866+0200", "process": "Tea Timer", "library": "UIKitCore", "pid": "412",
        "thread": "0x1f0a", "subsystem": "com.example.tea", "message": "kettle: boiling over",
    ]

    @Test(
        "columns are recognised by what they hold",
        arguments: [
            "type time process message", "type time process library message", "library type time process message",
            "time process message", "time type process message", "type time pid process message",
            "time process pid message", "type time process library pid thread subsystem message",
            "type time thread process subsystem message", "time process message pid subsystem",
            "type time process message subsystem pid thread",
        ])
    func orders(order: String) throws {
        let names = order.split(separator: " ").map(String.init)
        func line(_ message: String) -> String {
            names.map { $0 == "message" ? message : Self.columns[$0] ?? "" }.joined(separator: "\t") + "\n"
        }
        let text = line("kettle: boiling over") + "  more of it\n" + line("kettle: off again")
        for chunk in [7, 1 << 18] {
            let result = try read(Array(text.utf8), options: ReadingOptions(chunkBytes: chunk)).result
            #expect(result.formats == ["console-app"], "\(order)")
            #expect(result.entries.map(\.line) == [1, 3] && result.entries.map(\.lines) == [2, 1])
            for entry in result.entries {
                #expect(entry.time == "1970-01-01T09:27:43.289866Z" && entry.process == "Tea Timer", "\(entry)")
                if names.last == "message" || !names.contains("library") {
                    #expect(entry.pid == (names.contains("pid") ? 412 : nil), "\(entry)")
                }
            }
            #expect(result.entries.last?.message == "kettle: off again", "\(order)")
        }
    }

    @Test("tables of something else are no such columns")
    func others() throws {
        for line in ["a\tb\tc", "a\tb\tc\t11:27:43.289866\td", "11:27:43.289866\t12", "1\t2\t3"] {
            #expect(try !read(line + "\n").formats.contains("console-app"), "\(line)")
        }
    }

    @Test("a copy with blanks for tabs has its times and processes; what follows a brace belongs to it")
    func blanks() throws {
        let result = try read(
            """
            error 16:28:22.668812+0530  SpringBoard Scene kettle update failed: <NSError: 0x30; code: 1> {
                NSUnderlyingError = <NSError: 0x31>;
            }
            default 16:29:55.265590+0530 audiomxd -Kettle- boiling
            default to boiling at 14:29:55
            """)
        #expect(result.entries.map(\.line) == [1, 4] && result.entries.map(\.lines) == [3, 2])
        #expect(result.entries.map(\.process) == ["SpringBoard", "audiomxd"])
        #expect(result.entries.map(\.time) == ["1970-01-01T10:58:22.668812Z", "1970-01-01T10:59:55.26559Z"])
    }
}
