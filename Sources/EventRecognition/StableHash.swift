/// Mixing of 64-bit numbers that gives the same result in every run of the program, unlike `Hasher`: what it yields is
/// stored beside facts and compared with facts of earlier ingests.
enum StableHash {
    /// Folds the product with an odd constant, so that every bit of the input reaches every bit of the result.
    @inline(__always)
    static func mix(_ value: UInt64) -> UInt64 {
        let product = (value ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
        return product.high ^ product.low
    }
}
