/// Times of pictures, in nanoseconds since 1970 UTC.
package enum DrawnTime {
    /// A time from 1823 to 2116: the difference of any two can be worked out, whatever a damaged database says.
    package static func bounded(_ time: Int64) -> Int64 {
        let most: Int64 = 1 << 62 - 1
        return min(max(time, -most), most)
    }
}
