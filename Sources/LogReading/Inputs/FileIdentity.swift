/// What tells whether two paths lead to the same file.
struct FileIdentity: Hashable {
    var device: UInt64
    var inode: UInt64

    init(_ status: SystemCalls.Status) {
        device = status.device
        inode = status.inode
    }
}
