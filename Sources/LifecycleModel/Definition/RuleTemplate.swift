/// The shapes that a rule may have: the templates of Declare where they fit, and a few about states, times and several
/// instances.
///
/// A check looks at a *sequence*: the events of one instance (or, with the scope `run`, of all instances of a run) in the
/// order of the log, without the supplementary callbacks that the check does not name; with ``RuleCheck/among`` only
/// those callbacks. `when` stands for ``RuleCheck/when``, `then` for ``RuleCheck/then``. A finding stands at the event
/// that breaks the rule, or at the last event when something is missing at the end.
package enum RuleTemplate: String, Sendable, CaseIterable {
    /// The first callback of the sequence is one of `when`.
    case initial = "init"
    /// Nothing follows one of `when`.
    case end
    /// One of `when` occurs, at least ``RuleCheck/count`` times (default 1). Judged when the run has ended.
    case existence
    /// None of `when` occurs.
    case absence
    /// Each of `when` occurs at most ``RuleCheck/count`` times (default 1).
    case atMost = "at_most"
    /// `when`, taken together, occur exactly ``RuleCheck/count`` times (default 1). Too few is judged when the run has ended.
    case exactly
    /// After one of `when`, one of `then` follows before the run ends.
    case response
    /// Before one of `when`, one of `then` has come.
    case precedence
    /// The callback directly after one of `when`, if there is one, is one of `then`.
    case chainResponse = "chain_response"
    /// The callback directly before one of `when`, if there is one, is one of `then`.
    case chainPrecedence = "chain_precedence"
    /// Between two of `when`, one of `then` comes.
    case alternate
    /// After one of `when`, none of `then` comes any more.
    case notSuccession = "not_succession"
    /// None of `then` comes directly after one of `when`.
    case notChainSuccession = "not_chain_succession"
    /// `when` and `then` do not both occur.
    case notCoexistence = "not_coexistence"
    /// If one of `when` occurs, one of `then` occurs as well, before or after. Judged when the run has ended.
    case respondedExistence = "responded_existence"
    /// If both occur, the first of `when` comes before the first of `then`. The finding stands at the latter.
    case firstOrder = "first_order"
    /// One of `when` comes only in one of ``RuleCheck/states``; a state that is unknown breaks nothing.
    case onlyInState = "only_in_state"
    /// After one of ``RuleCheck/from`` and until one of ``RuleCheck/until`` (or the end), none of `when` comes; with
    /// ``RuleCheck/states`` only an instance that was in one of them at the beginning counts.
    case absenceBetween = "absence_between"
    /// Between one of ``RuleCheck/from`` and the next of ``RuleCheck/until``, one of `when` comes. Only the first such
    /// stretch of an instance counts.
    case existenceBetween = "existence_between"
    /// The process ends in one of ``RuleCheck/states`` without a callback that says so: another run of the app
    /// follows, or evidence tells of the end. The end of the log is no such end. With ``RuleCheck/seen`` one of those
    /// must have come, with ``RuleCheck/unseen`` none of them; ``RuleCheck/failedLaunch`` tells launches that led nowhere
    /// from other runs.
    case silentEnd = "silent_end"
    /// One of `when` comes in one of ``RuleCheck/states`` after the process was silent for at most
    /// ``RuleCheck/seconds``.
    case noLongSilenceBefore = "no_long_silence_before"
    /// One of `then` does not come within ``RuleCheck/seconds`` after one of `when`, unless the process ends then or
    /// one of ``RuleCheck/unless`` comes within ``RuleCheck/seconds`` after it.
    case notWithin = "not_within"
    /// When one of `when` comes, no instance of this model is in one of ``RuleCheck/states``.
    case noInstanceInState = "no_instance_in_state"
    /// One instance leaves the screen while another arrives. The callbacks of ``RuleCheck/order`` (`leaving x` and
    /// `arriving y`) come in the order of each pair when both occur. ``RuleCheck/arriving`` restricts it to an arriving
    /// instance that is `new` or `known`.
    case exchange
    /// As ``exchange``; and afterwards the leaving instance gets one of `then` before the run ends.
    case exchangeResponse = "exchange_response"
    /// The state that one of `when` proves is the one derived from the scenes, at latest ``RuleCheck/seconds`` later.
    case agreesWithDerived = "agrees_with_derived"
    /// Never broken: says that something is allowed.
    case permitted
}
