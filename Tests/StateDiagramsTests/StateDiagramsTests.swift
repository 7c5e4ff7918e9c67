import Testing

@testable import StateDiagrams
