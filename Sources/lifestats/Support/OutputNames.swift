public import ArgumentParser
public import LifeStatsKit

// The words of the command line for what `LifeStatsKit` calls by the same names.
extension OutputFormat: ExpressibleByArgument {}
extension DiagramView: ExpressibleByArgument {}
extension DiagramFormat: ExpressibleByArgument {}
extension CheckFormat: ExpressibleByArgument {}
extension FailOn: ExpressibleByArgument {}
extension ExportFormat: ExpressibleByArgument {}
extension DiagramMetric: ExpressibleByArgument {}
extension DiagramColouring: ExpressibleByArgument {}
extension SuspendGrace: ExpressibleByArgument {}
