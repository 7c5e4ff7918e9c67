import Testing

@testable import EventRecognition

@Suite("A line tells that a callback's method returns")
struct ReturnTests {
    @Test(
        "by a word before the name, behind it, or at its end",
        arguments: [
            "end applicationDidEnterBackground", "-[AppDelegate applicationDidEnterBackground:] exit",
            "<- Exit: applicationDidEnterBackground(_:)", "applicationDidEnterBackground: returned after 2 s",
            "sceneDidEnterBackground: session: A end",
            "[AppDelegate.swift:88] applicationDidEnterBackground(_:) finished",
            "-[AppDelegate applicationDidEnterBackground:] took 12 ms", "← applicationDidEnterBackground",
            "[lifecycle] <- -[AppDelegate applicationDidEnterBackground:]",
        ])
    func returns(message: String) throws {
        let event = try #require(try Reading(Lines(messages: [message])).events.first)
        #expect(event.isReturn)
        // The same line again comes from memory.
        #expect(try Reading(Lines(messages: [message, message])).events.allSatisfy(\.isReturn))
    }

    @Test(
        "and not by others",
        arguments: [
            "begin applicationDidEnterBackground", "applicationDidEnterBackground:",
            "applicationDidEnterBackground: saving the returned goods now", "-> applicationDidEnterBackground(_:)",
            "endpoint: applicationDidEnterBackground", "→ applicationDidEnterBackground",
        ])
    func begins(message: String) throws {
        let event = try #require(try Reading(Lines(messages: [message])).events.first)
        #expect(!event.isReturn)
    }
}
