/// Hashes that are the same in every process, so that equal dumps have equal results.
enum StableHash {
    /// Returns the hash of a text.
    static func of(_ text: String) -> UInt64 { of(text.utf8) }

    /// Returns the hash of a text's bytes.
    static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
        // FNV-1a, with its low bits mixed with the high ones at the end, because samples use the low bits.
        mixed(bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 })
    }

    /// Returns the hash of several hashes in order.
    static func combined(_ hash: UInt64, _ next: UInt64) -> UInt64 {
        mixed((hash &* 0x9E37_79B9_7F4A_7C15) ^ next)
    }

    private static func mixed(_ hash: UInt64) -> UInt64 {
        var hash = hash
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return hash ^ hash >> 33
    }
}
