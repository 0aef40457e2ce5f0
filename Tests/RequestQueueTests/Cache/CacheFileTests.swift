import MappingDigests
import TestSupport
import Testing

@testable import RequestQueue

@Suite("The file of a stored response")
struct CacheFileTests {
    private static let name = String(repeating: "0a", count: 16) + "-" + String(repeating: "1b", count: 16) + ".0"

    private let response = CachedResponse(
        status: 203, headers: HTTPHeaders(fields: [.init(name: "A", value: "1"), .init(name: "a", value: "é, \"x\"")]),
        body: Data("body".utf8), requestTime: Date(timeIntervalSince1970: 1_800_000_000.25),
        responseTime: Date(timeIntervalSince1970: -1), variation: Variation(names: ["accept", "b"], digest: "d"))

    @Test func `A stored file is decoded unchanged`() {
        let data = CacheFile.encode(response, name: Self.name)
        #expect(CacheFile.decode(data, name: Self.name) == response)
        // Also within other bytes.
        let padded = Data("before".utf8) + data
        #expect(CacheFile.decode(padded.dropFirst(6), name: Self.name) == response)
        var empty = response
        (empty.body, empty.headers, empty.variation.names) = (Data(), [:], [])
        #expect(CacheFile.decode(CacheFile.encode(empty, name: Self.name), name: Self.name) == empty)
    }

    @Test func `The bytes follow version 2 of the file format`() {
        let data = CacheFile.encode(response, name: Self.name)
        #expect(String(decoding: data.prefix(8), as: UTF8.self) == "MKCACHE\n")
        #expect(Array(data[8..<12]) == [2, 0, 0, 0])
        #expect(SHA256.hex(of: data) == "9d8e42e6e06386c7f08462cb558aa93d1889b24c62b098d2e059199f8ff47c33")
    }

    @Test func `A file with a changed, missing or additional byte is damaged`() {
        let data = CacheFile.encode(response, name: Self.name)
        for index in data.indices {
            for bit in [UInt8(1), 128, 255] {
                var changed = data
                changed[index] ^= bit
                #expect(CacheFile.decode(changed, name: Self.name) == nil, "byte \(index)")
            }
            #expect(CacheFile.decode(data.prefix(index), name: Self.name) == nil, "\(index) bytes")
            #expect(CacheFile.decode(data.dropFirst(index + 1), name: Self.name) == nil)
        }
        for more in [Data([0]), data] { #expect(CacheFile.decode(data + more, name: Self.name) == nil) }
    }

    @Test func `The head is decoded without the body`() throws {
        let data = CacheFile.encode(response, name: Self.name)
        let end = try #require(CacheFile.headEnd(in: data.prefix(88)))
        #expect(end == data.count - response.body.count)
        var head = response
        head.body = Data()
        #expect(CacheFile.decodeHead(data.prefix(end), name: Self.name) == head)
        #expect(CacheFile.decodeHead(data.prefix(end - 1), name: Self.name) == nil)
    }

    @Test func `A renamed file is damaged`() {
        let data = CacheFile.encode(response, name: Self.name)
        #expect(CacheFile.decode(data, name: String(Self.name.dropLast()) + "1") == nil)
    }

    @Test(
        arguments: [
            // Of the head: where, and which bytes are there instead; the checksum is right.
            ("a head longer than the file", 12, [255, 0, 0, 0]), ("a head beyond any limit", 12, [255, 255, 255, 255]),
            ("a body longer than the file", 16, [5, 0, 0, 0, 0, 0, 0, 0]),
            ("a body shorter than the file", 16, [3, 0, 0, 0, 0, 0, 0, 0]),
            ("a body beyond all numbers", 16, [255, 255, 255, 255, 255, 255, 255, 255]),
            ("another version", 8, [1, 0, 0, 0]), ("a name without end", 88, [255, 255, 255, 255]),
            ("a name that is no text", 92, [255]), ("a status that is not stored", 159, [44, 1, 0, 0]),
            ("a time that is no number", 163, [0, 0, 0, 0, 0, 0, 248, 127]),
            ("a time without end", 163, [0, 0, 0, 0, 0, 0, 240, 127]),
            ("names without end", 184, [255, 255, 255, 255]), ("fields without end", 203, [255, 255, 255, 127]),
            ("fewer fields than there are", 203, [1, 0, 0, 0]), ("a field without a name", 207, [0, 0, 0, 0]),
            ("a field that is two", 216, [10]),
        ] as [(String, Int, [UInt8])])
    func `A crafted file with valid checksums and invalid content is damaged`(what: String, offset: Int, bytes: [UInt8])
    {
        var data = CacheFile.encode(response, name: Self.name)
        data.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        var digest = SHA256()
        digest.update(Array(data[..<56] + data[88...].dropLast(response.body.count)))
        data.replaceSubrange(56..<88, with: digest.finalize())
        #expect(CacheFile.decode(data, name: Self.name) == nil, "\(what)")
    }

    @Test func `Random bytes are not a stored response`() {
        var random = SeededGenerator(seed: 7)
        for length in 0..<200 {
            let bytes = Data((0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) })
            #expect(CacheFile.decode(bytes, name: Self.name) == nil)
            #expect(CacheFile.decode(Data("MKCACHE\n".utf8) + [2, 0, 0, 0] + bytes, name: Self.name) == nil)
        }
    }
}
