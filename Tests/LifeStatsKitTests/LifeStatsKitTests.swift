import Testing

@testable import LifeStatsKit
