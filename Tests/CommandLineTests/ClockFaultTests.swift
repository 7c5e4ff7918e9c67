import Testing

/// A clock that is set back is told as a finding; the database is as sound as any other.
@Suite("Clocks that go back")
struct ClockFaultTests {
    @Test("verify finds no fault where the line that ended an estimated suspension is later than the visit's end")
    func asleep() throws {
        let program = try Program()
        try program.write(
            """
            2026-03-05 05:50:42.941 Tour[450:1] application(_:willFinishLaunchingWithOptions:)
            2026-03-05 05:50:43.577 Tour[450:1] applicationDidBecomeActive
            2026-03-05 05:50:44.577 Tour[450:1] applicationWillResignActive
            2026-03-05 05:50:45.126 Tour[450:1] applicationDidEnterBackground
            2026-03-05 06:21:08.769 Tour[450:1] -[MapViewController viewDidLoad]
            2026-03-05 06:21:06.246 Tour[450:1] applicationWillTerminate

            """, to: "app.log")
        #expect(try program.run("ingest", "app.log").status == 0)
        let verified = try program.run("verify")
        #expect(verified.status == 0, "\(verified.text)\(verified.errors)")
        let suspended = try program.run(
            "query", "select suspended_ns from suspensions", "--format", "csv", "--raw")
        // Five seconds of grace after 05:50:45.126.
        #expect(suspended.text.split(whereSeparator: \.isNewline).last == "1818643000000")
    }

    @Test("nor where that line is one of another log of the device")
    func awakeElsewhere() throws {
        let program = try Program()
        try program.write(
            """
            2025-03-10 09:12:55.000 Tour[450:1] applicationDidEnterBackground
            2026-03-10 09:12:58.315 Tour[450:1] -[MapViewController viewDidLoad]
            2025-03-10 09:13:04.000 Tour[450:1] applicationWillEnterForeground

            """, to: "logs/app.log")
        try program.write("2026-03-10 09:12:19.716 Tour[450:1] uploading 3 photos\n", to: "logs/other.log")
        #expect(try program.run("ingest", "logs", "--device", "Phone").status == 0)
        let verified = try program.run("verify")
        #expect(verified.status == 0, "\(verified.text)\(verified.errors)")
    }
}
