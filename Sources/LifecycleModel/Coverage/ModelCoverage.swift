/// Which parts of a model a set of logs has shown.
package struct ModelCoverage: Sendable, Hashable {
    /// A category of parts.
    package enum Category: String, Sendable, CaseIterable {
        case states, transitions, callbacks, scenarios, rules
    }

    /// What was seen of one category.
    package struct Share: Sendable, Hashable {
        package var category: Category
        /// Ids of the parts that were seen and of those that were not, in the order of the model.
        package var seen: [String]
        package var missing: [String]
        /// Proportion of seen parts, from 0 to 1; 1 where there are none.
        package var fraction: Double {
            let all = seen.count + missing.count
            return all == 0 ? 1 : Double(seen.count) / Double(all)
        }
    }

    /// What a set of logs has shown of one model.
    package struct Seen: Sendable, Hashable {
        /// A change of state. The callback is `nil` where none marks it.
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

        /// A visit that began and ended with a callback.
        package struct Visit: Sendable, Hashable {
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
        package var visits: Set<Visit> = []
        package var moves: Set<Move> = []
        /// Callbacks of this model and of the others.
        package var callbacks: Set<String> = []
        /// Ids of scenarios and of classes.
        package var scenarios: Set<String> = []
        /// Ids of rules and limits with findings.
        package var findings: Set<String> = []

        package init() {}
    }

    package var model: String
    package var shares: [Share]

    /// Proportion of seen parts over all categories, from 0 to 1.
    package var fraction: Double {
        let seen = shares.reduce(0) { $0 + $1.seen.count }
        let all = shares.reduce(seen) { $0 + $1.missing.count }
        return all == 0 ? 1 : Double(seen) / Double(all)
    }

    /// Compares a model with what was seen.
    ///
    /// States and transitions that exist for analysis only don't count. Similar transitions are distinguished by the
    /// callback that led to their first state, where the model names it (`after`). Those that callbacks cannot distinguish
    /// are seen together: a change that no callback marks, as one through scenes, shows all between its states. So are the
    /// scenarios of a class. A callback is seen, too, when that has come which an app with scenes gets in its place. A rule
    /// is seen when one of the callbacks that it is about has come, or when it has a finding.
    ///
    /// - Parameter classes: classes of all models, because a class may have members of several.
    package init(of model: LifecycleModel, seen: Seen, classes: [EquivalenceClass]) {
        self.model = model.id
        let edges = model.edges
        let silent = model.transitions.filter(\.isSilent)
        let byClass = Set(classes.filter { seen.scenarios.contains($0.id) }.flatMap(\.members))
        shares = [
            Self.share(.states, model.states.filter(\.isDrawn)) { seen.states.contains($0.id) },
            Self.share(.transitions, model.transitions.filter { $0.isDrawn && $0.from != $0.to }) { transition in
                Self.isSeen(transition, seen, edges, silent: silent)
            },
            Self.share(.callbacks, model.callbacks.filter { !$0.isUnknown }) { callback in
                seen.callbacks.contains(callback.id) || !seen.callbacks.isDisjoint(with: callback.replacedBy)
            },
            Self.share(.scenarios, model.scenarios.filter(\.isSearched)) { scenario in
                seen.scenarios.contains(scenario.id) || byClass.contains(scenario.id)
            },
            Self.share(.rules, model.rules) { rule in
                seen.findings.contains(rule.id)
                    || rule.checks.contains { !seen.callbacks.isDisjoint(with: $0.activations) }
            },
        ]
    }

    /// - Parameter silent: the transitions of the model without a callback, which are what a change without one shows first.
    private static func isSeen(
        _ transition: ModelTransition, _ seen: Seen, _ edges: [ModelEdge], silent: [ModelTransition]
    ) -> Bool {
        let isUnmarked = transition.from.contains { from in
            transition.to.contains { to in
                seen.moves.contains(Seen.Move(from: from, callback: nil, to: to))
                    && (transition.isSilent || !silent.contains { $0.from.contains(from) && $0.to.contains(to) })
            }
        }
        if isUnmarked { return true }
        return edges.contains { edge in
            guard edge.transitions.contains(transition.id), edge.changesState else { return false }
            guard !transition.after.isEmpty else {
                return seen.moves.contains(Seen.Move(from: edge.from, callback: edge.callback, to: edge.to))
            }
            return transition.after.contains { before in
                seen.visits.contains(Seen.Visit(state: edge.from, enteredBy: before, leftBy: edge.callback))
            }
        }
    }

    private static func share<Part: KeyedRecord>(
        _ category: Category, _ parts: [Part], isSeen: (Part) -> Bool
    ) -> Share {
        Share(
            category: category, seen: parts.filter(isSeen).map(\.id),
            missing: parts.filter { !isSeen($0) }.map(\.id))
    }
}

extension RuleCheck {
    /// Callbacks that exercise the check when they come.
    fileprivate var activations: Set<String> {
        let exchanged = order.flatMap(\.self).compactMap { $0.split(separator: " ").last.map(String.init) }
        return Set(when.isEmpty ? then + exchanged : when)
    }
}
