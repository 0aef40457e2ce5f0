import Testing

@testable import Digests

@Suite struct `Digests` {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
    ])
    func `SHA-256 gives the digests of FIPS 180-4`(message: String, digest: String) {
        #expect(PortableSHA256.hex(of: message.utf8) == digest)
        #expect(SHA256.hex(of: message.utf8) == digest)
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
    func `MD5 gives the digests of RFC 1321`(message: String, digest: String) {
        #expect(PortableMD5.hex(of: message.utf8) == digest)
        #expect(MD5.hex(of: message.utf8) == digest)
    }

    @Test func `a million times the letter a`() {
        let message = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
        #expect(
            PortableSHA256.hex(of: message) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
        #expect(PortableMD5.hex(of: message) == "7707d6ae4e027c70eea2a935c2296f21")
    }

    @Test(arguments: [1, 3, 55, 56, 63, 64, 65, 119, 127, 128, 129])
    func `pieces of any length give the digest of the whole`(length: Int) {
        let message = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var sha = PortableSHA256()
        var md5 = PortableMD5()
        for start in stride(from: 0, to: message.count, by: length) {
            let piece = Array(message[start..<min(start + length, message.count)])
            sha.update(piece)
            md5.update(piece)
        }
        #expect(sha.finalizeHex() == PortableSHA256.hex(of: message))
        #expect(md5.finalizeHex() == PortableMD5.hex(of: message))
    }
}
