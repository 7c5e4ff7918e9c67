import Testing

@testable import LogReading
