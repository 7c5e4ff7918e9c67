import TraceRecords

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A log that is being written, through a buffer of its own.
struct LogFile: ~Copyable {
    /// Number of lines so far.
    private(set) var lines = 0
    private let path: String
    private let descriptor: Int32
    private let buffer: UnsafeMutableRawBufferPointer
    private var used = 0

    private static let capacity = 1 << 20

    /// Creates or replaces the file.
    init(path: String) throws(SimulationError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw .cannotWrite(path: path, reason: String(cString: strerror(errno)))
        }
        self.path = path
        buffer = .allocate(byteCount: Self.capacity, alignment: 16)
    }

    deinit {
        buffer.deallocate()
        close(descriptor)
    }

    /// Writes one line of three parts and a line break.
    mutating func write(_ first: [UInt8], _ second: [UInt8], _ third: [UInt8]) throws(SimulationError) {
        let length = first.count + second.count + third.count + 1
        if used + length > Self.capacity { try flush() }
        append(first)
        append(second)
        append(third)
        buffer[used] = UInt8(ascii: "\n")
        used += 1
        lines += 1
    }

    /// Copies bytes to the end of the buffer, where the caller has made room for them.
    private mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { source in
            UnsafeMutableRawBufferPointer(rebasing: buffer[used...]).copyMemory(from: source)
        }
        used += bytes.count
    }

    /// Writes the buffer to the file.
    mutating func flush() throws(SimulationError) {
        var done = 0
        while done < used {
            #if canImport(Glibc)
                let count = Glibc.write(descriptor, buffer.baseAddress.map { $0 + done }, used - done)
            #elseif canImport(Musl)
                let count = Musl.write(descriptor, buffer.baseAddress.map { $0 + done }, used - done)
            #else
                let count = Darwin.write(descriptor, buffer.baseAddress.map { $0 + done }, used - done)
            #endif
            if count >= 0 {
                done += count
            } else if errno != EINTR {
                throw .cannotWrite(path: path, reason: String(cString: strerror(errno)))
            }
        }
        used = 0
    }
}

/// Prints the times of one log. It reuses the unchanged part of the last time, because most lines share their second.
struct LogClock: Sendable {
    /// `yyyy-MM-dd HH:mm:ss.ffffff+ZZZZ`, or as much of it as the form prints.
    private(set) var text: [UInt8]
    /// Smallest step that is printed, in microseconds.
    let precision: Int
    private let fractionDigits: Int
    private let offset: Int
    private var second: Int = .min
    private var day: Int = .min

    private static let secondsPerDay = 86_400
    private static let fractionPlace = 20

    /// A clock for a zone in minutes east of UTC; without one it prints no zone.
    init(zone: Int?) {
        fractionDigits = zone == nil ? 3 : 6
        precision = zone == nil ? 1_000 : 1
        offset = (zone ?? 0) * 60
        text = Array("0000-00-00 00:00:00.".utf8) + Array(repeating: UInt8(ascii: "0"), count: fractionDigits)
        if let zone {
            let minutes = abs(zone)
            text.append(UInt8(ascii: zone < 0 ? "-" : "+"))
            text += Array(repeating: UInt8(ascii: "0"), count: 4)
            put(minutes / 60, digits: 2, at: text.count - 4)
            put(minutes % 60, digits: 2, at: text.count - 2)
        }
    }

    /// Prints a time, given in microseconds since 1970 UTC, which must be a multiple of the precision.
    mutating func set(_ time: Int) {
        let (utc, fraction) = time.quotientAndRemainder(dividingBy: 1_000_000)
        if utc + offset != second {
            second = utc + offset
            setSecond()
        }
        put(fractionDigits == 3 ? fraction / 1_000 : fraction, digits: fractionDigits, at: Self.fractionPlace)
    }

    private mutating func setSecond() {
        let (today, inDay) = second.quotientAndRemainder(dividingBy: Self.secondsPerDay)
        if today != day {
            day = today
            setDay()
        }
        put(inDay / 3_600, digits: 2, at: 11)
        put(inDay / 60 % 60, digits: 2, at: 14)
        put(inDay % 60, digits: 2, at: 17)
    }

    private mutating func setDay() {
        let date = CivilDate.date(days: Int64(day))
        put(date.year, digits: 4, at: 0)
        put(date.month, digits: 2, at: 5)
        put(date.day, digits: 2, at: 8)
    }

    private mutating func put(_ value: Int, digits: Int, at place: Int) {
        var rest = UInt32(truncatingIfNeeded: value)
        var index = place + digits
        while index > place {
            index -= 1
            text[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }
}

/// How the author of a simulated app logs callbacks.
enum Spelling: CaseIterable, Sendable {
    case objectiveC
    case swift
    case bare
    case tagged

    func message(_ callback: String) -> String {
        let takesApplication = callback.hasSuffix("WithOptions")
        switch self {
        case .objectiveC: return "-[AppDelegate \(takesApplication ? "application:" : "")\(callback):]"
        case .swift: return takesApplication ? "application(_:\(callback):)" : "\(callback)(_:)"
        case .bare: return callback
        case .tagged: return "[Lifecycle] \(callback)"
        }
    }
}

/// What an app logs besides its lifecycle. No message names a callback or a state.
enum Noise {
    static let messages: [String] = [
        "GET https://api.example.com/v2/catalogue?page=3&sort=price 200 in 184 ms, 18234 bytes",
        "cache hit for key thumbnail/8842/large@2x, age 312 s",
        "Decoded 42 items, 0 errors, 3 warnings ignored",
        "[Network] connection 7: TLS 1.3, ALPN h2, reused, rtt 31 ms",
        "nw_protocol_get_quic_image_block_invoke dlopen libquic failed",
        "[Analytics] queued event screen_view {\"screen\":\"cart\",\"items\":2}",
        "Unable to simultaneously satisfy constraints. Probably at least one of the constraints in the following "
            + "list is one you do not want.",
        "CoreData: annotation: fetch using sqlite3 took 0.0021s, 64 rows",
        "[Payment] price list refreshed, 118 entries, currency EUR",
        "Purging 12 images, 4.2 MB",
        "TIC TCP Conn Failed [12:0x600000c4]: 1:61 Err(61)",
        "[Location] fix 52.5200,13.4050 accuracy 12 m",
        "warning: could not load image named \"placeholder-wide\" in asset catalogue",
        "POST https://telemetry.example.com/batch 204 in 96 ms, 1 of 1 delivered",
        "User defaults synchronised, 31 keys",
        "[Sync] merged 5 remote changes, 0 conflicts, revision 20418",
        "BSXPCCnx: com.apple.frontboard.systemappservices/default failed to obtain remote object proxy",
        "Keychain item read, class genp, status 0",
        "[Search] 17 results for \"umbrella\" in 8 ms",
        "Timer fired: poll inbox, next in 60 s",
        "decode error at offset 118: unexpected end of data, retrying with a fresh token",
        "[Store] transaction 100000412 verified",
        "Failed to send CA Event for app launch measurements for ca_event_type: 0",
        "[UI] table reloaded, 24 rows, 3 sections",
    ]
}
