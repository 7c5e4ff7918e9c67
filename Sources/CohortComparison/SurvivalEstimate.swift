/// How long stays last: the estimate of Kaplan and Meier (1958), in which a stay that was cut counts as going on up to
/// its length.
package struct SurvivalEstimate: Sendable {
    /// Stays of one length.
    struct Group: Sendable {
        /// The length, in seconds.
        var time: Double
        /// Stays that last at least as long, and those that end then.
        var atRisk: Double
        var ended: Double
        /// Share of stays that last longer.
        var share: Double
        /// Place after the last stay of the group, in the order of the stays.
        var end: Int
    }

    /// The stays in the order of their lengths.
    let stays: [Stay]
    let groups: [Group]

    package init(_ stays: [Stay]) {
        self.init(sorted: stays.sorted { $0.length < $1.length })
    }

    /// - Parameter stays: in the order of their lengths.
    init(sorted stays: [Stay]) {
        self.stays = stays
        var groups: [Group] = []
        var (start, share) = (0, 1.0)
        while start < stays.count {
            let time = stays[start].length
            var (end, ended) = (start, 0.0)
            while end < stays.count, stays[end].length == time {
                if stays[end].isEnded { ended += 1 }
                end += 1
            }
            let atRisk = Double(stays.count - start)
            share *= 1 - ended / atRisk
            groups.append(Group(time: time, atRisk: atRisk, ended: ended, share: share, end: end))
            start = end
        }
        self.groups = groups
    }

    /// The stays of one cohort.
    func restricted(toB isB: Bool, _ isInB: [Bool]) -> SurvivalEstimate {
        SurvivalEstimate(sorted: stays.filter { isInB[Int($0.unit)] == isB })
    }

    /// The shortest time after which at most this share of stays is still going on; `nil` when the log is too short.
    ///
    /// The small constant catches a share that is exact on paper but a little more in binary.
    func time(whereAtMost share: Double) -> Double? {
        groups.first { $0.share <= share + 1e-12 }?.time
    }

    /// Mean of the stays up to a horizon (the restricted mean): the area below the curve.
    func restrictedMean(horizon: Double) -> Double {
        areas(to: horizon).mean
    }

    /// The horizon of restricted means: the time by which 90 % of the stays have ended, or the last seen end when that
    /// is not known. Beyond it are the few stays that would determine a mean by themselves.
    var horizon: Double {
        time(whereAtMost: 0.1) ?? groups.last { $0.ended > 0 }?.time ?? groups.last?.time ?? 0
    }

    /// The restricted mean, and the area below the curve from each group's time on.
    private func areas(to horizon: Double) -> (mean: Double, rest: [Double]) {
        var rest = [Double](repeating: 0, count: groups.count)
        var (next, area) = (horizon, 0.0)
        for index in groups.indices.reversed() where groups[index].time < horizon {
            area += groups[index].share * (next - groups[index].time)
            rest[index] = area
            next = groups[index].time
        }
        return (area + next, rest)
    }

    /// What each unit adds to the restricted mean, and how many stays it has: sum over sum is the restricted mean.
    ///
    /// A stay adds the mean and its influence on it (the derivative of the mean by the weight of the stay). Without cut
    /// stays that is its length, up to the horizon. The influence is a martingale in time: its mean is zero in both
    /// cohorts when they stay alike, even if one was watched for longer.
    func unitSums(horizon: Double, units: Int) -> (numerators: [Double], denominators: [Double]) {
        let (mean, rest) = areas(to: horizon)
        return sums(units: units) { groups, index in
            // Where all that are left end together, the curve is 0 and nothing can change it.
            let left = groups[index].atRisk - groups[index].ended
            guard left > 0 else { return (0, 0) }
            return (rest[index] / left, rest[index] * groups[index].ended / (groups[index].atRisk * left))
        } value: {
            mean - Double(stays.count) * $0
        }
    }

    /// Standard error of the share of stays that last longer than a time, from the sums of its units.
    func standardError(at time: Double, units: Int) -> Double {
        let share = groups.last { $0.time <= time }?.share ?? 1
        let sums = sums(units: units) { groups, index in
            let left = groups[index].atRisk - groups[index].ended
            guard groups[index].time <= time, left > 0 else { return (0, 0) }
            return (1 / left, groups[index].ended / (groups[index].atRisk * left))
        } value: {
            share * $0
        }
        let counted = Double(sums.denominators.count { $0 > 0 })
        guard counted > 1 else { return .infinity }
        return (sums.numerators.reduce(0) { $0 + $1 * $1 } * counted / (counted - 1)).squareRoot()
    }

    /// A point of the curve: the share still going on after a time, and its 95 % interval.
    package struct CurvePoint: Sendable, Hashable {
        package var seconds: Double
        package var share: Double
        package var band: ClosedRange<Double>
    }

    /// The curve at its steps, or about a hundred of them where there are more.
    ///
    /// - Parameter units: all units; the differences between them give the intervals, as with medians.
    package func curve(units: Int) -> [CurvePoint] {
        let factor = marginFactor ?? .infinity
        var points: [CurvePoint] = []
        for group in groups where group.ended > 0 {
            let last = points.last?.share ?? 1
            let isMedian = last > 0.5 + 1e-12 && group.share <= 0.5 + 1e-12
            guard isMedian || last - group.share >= 0.01 || group.share <= 1e-12 else { continue }
            let margin = factor * standardError(at: group.time, units: units)
            let band = max(0, group.share - margin)...min(1, max(group.share + margin, 0))
            points.append(CurvePoint(seconds: group.time, share: group.share, band: band))
        }
        return points
    }

    /// How many standard errors a 95 % interval reaches to each side; `nil` where there is only one unit.
    private var marginFactor: Double? {
        let counted = Set(stays.map(\.unit)).count
        return counted > 1 ? Normal.studentQuantile(0.975, degrees: counted - 1) : nil
    }

    /// Sums over the stays of each unit: of a value of what ended (`jump`) minus what was expected to (`drift`).
    private func sums(
        units: Int, hazard: ([Group], Int) -> (jump: Double, drift: Double), value: (Double) -> Double
    ) -> (numerators: [Double], denominators: [Double]) {
        var numerators = [Double](repeating: 0, count: units)
        var denominators = numerators
        var (start, expected) = (0, 0.0)
        for index in groups.indices {
            let (jump, drift) = hazard(groups, index)
            expected += drift
            let (seen, cut) = (value(jump - expected), value(-expected))
            for stay in stays[start..<groups[index].end] {
                numerators[Int(stay.unit)] += stay.isEnded ? seen : cut
                denominators[Int(stay.unit)] += 1
            }
            start = groups[index].end
        }
        return (numerators, denominators)
    }
}

