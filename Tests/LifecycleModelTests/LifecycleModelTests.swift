import Testing

@testable import LifecycleModel
