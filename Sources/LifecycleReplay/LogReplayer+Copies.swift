import LifecycleModel
import TraceRecords

/// Lines that were written or pasted twice.
extension LogReplayer {
    /// The instance of the line that a line repeats; `nil` for a line that is new.
    @inline(__always)
    func original(of event: Event, at time: Int64) -> Int64? {
        guard event.copyKey != 0, time != Time.none else { return nil }
        // A copy changes nothing about any run, whether it is read or read back.
        if event.copyKey == Self.knownCopy { return storedWindow?.original(of: storedKey(of: event), at: time) }
        if let original = window.original(of: event.copyKey, at: time) { return original }
        return storedWindow?.original(of: storedKey(of: event), at: time)
    }

    /// Keeps in mind that a line may come again.
    @inline(__always)
    mutating func remember(_ event: Event, of instance: Int64, at time: Int64) {
        guard time != Time.none, event.copyKey != Self.knownCopy else { return }
        if event.copyKey != 0 {
            window.add(event.copyKey, at: time, instance: instance)
        } else {
            let key = storedKey(of: event)
            if storedWindow == nil { storedWindow = CopyWindow() }
            storedWindow?.add(key, at: time, instance: instance)
        }
    }

    /// What a line says, for facts that were read back from the store: their text is not known any more. Of several
    /// bundle identifiers that name one run the store keeps one.
    private func storedKey(of event: Event) -> UInt64 {
        var hash = Hashing.mix(Hashing.start, UInt64(truncatingIfNeeded: event.pid ?? RunState.noPid))
        if !event.namesBundle { hash = Hashing.mix(hash, symbols.text(symbols.number(event.process))) }
        hash = Hashing.mix(hash, UInt64(event.callback ?? CompiledModel.noCallback))
        if event.callback == nil {
            hash = Hashing.mix(hash, event.proof?.rawValue)
            hash = Hashing.mix(hash, symbols.text(symbols.number(event.origin)))
        }
        return Hashing.mix(hash, symbols.text(symbols.number(event.instance)))
    }
}
