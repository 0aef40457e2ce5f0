#if canImport(CryptoKit)
    package import CryptoKit

    /// A digest of the system's library.
    package struct SystemDigest<Function: CryptoKit.HashFunction>: Digest {
        private var function = Function()

        package init() {}

        /// Safe: the pointer does not leave the closure.
        package mutating func update(_ bytes: RawSpan) {
            unsafe bytes.withUnsafeBytes { unsafe function.update(bufferPointer: $0) }
        }

        package mutating func finalize() -> [UInt8] { Array(function.finalize()) }
    }
#endif
