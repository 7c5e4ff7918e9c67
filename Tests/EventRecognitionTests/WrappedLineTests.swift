import Testing
import TraceRecords

@testable import EventRecognition

@Suite("Names that a terminal broke over two lines")
struct WrappedLineTests {
    @Test(
        "are put together within an entry, and count on the line that they begin on",
        arguments: [
            ("-[AppDelegate application:didFinishLaunching\nWithOptions:]", ["1 didFinishLaunchingWithOptions"]),
            ("-[AppDelegate applicationDid\nBecomeActive:]", ["1 applicationDidBecomeActive"]),
            (
                "[SceneDelegate] scene\nWillResignActive(_:)\nsceneDidEnterBa\nckground(_:)",
                [
                    "1 sceneWillResignActive", "3 sceneDidEnterBackground",
                ]
            ),
            ("one\n-[HomeViewController view\nDidAppear:] and more", ["2 viewDidAppear"]),
            // Whole names stay on their own lines, and what is indented belongs to a dump.
            ("applicationDidBecomeActive\nviewDidLoad", ["1 applicationDidBecomeActive", "2 viewDidLoad"]),
            ("applicationDid\n    BecomeActive", []), ("applicationDid\n\nBecomeActive", []),
            ("not yet: please implement applicationDid\nBecomeActive", []),
        ])
    func wrapped(message: String, expected: [String]) throws {
        let lineCount = Int32(message.split(separator: "\n", omittingEmptySubsequences: false).count)
        let reading = try Reading(Lines([.init(message: message, time: 1, lineCount: lineCount)]))
        let vocabulary = try Known.vocabulary()
        let found = reading.events.compactMap { event in
            event.callback.map { "\(event.line) \(vocabulary[$0].callback.id)" }
        }
        #expect(found == expected)
    }
}
