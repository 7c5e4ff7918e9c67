import Testing

@testable import TraceRecords
