import Testing

/// Many controllers that live at the same time: the paths of each are the same as if it had lived alone.
@Suite("Many instances at a time")
struct CrowdTests {
    @Test("variants of controllers that are interleaved")
    func variants() throws {
        let steps = ["viewDidLoad", "viewWillAppear:", "viewDidAppear:", "viewWillDisappear:", "viewDidDisappear:"]
        var log = ""
        for (second, step) in steps.enumerated() {
            for controller in 0..<200 where controller % 2 == 0 || step != "viewDidDisappear:" {
                log += "2024-03-09 10:00:0\(second).\(100 + controller) Demo[7:1] "
                log += "-[Cell\(controller)Controller \(step)]\n"
            }
        }
        let program = try Program()
        try program.write(log, to: "app.log")
        #expect(try program.run("ingest", "app.log").status == 0)
        let whole = try program.run("query", "variants", "--param", "layer=view", "--format", "csv")
        let begin = "view,unloaded > loaded > appearing > appeared > disappearing"
        #expect(
            whole.text.split(whereSeparator: \.isNewline).dropFirst()
                == ["\(begin),100,0.5", "\(begin) > disappeared,100,0.5"])
        let short = try program.run(
            "query", "variants", "--param", "layer=view", "--param", "most=2", "--format", "csv")
        #expect(
            short.text.split(whereSeparator: \.isNewline).dropFirst()
                == ["view,unloaded > loaded > appearing > …,200,1.0"])
    }
}
