import Testing

@testable import LifecycleSimulator
