/// A stream made from the bytes of another: whether and how long to wait for more is the other's affair.
protocol LayeredStream: ByteStream {
    /// The stream below.
    var source: any ByteStream { get }
}

extension LayeredStream {
    var isLive: Bool { source.isLive }
    var patience: Int32 {
        get { source.patience }
        set { source.patience = newValue }
    }
    var hasEnded: Bool { source.hasEnded }
}
