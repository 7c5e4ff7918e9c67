import Testing

@testable import EventRecognition

@Suite("A line tells a notification from the method of the same callback")
struct NotificationTests {
    @Test(
        "by its name",
        arguments: [
            "UIApplicationWillEnterForegroundNotification", "UIApplication.willEnterForegroundNotification received",
            "got willEnterForegroundNotification", "UIApplicationDidBecomeActive",
            "NSConcreteNotification {name = UIApplicationDidFinishLaunchingNotification}",
        ])
    func notifications(message: String) throws {
        // The same line again comes from memory.
        let events = try Reading(Lines(messages: [message, message])).events
        #expect(events.map(\.isNotification) == [true, true])
    }

    @Test("and not by others", arguments: ["applicationWillEnterForeground(_:)", "-[AppDelegate willEnterForeground]"])
    func methods(message: String) throws {
        let events = try Reading(Lines(messages: [message])).events
        #expect(events.map(\.isNotification) == [false])
    }

    @Test("and by what LifecycleLog says of who called", arguments: [("notification", true), ("delegate", false)])
    func channel(via: String, isNotification: Bool) throws {
        let line = Lines.Line(message: "applicationWillEnterForeground", subsystem: via, time: 1)
        let events = try Reading(Lines([line, line])).events
        #expect(events.map(\.isNotification) == [isNotification, isNotification])
    }
}
