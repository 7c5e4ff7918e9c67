import TraceRecords

/// A callback of an instance: what the line says, and what came of it.
struct CallbackEvent: BitwiseCopyable {
    var run: Int32
    var instance: Int32 = -1
    /// Number in the vocabulary, and in the model.
    var callback: UInt16
    var local: UInt16
    var model: UInt8
    var traits: CallbackTraits
    var isReturn: Bool
    /// Hash of the label without regard to case; 0 for none.
    var label: UInt64
    var time: Int64
    var line: Int64

    /// The step that it became; 0 while there is none.
    var step: Int64 = 0
    /// State that it met, unknown where only the event itself shows it; the state before and after as the step has them.
    var met = CompiledModel.unknown
    var before = CompiledModel.unknown
    var after = CompiledModel.unknown
    /// Whether the model documents it there.
    var isLegal = true
    /// Whether it belongs before the line before it, which has the same time.
    var isTie = false
    /// Whether it only reports what scenes decide, or is of the process and not of the app's derived state.
    var isNotification = false

    @inline(__always)
    var isSupplementary: Bool { traits.contains(.isSupplementary) }
}
