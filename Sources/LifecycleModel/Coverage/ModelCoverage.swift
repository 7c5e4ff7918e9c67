/// Which parts of a model a set of logs has shown.
package struct ModelCoverage: Sendable, Hashable {
    /// A kind of parts.
    package enum Kind: String, Sendable, CaseIterable {
        case states, transitions, callbacks, scenarios, rules
    }

    /// One kind with what was seen of it.
    package struct Share: Sendable, Hashable {
        package var kind: Kind
        /// Ids of the parts that were seen and of those that were not, in the order of the model.
        package var seen: [String]
        package var missing: [String]
        /// Seen parts of all, from 0 to 1; 1 where there are none.
        package var fraction: Double {
            let all = seen.count + missing.count
            return all == 0 ? 1 : Double(seen.count) / Double(all)
        }
    }

    /// What a set of logs has shown of one model.
    package struct Seen: Sendable, Hashable {
        /// A change of state; without a callback where none marks it.
        package struct Move: Sendable, Hashable {
            package var from: String
            package var callback: String?
            package var to: String
            package init(from: String, callback: String?, to: String) {
                self.from = from
                self.callback = callback
                self.to = to
            }
        }

        /// A stay that a callback began and a callback ended.
        package struct Stay: Sendable, Hashable {
            package var state: String
            package var enteredBy: String
            package var leftBy: String
            package init(state: String, enteredBy: String, leftBy: String) {
                self.state = state
                self.enteredBy = enteredBy
                self.leftBy = leftBy
            }
        }

        package var states: Set<String> = []
        package var stays: Set<Stay> = []
        package var moves: Set<Move> = []
        package var callbacks: Set<String> = []
        /// Ids of scenarios and of classes.
        package var scenarios: Set<String> = []
        /// Ids of rules and limits that there are findings of.
        package var findings: Set<String> = []

        package init() {}
    }

    /// Id of the model.
    package var model: String
    package var shares: [Share]

    /// Seen parts of all parts of all kinds, from 0 to 1.
    package var fraction: Double {
        let seen = shares.reduce(0) { $0 + $1.seen.count }
        let all = shares.reduce(seen) { $0 + $1.missing.count }
        return all == 0 ? 1 : Double(seen) / Double(all)
    }

    /// Compares a model with what was seen.
    ///
    /// States and transitions that exist for analysis only don't count. Transitions that end alike are told apart by
    /// the callback that led to where they begin, where the model names it (`after`); those that callbacks cannot tell
    /// apart are seen together, and so are the scenarios of a class. A rule is seen when one of the callbacks that it is
    /// about has come, or when there is a finding of it.
    ///
    /// - Parameter classes: classes of all models, because a class may have members of several.
    package init(of model: LifecycleModel, seen: Seen, classes: [EquivalenceClass]) {
        self.model = model.id
        let edges = model.edges
        let byClass = Set(classes.filter { seen.scenarios.contains($0.id) }.flatMap(\.members))
        shares = [
            Self.share(.states, model.states.filter(\.isDrawn)) {
                seen.states.contains($0.id)
            } id: {
                $0.id
            },
            Self.share(.transitions, model.transitions.filter { $0.isDrawn && $0.from != $0.to }) { transition in
                Self.isSeen(transition, seen, edges)
            } id: {
                $0.id
            },
            Self.share(.callbacks, model.callbacks.filter { !$0.isUnknown }) {
                seen.callbacks.contains($0.id)
            } id: {
                $0.id
            },
            Self.share(.scenarios, model.scenarios.filter(\.isSearched)) { scenario in
                seen.scenarios.contains(scenario.id) || byClass.contains(scenario.id)
            } id: {
                $0.id
            },
            Self.share(.rules, model.rules) { rule in
                seen.findings.contains(rule.id)
                    || rule.checks.contains { check in
                        !seen.callbacks.isDisjoint(with: check.activations)
                    }
            } id: {
                $0.id
            },
        ]
    }

    private static func isSeen(_ transition: ModelTransition, _ seen: Seen, _ edges: [ModelEdge]) -> Bool {
        let own = edges.filter { $0.transitions.contains(transition.id) && $0.changesState }
        guard transition.after.isEmpty else {
            return own.contains { edge in
                transition.after.contains { before in
                    seen.stays.contains(Seen.Stay(state: edge.from, enteredBy: before, leftBy: edge.callback))
                }
            }
        }
        let moves = seen.moves
        if own.contains(where: { moves.contains(Seen.Move(from: $0.from, callback: $0.callback, to: $0.to)) }) {
            return true
        }
        guard transition.isSilent else { return false }
        return transition.from.contains { from in
            transition.to.contains { moves.contains(Seen.Move(from: from, callback: nil, to: $0)) }
        }
    }

    private static func share<Part>(
        _ kind: Kind, _ parts: [Part], isSeen: (Part) -> Bool, id: (Part) -> String
    ) -> Share {
        Share(kind: kind, seen: parts.filter(isSeen).map(id), missing: parts.filter { !isSeen($0) }.map(id))
    }
}

extension RuleCheck {
    /// Callbacks that put the check to the test when they come.
    fileprivate var activations: Set<String> {
        let exchanged = order.flatMap(\.self).compactMap { $0.split(separator: " ").last.map(String.init) }
        return Set(when.isEmpty ? then + exchanged : when)
    }
}
