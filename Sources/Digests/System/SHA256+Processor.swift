import CSHA256

extension PortableSHA256 {
    /// Adds whole blocks to a state by the processor's instructions.
    ///
    /// Safe: the state is the 8 words that the function updates, and it reads no more than the whole blocks of the span.
    static func compressByProcessor(_ blocks: RawSpan, into state: inout State) {
        unsafe withUnsafeMutableBytes(of: &state) { words in
            unsafe blocks.withUnsafeBytes { blocks in
                unsafe mappingkit_sha256_compress(
                    words.assumingMemoryBound(to: UInt32.self).baseAddress, blocks.baseAddress, blocks.count / 64)
            }
        }
    }
}
