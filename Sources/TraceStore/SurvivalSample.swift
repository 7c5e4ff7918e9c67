import Foundation

/// Where the quantiles of a Kaplan-Meier estimate lie among the completed stays of some kinds.
///
/// The estimate needs to know, of every stay that the end of the log cuts, how many completed stays are as short. These
/// are counted without a sort: most buckets of the histogram lie between two cut stays, and only the values of the other
/// buckets are looked at one by one.
///
/// Source: E. L. Kaplan, P. Meier, Nonparametric estimation from incomplete observations, JASA 53 (1958).
struct SurvivalSample {
    /// The lower bounds of the cut stays, shortest first.
    private let cuts: [Int64]
    /// By bucket: how many cut stays lie in the buckets before it.
    private let cutsBefore: [Int]
    /// How many completed stays lie between a cut stay and the one before it; the last is how many are longer than all.
    private var between: [Int64]

    init(cuts: [Int64]) {
        self.cuts = cuts.sorted()
        var before = [Int](repeating: 0, count: DwellHistogram.size + 1)
        for cut in cuts { before[DwellHistogram.bucket(cut) + 1] += 1 }
        for bucket in 1...DwellHistogram.size { before[bucket] += before[bucket - 1] }
        cutsBefore = before
        between = Array(repeating: 0, count: cuts.count + 1)
    }

    /// Counts the completed stays of all buckets in which no stay is cut.
    mutating func add(_ histogram: DwellHistogram) {
        histogram.forEachBucket { bucket, count in
            if cutsBefore[bucket] == cutsBefore[bucket + 1] { between[cutsBefore[bucket]] += count }
        }
    }

    /// Counts the completed stays of the other buckets.
    mutating func add(_ values: UnsafeBufferPointer<Int64>, sign: Int64) {
        for value in values {
            let bucket = DwellHistogram.bucket(value)
            var (low, high) = (cutsBefore[bucket], cutsBefore[bucket + 1])
            guard low < high else { continue }
            // Stays of one length end before they are cut.
            while low < high {
                let middle = (low + high) / 2
                if cuts[middle] < value { low = middle + 1 } else { high = middle }
            }
            between[low] += sign
        }
    }

    /// The rank, counted from 0 among the completed stays, of the shortest one at which the share of longer stays has
    /// fallen to `1 - share`; `nil` when the log does not reach that far.
    func rank(of share: Double) -> Int64? {
        let all = Double(between.reduce(0, +) + Int64(cuts.count))
        // A hair's breadth, so that a share that is exact on paper is not missed by rounding.
        let wanted = (1 - share + 1e-12) * all
        var weight = 1.0
        var completed: Int64 = 0
        for (cut, count) in between.enumerated() {
            let atRisk = all - Double(completed) - Double(cut)
            let needed = max(1, (atRisk - wanted / weight).rounded(.up))
            if needed <= Double(count) { return completed + Int64(needed) - 1 }
            completed += count
            let left = atRisk - Double(count)
            if left > 1 { weight *= left / (left - 1) }
        }
        return nil
    }
}
