import Foundation
import TraceRecords

/// A log that is being written, through a buffer of its own.
struct LogFile {
    /// Number of lines so far.
    private(set) var lines = 0
    private let path: String
    private let handle: FileHandle
    private var buffer = Data()

    private static let capacity = 1 << 20

    /// Creates or replaces the file.
    init(path: String) throws(SimulationError) {
        self.path = path
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .cannotWrite(path: path, reason: String(cString: strerror(errno))) }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Writes one line of three parts and a line break.
    mutating func write(_ first: [UInt8], _ second: [UInt8], _ third: [UInt8]) throws(SimulationError) {
        if buffer.count > Self.capacity { try flush() }
        buffer += first
        buffer += second
        buffer += third
        buffer.append(UInt8(ascii: "\n"))
        lines += 1
    }

    /// Writes the buffer to the file; where that fails, no part of a log is left.
    mutating func flush() throws(SimulationError) {
        var rest = buffer[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(handle.fileDescriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                // Foundation's own error would not say why.
                let reason = String(cString: strerror(errno))
                unlink(path)
                throw .cannotWrite(path: path, reason: reason)
            }
            rest = rest.dropFirst(count)
        }
        buffer.removeAll(keepingCapacity: true)
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
