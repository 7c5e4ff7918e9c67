/// What the line of a step says otherwise than the first line of its run, or of its instance, that says anything of it.
public struct OtherNames: Sendable, Hashable {
    /// Row id of the step.
    public var step: Int64
    /// The name of its process, or its bundle; `nil` where it is that of the first line.
    public var name: String?
    /// The same of the device.
    public var device: String?
    /// The label; `nil` where it is that of the instance, or the line has none.
    public var label: String?

    public init(step: Int64, name: String?, device: String?, label: String? = nil) {
        self.step = step
        self.name = name
        self.device = device
        self.label = label
    }
}
