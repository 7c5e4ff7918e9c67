/// The times of entries.
extension EntryScanner {
    /// The time of an entry, with the zone that its layout says where the line says none.
    @inline(__always)
    mutating func time(_ raw: RawTime, _ layout: Int) -> Int64? {
        guard raw.zone == RawTime.noZone, zones[layout] != RawTime.noZone else { return context.resolve(raw) }
        var raw = raw
        raw.zone = zones[layout]
        context.zoneOfLayout = layouts[layout].zone?.name
        return context.resolve(raw)
    }
}
