import DataFiles
import Testing

@testable import LifecycleModel

@Suite("Validating a model")
struct ModelValidatorTests {
    @Test(
        "finds no problems in the built-in models",
        arguments: ["app", "process", "scene", "view", "swiftui-view", "background-task"])
    func builtInModelsAreSound(id: String) throws {
        let diagnostics = ModelValidator.diagnostics(of: try BuiltIn.model(id), in: try BuiltIn.catalog.get())
        #expect(diagnostics.map(\.description) == [])
    }
}

extension ModelValidatorTests {
    /// The diagnostics of a model whose text follows the header lines of a small sound one.
    private func diagnostics(_ text: String) throws -> [String] {
        let model = try ModelReader.read(text, file: "m.yaml")
        return ModelValidator.diagnostics(of: model, in: try BuiltIn.catalog.get()).map(\.description)
    }

    @Test("finds unreachable states, dead ends, dead transitions and missing citations, each with its line")
    func structure() throws {
        let found = try diagnostics(
            """
            model: door
            initial: shut
            final: [shut]
            states:
              shut: {citation: d}
              open:
              ajar: {citation: d}
              gone: {citation: d}
            callbacks:
              opens: {spellings: [opens], citation: d}
            transitions:
              D1: {from: shut, to: open, callbacks: opens, citation: d}
              D2: {from: ajar, to: gone, callbacks: opens, citation: d}
            """)
        #expect(
            found == [
                "m.yaml:6: warning: state open has no citation; add where it is documented",
                "m.yaml:6: warning: state open is never left; add a transition or list it as final",
                "m.yaml:7: warning: state ajar cannot be reached from 'shut'; add a transition to it or remove it",
                "m.yaml:8: warning: state gone cannot be reached from 'shut'; add a transition to it or remove it",
                "m.yaml:8: warning: state gone is never left; add a transition or list it as final",
                "m.yaml:13: warning: transition D2 is dead: ajar cannot be reached",
            ])
    }

    @Test("finds unknown names")
    func unknownNames() throws {
        let found = try diagnostics(
            """
            model: door
            initial: shut
            final: [shut]
            uses: [house]
            states: {shut: {citation: d}, open: {citation: d}}
            callbacks:
              opens: {spellings: [opens], proves: wide, citation: d}
              shuts: {spellings: [Opens], citation: d}
            transitions:
              D1: {from: shut, to: open, callbacks: opens, citation: d}
              D2: {from: open, to: shut, callbacks: "shuts|slams", citation: d}
            rules:
              R1: {severity: error, says: s, citation: d, profiles: [ios99], checks: [{template: end, when: creaks}]}
            scenarios:
              SC-1: {callbacks: "opens, SC-2", states: [shut, open], citation: d}
            """)
        #expect(
            found == [
                "m.yaml:1: error: the model uses 'house', which does not exist",
                "m.yaml:7: error: callback opens names the state 'wide', which the model does not have",
                "m.yaml:8: error: callback shuts has the spelling 'opens', which belongs to opens already",
                "m.yaml:11: error: transition D2 names the callback 'slams', which neither this model nor one it uses "
                    + "declares",
                "m.yaml:13: error: rule R1 names the callback 'creaks', which neither this model nor one it uses "
                    + "declares",
                "m.yaml:13: error: rule R1 names the profile 'ios99', which does not exist",
                "m.yaml:15: error: scenario SC-1 contains 'SC-2', which is not a scenario",
            ])
    }

    @Test("finds unknown names in every place, and contradictory numbers")
    func everywhere() throws {
        let found = try diagnostics(
            """
            model: door
            initial: nowhere
            final: [shut, gone]
            uses: [app]
            states: {shut: {citation: d}, open: {citation: d}}
            callbacks:
              opens: {spellings: [opens], before: shutt, citation: d}
              shuts: {spellings: [shuts]}
              never: {citation: d}
            transitions:
              D1: {from: shut, to: open, callbacks: opens, after: foo, profiles: [p], citation: d}
              D2: {from: open, to: shut, callbacks: shuts}
            rules:
              R1: {severity: error, says: s, options: {colour: red}, checks: [{template: at_most, when: opens}]}
              R2: {severity: error, says: s, citation: d, checks: [{template: only_in_state, when: opens, states: ajar}]}
            limits:
              L1: {measures: duration, says: s, from: [{point: callback, callbacks: opns}], to: [{point: callback, callbacks: shuts}], thresholds: {warning: 5, error: 2}, citation: d}
              L2: {measures: duration, says: s, message: "took {seconds} s", citation: d}
            scenarios:
              SC-1: {callbacks: "opens, shuts", states: [shut, opn], breaks: [R9], citation: d}
            classes:
              EQ: {title: t, signature: "opens, zzz", members: [SC-9, SC-1], citation: d}
            next callbacks:
              - {after: nono, next: [opens], rules: [R8]}
            """)
        let unknown = "which neither this model nor one it uses declares"
        #expect(
            found == [
                "m.yaml:1: error: 'final' names the state 'gone', which the model does not have",
                "m.yaml:2: error: 'initial' names the state 'nowhere', which the model does not have",
                "m.yaml:5: warning: state open cannot be reached from 'nowhere'; add a transition to it or remove it",
                "m.yaml:5: warning: state shut cannot be reached from 'nowhere'; add a transition to it or remove it",
                "m.yaml:7: error: callback opens names the state 'shutt', which the model does not have",
                "m.yaml:8: warning: callback shuts has no citation; add where it is documented",
                "m.yaml:9: warning: callback never has neither spellings nor patterns, so no log can contain it",
                "m.yaml:9: warning: callback never is not used by any transition; use it or mark it as supplementary",
                "m.yaml:11: warning: transition D1 is dead: shut cannot be reached",
                "m.yaml:11: error: transition D1 names the callback 'foo', \(unknown)",
                "m.yaml:11: error: transition D1 names the profile 'p', which does not exist",
                "m.yaml:12: warning: transition D2 has no citation; add where it is documented",
                "m.yaml:12: warning: transition D2 is dead: open cannot be reached",
                "m.yaml:14: error: rule R1 depends on the configuration key 'colour', which does not exist",
                "m.yaml:14: warning: rule R1 has no citation; add where it is documented",
                "m.yaml:15: error: rule R2 forbids opens in shut, where D1 allows it",
                "m.yaml:15: error: rule R2 names the state 'ajar', which the model does not have",
                "m.yaml:17: error: limit L1 names the callback 'opns', \(unknown)",
                "m.yaml:17: error: limit L1: 'warning' begins at 5.0 s, after 'error' at 2.0 s",
                "m.yaml:18: error: limit L2 has no thresholds", "m.yaml:18: error: limit L2 needs 'from' and 'to'",
                "m.yaml:18: error: limit L2: leave out the 's' of its message: '{seconds}' has its unit",
                "m.yaml:20: error: scenario SC-1 breaks 'R9', which is neither a rule nor a limit",
                "m.yaml:20: error: scenario SC-1 passes through 'opn', which door does not have",
                "m.yaml:22: error: class EQ has the member 'SC-9', which is not a scenario",
                "m.yaml:22: error: class EQ names the callback 'zzz', which no model declares",
                "m.yaml:24: error: the row after 'nono' allows opens, which no transition allows there",
                "m.yaml:24: error: the row after 'nono' names the callback 'nono', \(unknown)",
                "m.yaml:24: error: the row after 'nono' names the rule 'R8', which does not exist",
            ])
    }

    @Test("finds a derived state that other models do not have")
    func derivedState() throws {
        let found = try diagnostics(
            """
            model: door
            initial: shut
            final: [shut]
            uses: [app]
            states: {shut: {citation: d}}
            transitions: {}
            derives:
              model: app
              ranking: {shut: active, ajar: background}
              otherwise: nowhere
              judged by: {applicationWillTerminate: process, applicationDidBecomeActive: process}
              citation: d
            """)
        #expect(
            found == [
                "m.yaml:7: error: 'derives' leads to 'nowhere', which app does not have",
                "m.yaml:7: error: 'derives' lets 'process' judge applicationDidBecomeActive, but no transition of that "
                    + "model has it",
                "m.yaml:7: error: 'derives' names the state 'ajar', which the model does not have",
            ])
    }

    @Test("finds a callback that leads to two states, unless the transitions share a choice")
    func nonDeterminism() throws {
        func text(_ choice: String) -> String {
            """
            model: door
            initial: shut
            final: [shut]
            states: {shut: {citation: d}, open: {citation: d}, ajar: {citation: d}}
            callbacks: {opens: {spellings: [opens], citation: d}, shuts: {spellings: [shuts], citation: d}}
            transitions:
              D1: {from: shut, to: open, callbacks: opens, citation: d\(choice)}
              D2: {from: shut, to: ajar, callbacks: opens, citation: d\(choice)}
              D3: {from: [open, ajar], to: shut, callbacks: shuts, citation: d}
            """
        }
        #expect(
            try diagnostics(text("")) == [
                "m.yaml:8: error: opens in shut leads to open or ajar (D1, D2); give these transitions the same 'choice' "
                    + "if what follows decides, or different callbacks"
            ])
        #expect(try diagnostics(text(", choice: how far")) == [])
    }

    @Test("finds rules, rows and scenarios that the transitions rule out")
    func contradictions() throws {
        let found = try diagnostics(
            """
            model: door
            initial: shut
            final: [shut]
            states: {shut: {citation: d}, open: {citation: d}}
            callbacks: {opens: {spellings: [opens], citation: d}, shuts: {spellings: [shuts], citation: d}}
            transitions:
              D1: {from: shut, to: open, callbacks: opens, citation: d}
              D2: {from: open, to: shut, callbacks: shuts, citation: d}
            rules:
              R1: {severity: error, says: s, citation: d, checks: [{template: only_in_state, when: opens, states: open}]}
              R2: {severity: error, says: s, citation: d, checks: [{template: chain_response, when: opens, then: opens}]}
              R3: {severity: error, says: s, citation: d, checks: [{template: init, when: shuts}]}
              R4: {severity: error, says: s, citation: d, checks: [{template: response, when: opens}]}
              R5: {severity: error, says: s, citation: d, checks: [{template: chain_response, when: opens, then: shuts}]}
            scenarios:
              SC-1: {callbacks: "opens, shuts", states: [shut, open, shut], citation: d}
              SC-2: {callbacks: "opens, opens", states: [shut, open], citation: d}
            next callbacks:
              - {after: shuts, next: [shuts]}
            """)
        #expect(
            found == [
                "m.yaml:10: error: rule R1 forbids opens in shut, where D1 allows it",
                "m.yaml:11: error: rule R2 requires opens right after opens, but no transition allows it there",
                "m.yaml:12: error: rule R3 begins with shuts, which no transition allows in 'shut'",
                "m.yaml:13: error: rule R4: the template response needs 'then'",
                "m.yaml:17: error: scenario SC-2 should end in open, but with the transitions of door it cannot be completed",
                "m.yaml:19: error: the row after 'shuts' allows shuts, which no transition allows there",
            ])
    }

    @Test("finds rules that no path of the transitions can satisfy, and no others")
    func impossibleRules() throws {
        func rules(_ checks: [String]) -> String {
            checks.enumerated().map {
                "  R\($0 + 1): {severity: error, says: s, citation: d, checks: [{template: \($1)}]}\n"
            }.joined()
        }
        // The one way is cartOpened, payStart, paid; in the second shop one may also leave, look around and come again.
        let shop = """
            model: shop
            one machine per: run
            initial: idle
            final: [done]
            states: {idle: {citation: d}, cart: {citation: d}, pay: {citation: d}, done: {citation: d}}
            callbacks:
              opened: {spellings: [cartOpened], citation: d}
              start: {spellings: [payStart], citation: d}
              paid: {spellings: [paid], citation: d}
              left: {spellings: [cartLeft], citation: d}
            transitions:
              T1: {from: idle, to: cart, callbacks: opened, citation: d}
              T2: {from: cart, to: pay, callbacks: start, citation: d}
              T3: {from: pay, to: done, callbacks: paid, citation: d}

            """
        let free = """
              T4: {from: [cart, pay], to: idle, callbacks: left, citation: d}
              T5: {from: idle, to: done, callbacks: left, citation: d}

            """
        let impossible = [
            "not_chain_succession, when: opened, then: [start]", "absence, when: paid",
            "precedence, when: opened, then: [paid]", "response, when: paid, then: [opened]",
            "not_succession, when: opened, then: [paid]", "existence, when: left",
        ]
        let possible = [
            "not_chain_succession, when: opened, then: [paid]", "precedence, when: paid, then: [opened]",
            "response, when: opened, then: [paid]", "not_succession, when: paid, then: [opened]",
            "existence, when: paid", "absence, when: left", "existence, when: left, scope: session",
        ]
        let unused =
            "m.yaml:10: warning: callback left is not used by any transition; use it or mark it as supplementary"
        #expect(
            try diagnostics(shop + "rules:\n" + rules(impossible)) == [
                unused,
                "m.yaml:16: error: rule R1 forbids start right after opened, but the transitions allow nothing else "
                    + "there",
                "m.yaml:17: error: rule R2 forbids paid, but no path of transitions ends without it",
                "m.yaml:18: error: rule R3 requires paid before opened, but no path of transitions has it there",
                "m.yaml:19: error: rule R4 requires opened after paid, but no path of transitions has it there",
                "m.yaml:20: error: rule R5 forbids paid after opened, but no path of transitions ends without it",
                "m.yaml:21: error: rule R6 requires left, which is on no path of transitions",
            ])
        #expect(try diagnostics(shop + "rules:\n" + rules(possible)) == [unused])
        let stillImpossible = ["m.yaml:20: error: rule R3", "m.yaml:21: error: rule R4"]
        let found = try diagnostics(shop + free + "rules:\n" + rules(impossible))
        #expect(found.map { String($0.prefix(25)) } == stillImpossible, "\(found)")
    }

    @Test(
        "a file that cannot be read is rejected with its line",
        arguments: [
            ("", "m.yaml: the file is empty"),
            ("model: m\ninitial: [", "m.yaml:"),
            ("model: m\nstates: {}", "m.yaml:1: the file has no 'initial'"),
            (
                "model: m\ninitial: a\nstates:\n  a: {drawn: perhaps}\ntransitions: {}",
                "m.yaml:4: 'drawn' of a must be yes or no"
            ),
            (
                "model: m\ninitial: a\nstates: {a: {}}\ntransitions:\n  T: {to: a}",
                "m.yaml:5: 'T' of transitions has no 'from'"
            ),
            (
                "model: m\ninitial: a\nstates: {a: {}}\ntransitions:\n  T: {from: a, to: a, callbacks: \"x,\"}",
                "m.yaml:5:"
            ),
            ("model: m\ninitial: a\nstates:\n  a: {}\n  a: {}\ntransitions: {}", "m.yaml:"),
            (
                "model: m\ninitial: a\nstates: {a: {}}\ntransitions: {}\nstate: x",
                "m.yaml:5: the file has an unknown key 'state'"
            ),
        ])
    func unreadable(text: String, message: String) {
        let error = #expect(throws: DataFileError.self) { try ModelReader.read(text, file: "m.yaml") }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }

    @Test("finds problems in any file of a user: models, parts, overlays")
    func anyFile() throws {
        let catalog = try BuiltIn.catalog.get()
        func found(_ text: String, _ file: String) -> [String] {
            ModelValidator.diagnostics(ofText: text, file: file, in: catalog).map(\.description)
        }
        #expect(found("overlay: o\nrules: {R-APP-10: error}", "o.yaml") == [])
        #expect(
            found("overlay: o\nrules: {R-1: error}", "o.yaml") == [
                "o.yaml:2: error: there is no rule 'R-1' in any model"
            ])
        #expect(
            found("part of: app\nscenarios:\n  SC-1: {callbacks: applicationDidSleep, citation: c}", "p.yaml") == [
                "p.yaml:3: error: scenario SC-1 names the callback 'applicationDidSleep', which neither this model nor "
                    + "one it uses declares"
            ])
        #expect(found("", "e.yaml") == ["e.yaml: error: the file is empty"])
        #expect(
            found("model: view\ninitial: a\nfinal: [a]\nstates: {a: {citation: c}}\ntransitions: {}", "v.yaml") == [
                "v.yaml:1: warning: this model replaces the existing model view; use another id to keep both"
            ])
    }
}
