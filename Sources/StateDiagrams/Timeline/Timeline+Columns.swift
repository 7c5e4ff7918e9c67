extension Timeline.Lane {
    /// The stay that fills most of each of a number of equal columns of an axis; `nil` where there is none.
    ///
    /// - Parameters:
    ///   - left: Where the first column begins on the axis.
    ///   - width: Width of a column.
    func columns(_ scale: TimeScale, count: Int, left: Double, width: Double) -> [Timeline.Stay?] {
        var columns = [Timeline.Stay?](repeating: nil, count: count)
        var filled = [Double](repeating: 0, count: count)
        for stay in stays {
            guard let from = stay.from, let until = stay.until else { continue }
            let start = (scale.x(from) - left) / width
            let end = (scale.x(until) - left) / width
            let first = max(0, Int(start))
            for column in first..<max(first, min(count, max(Int(end.rounded(.up)), Int(start) + 1))) {
                let part = min(end, Double(column + 1)) - max(start, Double(column))
                if columns[column] == nil || part > filled[column] { (columns[column], filled[column]) = (stay, part) }
            }
        }
        return columns
    }
}
