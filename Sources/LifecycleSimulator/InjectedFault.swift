/// Where a fault was injected.
package struct InjectedFault: Sendable, Hashable, Codable {
    package var fault: Fault
    /// Line of the faulty log at which it shows, counted from 1.
    package var line: Int
}
