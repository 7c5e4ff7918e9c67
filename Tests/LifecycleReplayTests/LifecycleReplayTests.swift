import Testing

@testable import LifecycleReplay
