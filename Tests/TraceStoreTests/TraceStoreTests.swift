import Testing

@testable import TraceStore
