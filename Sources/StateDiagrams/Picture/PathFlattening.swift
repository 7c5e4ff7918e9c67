/// Turns paths into straight pieces, and those into dashes.
enum PathFlattening {
    /// The path as lines from point to point.
    static func polylines(_ steps: [Picture.Path.Step]) -> [[Point]] {
        var lines: [[Point]] = []
        var line: [Point] = []
        for step in steps {
            switch step {
            case .move(let p):
                if line.count > 1 { lines.append(line) }
                line = [p]
            case .line(let p): line.append(p)
            case .curve(let a, let b, let d):
                guard let start = line.last else { continue }
                let length = (a - start).length + (b - a).length + (d - b).length
                let pieces = max(4, min(64, Int(length / 4)))
                for piece in 1...pieces {
                    let t = Double(piece) / Double(pieces)
                    let u = 1 - t
                    line.append(start * (u * u * u) + a * (3 * u * u * t) + b * (3 * u * t * t) + d * (t * t * t))
                }
            case .close:
                if let first = line.first { line.append(first) }
            }
        }
        if line.count > 1 { lines.append(line) }
        return lines
    }

    /// The drawn pieces of a line under a dash pattern of lengths drawn and left out in turn.
    static func dashes(of line: [Point], pattern: [Double]) -> [[Point]] {
        guard pattern.reduce(0, +) > 0.1, let first = line.first else { return [line] }
        var pieces: [[Point]] = []
        var piece = [first]
        var place = 0
        var left = pattern[0]
        for (start, end) in zip(line, line.dropFirst()) {
            let length = (end - start).length
            var done = 0.0
            while length - done > left {
                done += left
                let point = start + (end - start) * (done / length)
                if place % 2 == 0 { pieces.append(piece + [point]) }
                piece = [point]
                place += 1
                left = pattern[place % pattern.count]
            }
            left -= length - done
            if place % 2 == 0 { piece.append(end) }
        }
        if place % 2 == 0, piece.count > 1 { pieces.append(piece) }
        return pieces
    }
}
