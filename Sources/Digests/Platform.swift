// The only file that selects between the system's digests and the portable ones.
#if canImport(CryptoKit)
    package import CryptoKit

    package typealias SHA256 = SystemDigest<CryptoKit.SHA256>
    package typealias MD5 = SystemDigest<CryptoKit.Insecure.MD5>

    /// A digest of the system's library.
    package struct SystemDigest<Function: CryptoKit.HashFunction>: Digest {
        private var function = Function()

        package init() {}

        package mutating func update(_ bytes: RawSpan) {
            unsafe bytes.withUnsafeBytes { unsafe function.update(bufferPointer: $0) }
        }

        package mutating func finalize() -> [UInt8] { Array(function.finalize()) }
    }
#else
    package typealias SHA256 = PortableSHA256
    package typealias MD5 = PortableMD5
#endif
