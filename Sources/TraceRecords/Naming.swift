/// How a line names its process, its device and its scene or view controller. Which run and which instance the line
/// belongs to is found out from all lines, and found out again when there are others; what the line itself says is kept as
/// it says it.
public struct Naming: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// By the identifier of its bundle.
    public static let byBundle = Naming(rawValue: 1)
    /// Not at all.
    public static let withoutName = Naming(rawValue: 2)
    /// Without its process id.
    public static let withoutPid = Naming(rawValue: 4)
    /// Without the device.
    public static let withoutDevice = Naming(rawValue: 8)
    /// A callback without a label: a later line may give one to its instance.
    public static let withoutLabel = Naming(rawValue: 16)
}