extension SurvivalEstimate {
    /// A quantile with its interval.
    package struct Quantile: Sendable, Hashable {
        /// In seconds.
        package var value: Double
        /// Bounds of the 95 % interval; `nil` where the log is too short to show them.
        package var low: Double?
        package var high: Double?
    }

    /// The median, with an interval after Woodruff (1952): the times at which the curve crosses a half, plus and minus
    /// its standard error over the units.
    func median(units: Int) -> Quantile? {
        guard let median = time(whereAtMost: 0.5) else { return nil }
        guard let marginFactor else { return Quantile(value: median) }
        let margin = marginFactor * standardError(at: median, units: units)
        return Quantile(
            value: median, low: time(whereAtMost: min(1, 0.5 + margin)),
            high: margin < 0.5 ? time(whereAtMost: 0.5 - margin) : nil)
    }

    /// The log-rank test of two cohorts, as other programs compute it: every stay counts as independent of every other.
    package struct LogRank: Sendable, Hashable {
        package var chiSquared: Double
        package var p: Double
    }

    /// - Returns: `nil` when nothing ended that could have ended in both cohorts.
    package func logRank(_ isInB: [Bool]) -> LogRank? {
        var (difference, variance) = (0.0, 0.0)
        var atRiskB = Double(stays.count { isInB[Int($0.unit)] })
        var start = 0
        for group in groups {
            let here = stays[start..<group.end]
            let endedB = Double(here.count { $0.isEnded && isInB[Int($0.unit)] })
            let shareB = atRiskB / group.atRisk
            difference += endedB - group.ended * shareB
            if group.atRisk > 1 {
                variance +=
                    group.ended * shareB * (1 - shareB) * (group.atRisk - group.ended) / (group.atRisk - 1)
            }
            atRiskB -= Double(here.count { isInB[Int($0.unit)] })
            start = group.end
        }
        guard variance > 0 else { return nil }
        let chiSquared = difference * difference / variance
        return LogRank(chiSquared: chiSquared, p: 2 * Normal.upperTail(chiSquared.squareRoot()))
    }
}
