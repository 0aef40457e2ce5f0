import Foundation
import Testing

@testable import MappingDigests

@Suite struct `Digests` {
    struct Vector: Sendable, CustomTestStringConvertible {
        /// Repeated `count` times.
        let text: String
        var count = 1
        let digest: String

        var message: [UInt8] { Array(String(repeating: text, count: count).utf8) }
        var testDescription: String { count == 1 ? text : "\(count) times \(text)" }
    }

    /// Messages of FIPS 180-4 and RFC 6234 with their SHA-256.
    static let sha256Vectors = [
        Vector(text: "", digest: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        Vector(text: "\u{19}", digest: "68aa2e2ee5dff96e3355e6c7ee373e3d6a4e17f75f9518d843709c0c9bc3e3d4"),
        Vector(text: "abc", digest: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        Vector(
            text: "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            digest: "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
        Vector(
            text:
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            digest: "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"),
        Vector(
            text: "01234567", count: 80, digest: "594847328451bdfa85056225462cc1d867d877fb388df0ce35f25ab5562bfbb5"),
        Vector(
            text: "a", count: 1_000_000, digest: "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ]

    @Test(arguments: PortableSHA256.Implementation.available, sha256Vectors)
    func `SHA-256 computes the digests of FIPS 180-4 and RFC 6234`(
        implementation: PortableSHA256.Implementation, vector: Vector
    ) {
        #expect(sha256(vector.message, by: implementation) == vector.digest)
        #expect(SHA256.hex(of: vector.message) == vector.digest)
    }

    @Test(arguments: PortableSHA256.Implementation.available)
    func `every implementation of SHA-256 gives the same digest of any length`(
        implementation: PortableSHA256.Implementation
    ) {
        for length in 0...200 {
            let message = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ length) }
            let expected = sha256(message, by: .swift)
            #expect(sha256(message, by: implementation) == expected, "\(length) bytes")
            for piece in [1, 7, 63, 64, 65, 128] {
                #expect(sha256(message, by: implementation, piece: piece) == expected, "\(length) bytes, \(piece) each")
            }
        }
    }

    /// The features of the processor as Linux lists them; empty on other systems.
    static let processorFeatures: Set<Substring> = {
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("flags") || $0.hasPrefix("Features") }
        return Set(line?.split(whereSeparator: \.isWhitespace) ?? [])
    }()

    @Test(.enabled(if: !processorFeatures.isEmpty))
    func `SHA-256 uses the instructions of a processor that has them`() {
        let hasInstructions = !Self.processorFeatures.isDisjoint(with: ["sha_ni", "sha2"])
        #expect(PortableSHA256.Implementation.preferred == (hasInstructions ? .processor : .swift))
    }

    /// The SHA-256 of a message that is passed in pieces, or in one.
    private func sha256(
        _ message: [UInt8], by implementation: PortableSHA256.Implementation, piece: Int? = nil
    ) -> String {
        var digest = PortableSHA256(implementation)
        let length = piece ?? max(1, message.count)
        for start in stride(from: 0, to: message.count, by: length) {
            digest.update(Array(message[start..<min(start + length, message.count)]))
        }
        return digest.finalizeHex()
    }

    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"),
        ("a", "0cc175b9c0f1b6a831c399e269772661"),
        ("abc", "900150983cd24fb0d6963f7d28e17f72"),
        ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
        (
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
            "d174ab98d277d9f5a5611c2c9f419d9f"
        ),
        (
            "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
            "57edf4a22be3c955ac49da2e2107b67a"
        ),
    ])
    func `MD5 computes the digests of RFC 1321`(message: String, digest: String) {
        #expect(PortableMD5.hex(of: message.utf8) == digest)
        #expect(MD5.hex(of: message.utf8) == digest)
    }

    @Test func `MD5 hashes a million letters`() {
        let message = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
        #expect(PortableMD5.hex(of: message) == "7707d6ae4e027c70eea2a935c2296f21")
    }

    @Test(arguments: [1, 3, 55, 56, 63, 64, 65, 119, 127, 128, 129])
    func `pieces of any length have the digest of the whole`(length: Int) {
        let message = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for implementation in PortableSHA256.Implementation.available {
            #expect(sha256(message, by: implementation, piece: length) == sha256(message, by: implementation))
        }
        var md5 = PortableMD5()
        for start in stride(from: 0, to: message.count, by: length) {
            md5.update(Array(message[start..<min(start + length, message.count)]))
        }
        #expect(md5.finalizeHex() == PortableMD5.hex(of: message))
    }
}
