/// How the chance of a false alarm is divided among several looks at growing data.
package enum AlphaSpending {
    /// What all looks up to this one may spend: the function of Lan and DeMets (1983) that is like O'Brien and Fleming's
    /// boundaries. Early looks get almost nothing, the last ones almost all.
    package static func spent(alpha: Double, look: Int, of looks: Int) -> Double {
        guard look > 0 else { return 0 }
        guard look < looks else { return alpha }
        let time = Double(look) / Double(looks)
        return 2 * Normal.upperTail(Normal.above(alpha / 2) / time.squareRoot())
    }

    /// What one look may spend: the level of its test. The levels add up to alpha, so that the chance of any false alarm
    /// is at most alpha however the looks depend on each other.
    package static func level(alpha: Double, look: Int, of looks: Int) -> Double {
        spent(alpha: alpha, look: look, of: looks) - spent(alpha: alpha, look: look - 1, of: looks)
    }
}
