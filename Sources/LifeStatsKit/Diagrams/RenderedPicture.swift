/// A picture in the bytes of its file format.
public struct RenderedPicture: Sendable {
    public var bytes: [UInt8]
    /// What it shows, in a few words.
    public var summary: String
}
