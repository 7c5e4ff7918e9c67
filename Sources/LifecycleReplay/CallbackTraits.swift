import LifecycleModel

/// What the replay must know of a callback, in one word.
struct CallbackTraits: OptionSet, Sendable {
    var rawValue: UInt16

    static let beginsRun = CallbackTraits(rawValue: 1 << 0)
    static let endsRun = CallbackTraits(rawValue: 1 << 1)
    static let isSupplementary = CallbackTraits(rawValue: 1 << 2)
    static let beginsInstance = CallbackTraits(rawValue: 1 << 3)
    static let endsInstance = CallbackTraits(rawValue: 1 << 4)
    static let folds = CallbackTraits(rawValue: 1 << 5)
    /// Changes nothing, but shows that the app was launched into the background.
    static let wakesInBackground = CallbackTraits(rawValue: 1 << 6)
    /// No callback of the platform.
    static let isUnknown = CallbackTraits(rawValue: 1 << 7)

    /// Stands for whatever name the platform does not have.
    static let isAnyOther = CallbackTraits(rawValue: 1 << 8)

    init(rawValue: UInt16) { self.rawValue = rawValue }

    init(_ callback: ModelCallback) {
        self = []
        if callback.beginsRun { insert(.beginsRun) }
        if callback.endsRun { insert(.endsRun) }
        if callback.isSupplementary { insert(.isSupplementary) }
        if callback.beginsInstance { insert(.beginsInstance) }
        if callback.endsInstance { insert(.endsInstance) }
        if callback.folds { insert(.folds) }
        if callback.isUnknown { insert(.isUnknown) }
        if callback.isUnknown, callback.spellings.count + callback.beginnings.count > 1 { insert(.isAnyOther) }
        if callback.isSupplementary, callback.during == ["background"] { insert(.wakesInBackground) }
    }
}
