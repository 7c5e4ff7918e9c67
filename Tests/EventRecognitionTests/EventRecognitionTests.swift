import Testing

@testable import EventRecognition
