// The only file that selects between the system's digests and the portable ones.
#if canImport(CryptoKit)
    package import CryptoKit

    package typealias SHA256 = SystemDigest<CryptoKit.SHA256>
    package typealias MD5 = SystemDigest<CryptoKit.Insecure.MD5>
#else
    package typealias SHA256 = PortableSHA256
    package typealias MD5 = PortableMD5
#endif
