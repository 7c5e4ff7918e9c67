package import LifecycleModel

/// Everything that a replay looks up and nothing changes: the models and what follows from the options.
///
/// A class, so that a function of the hot path counts one reference and reads every table without a further one.
package final class ReplayPlan: Sendable {
    let catalog: CompiledCatalog
    let settings: ReplaySettings
    let rules: RuleBook
    let limits: LimitBook
    let scenarios: ScenarioBook

    /// - Parameters:
    ///   - catalog: the models, the same as recognition used.
    ///   - options: of which profile, configuration and version of the system count.
    package init(_ catalog: ModelCatalog, _ options: ReplayOptions) {
        let compiled = CompiledCatalog(catalog)
        let settings = ReplaySettings(catalog, options)
        self.catalog = compiled
        self.settings = settings
        rules = RuleBook(catalog, compiled: compiled, settings: settings)
        limits = LimitBook(catalog, compiled: compiled, settings: settings)
        scenarios = ScenarioBook(catalog, compiled: compiled, settings: settings)
    }
}
