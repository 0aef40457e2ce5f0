import CMappingSHA256

extension PortableSHA256 {
    /// Adds complete blocks to a state with the processor's instructions.
    ///
    /// Safe: the function updates the 8 words of the state, and reads only the complete blocks of the span.
    static func compressByProcessor(_ blocks: RawSpan, into state: inout State) {
        unsafe withUnsafeMutableBytes(of: &state) { words in
            unsafe blocks.withUnsafeBytes { blocks in
                unsafe mappingkit_sha256_compress(
                    words.assumingMemoryBound(to: UInt32.self).baseAddress, blocks.baseAddress, blocks.count / 64)
            }
        }
    }
}
