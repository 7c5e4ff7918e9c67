/// What the line of a step says otherwise than the first line of its run that says anything of it.
public struct OtherNames: Sendable, Hashable {
    /// Row id of the step.
    public var step: Int64
    /// The name of its process, or its bundle; `nil` where it is that of the first line.
    public var name: String?
    /// The same of the device.
    public var device: String?

    public init(step: Int64, name: String?, device: String?) {
        self.step = step
        self.name = name
        self.device = device
    }
}
