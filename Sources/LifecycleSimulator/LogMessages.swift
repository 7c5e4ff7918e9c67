/// How the author of a simulated app logs callbacks.
enum Spelling: CaseIterable, Sendable {
    case objectiveC
    case swift
    case bare
    case tagged

    /// The message for a callback.
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
