/// What tells whether two paths lead to the same file.
package struct FileIdentity: Hashable, Sendable {
    private var device: UInt64
    private var inode: UInt64

    init(_ status: SystemCalls.Status) {
        device = status.device
        inode = status.inode
    }
}
