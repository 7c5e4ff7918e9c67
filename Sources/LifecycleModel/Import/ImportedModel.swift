/// A model read from the file of another tool.
package struct ImportedModel: Sendable {
    package var model: LifecycleModel
    /// What the file or the model says and the other has nothing for, one sentence each.
    package var remarks: [String] = []
}
