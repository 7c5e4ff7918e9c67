import LifecycleModel
package import TraceRecords

/// Lines that were written or pasted twice.
extension LogReplayer {
    /// What of the lines of a source is still compared with what comes: kept with the source, it lets a log that is read
    /// on know copies of the lines before, see ``ReplayOptions/copyKeys``.
    package func copyKeys(of source: Int32) -> [CopyKey] { window.lines(of: source) }

    /// The line that a line repeats; `nil` for a line that is new.
    ///
    /// A copy of a line of a run that can't go on is new, as any other line of the run would be.
    @inline(__always)
    func original(of event: Event, at time: Int64) -> CopyWindow.Original? {
        guard time != Time.none else { return nil }
        // A copy changes nothing about any run, whether it is read or read back.
        if event.copyKey == Self.knownCopy {
            return storedWindow?.original(of: storedKey(of: event), at: time)
        }
        // An older rotation that turned up may have told what a line says that was read before.
        let key = event.copyKey == 0 ? storedKeys.key(source: source, line: event.line) : event.copyKey
        guard let key, let original = window.original(of: key, at: time),
            runs[Int(original.run)].serial == original.serial
        else { return nil }
        return original
    }

    /// Keeps in mind that a line may come again.
    @inline(__always)
    mutating func remember(_ event: Event, of slot: Int32, at time: Int64) {
        guard time != Time.none, event.copyKey != Self.knownCopy else { return }
        let instance = instances[Int(slot)]
        let original = CopyWindow.Original(
            instance: instance.id, run: instance.run, serial: runs[Int(instance.run)].serial)
        if event.copyKey != 0 {
            window.add(CopyKey(source: source, line: event.line, key: event.copyKey), at: time, original)
        } else {
            rememberStored(event, original, at: time)
        }
    }

    /// The same for a line that was read back: its text is not known any more, but perhaps the key that it had.
    private mutating func rememberStored(_ event: Event, _ original: CopyWindow.Original, at time: Int64) {
        if storedWindow == nil { storedWindow = CopyWindow() }
        var line = CopyKey(source: source, line: event.line, key: storedKey(of: event))
        storedWindow?.add(line, at: time, original)
        guard let key = storedKeys.take(source: source, line: event.line, passingOver: &window) else { return }
        line.key = key
        window.add(line, at: time, original)
    }

    /// What a line says, for facts that were found to be copies when they were read.
    private func storedKey(of event: Event) -> UInt64 {
        var hash = Hashing.mix(Hashing.start, UInt64(truncatingIfNeeded: event.pid ?? RunState.noPid))
        hash = Hashing.mix(hash, symbols.text(symbols.number(event.process)))
        hash = Hashing.mix(hash, UInt64(event.callback ?? CompiledModel.noCallback))
        if event.callback == nil {
            hash = Hashing.mix(hash, event.proof?.rawValue)
            hash = Hashing.mix(hash, symbols.text(symbols.number(event.origin)))
        }
        return Hashing.mix(hash, symbols.text(symbols.number(event.instance)))
    }
}
