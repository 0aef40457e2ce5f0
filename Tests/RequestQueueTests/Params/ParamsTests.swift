import Foundation
import RequestQueue
import Synchronization
import TestSupport
import Testing

@Suite("Params")
struct ParamsTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func text(_ body: some RequestSerializable) async throws -> String {
        String(decoding: try await bytes(of: RequestBody(body).open()), as: UTF8.self)
    }

    @Test func `A form of all kinds of parts is sent according to RFC 7578`() async throws {
        let params = Params(makeBoundary: { "+B+" })
        params.set("Blue kettle", for: "title")
        params.set(7, for: "count")
        params.set(data: Data("png".utf8), fileName: "kettle.png", for: "photo")
        params.set(data: Data("raw".utf8), for: "raw")
        let film = try params.set(file: folder.write("film", to: "a film.mov"), for: "film")
        film.mimeType = "video/mp4"
        params.set(stream: StreamBody { ScriptedStream([.bytes("log")]) }, fileName: "x.unknown", for: "log")
        params.set("Red kettle", for: "title")
        #expect(params.contentType == "multipart/form-data; boundary=+B+")
        #expect(
            try await text(params)
                == """
                --+B+
                Content-Disposition: form-data; name="title"

                Blue kettle
                --+B+
                Content-Disposition: form-data; name="count"

                7
                --+B+
                Content-Disposition: form-data; name="photo"; filename="kettle.png"
                Content-Type: image/png

                png
                --+B+
                Content-Disposition: form-data; name="raw"

                raw
                --+B+
                Content-Disposition: form-data; name="film"; filename="a film.mov"
                Content-Type: video/mp4

                film
                --+B+
                Content-Disposition: form-data; name="log"; filename="x.unknown"
                Content-Type: application/octet-stream

                log
                --+B+
                Content-Disposition: form-data; name="title"

                Red kettle
                --+B+--

                """.replacingOccurrences(of: "\n", with: "\r\n"))
        #expect(params.attachments.map(\.name) == ["title", "count", "photo", "raw", "film", "log", "title"])
        #expect(params.attachments.map(\.contentLength) == [11, 1, 3, 3, 4, nil, 10])
        #expect(params.contentLength == nil)
    }

    @Test func `Values are sent as strings`() async throws {
        let date = Date(timeIntervalSince1970: 1_763_709_780)
        let values: [(any FormText, String)] = [
            ("ä", "ä"), ("abc".dropFirst(), "bc"), (-7, "-7"), (UInt64.max, "18446744073709551615"), (0.1, "0.1"),
            (1e100, "1e+100"), (Float(2.5), "2.5"), (true, "true"), (false, "false"), (date, "2025-11-21T07:23:00Z"),
            (date + 0.25, "2025-11-21T07:23:00.250Z"), (date + 0.9999, "2025-11-21T07:23:01Z"),
            (Decimal(string: "1.10") ?? 0, "1.1"), (URL(fileURLWithPath: "/a b"), "file:///a%20b"),
            (
                UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)),
                "00010203-0405-0607-0809-0A0B0C0D0E0F"
            ),
        ]
        for (value, expected) in values {
            #expect(value.formText == expected)
            let params = Params()
            #expect(params.set(value, for: "a").contentLength == Int64(expected.utf8.count))
            #expect(try await text(params).contains("\r\n\r\n\(expected)\r\n--"))
        }
    }

    @Test func `A dictionary is a form in the order of its keys, with lists and dictionaries as several fields`()
        async throws
    {
        let none: String? = nil
        let params = Params([
            "b": 2, "a": "1", "list": ["x", "y"], "none": none, "some": Optional(true),
            "deep": ["z": ["k": [1, 2]], "y": ["k": []]],
        ])
        let expected = [
            ("a", "1"), ("b", "2"), ("deep[z][k][]", "1"), ("deep[z][k][]", "2"), ("list[]", "x"), ("list[]", "y"),
            ("some", "true"),
        ]
        #expect(params.attachments.map(\.name) == expected.map(\.0))
        let sent = try await text(params)
        for (name, text) in expected { #expect(sent.contains("name=\"\(name)\"\r\n\r\n\(text)\r\n")) }
    }

    @Test func `A form without parts is only the closing line`() async throws {
        let params = Params(makeBoundary: { "+B+" })
        #expect(params.contentLength == 9)
        #expect(try await text(params) == "--+B+--\r\n")
    }

    @Test func `A request has a copy of the form`() async throws {
        let params = Params(makeBoundary: { "+B+" })
        let photo = params.set(data: Data("png".utf8), fileName: "a.png", for: "photo")
        let body = try RequestBody(params)
        let before = try await bytes(of: body.open())
        photo.fileName = "other.gif"
        photo.mimeType = "text/plain"
        params.set("more", for: "title")
        #expect(try await bytes(of: body.open()) == before)
        #expect(body.length == Int64(before.count))
        #expect(try await text(params).contains("filename=\"other.gif\"\r\nContent-Type: text/plain\r\n"))
    }

    @Test func `The MIME type follows the file name until it is set`() throws {
        let params = Params()
        let file = try params.set(file: folder.write("a", to: "a.PNG"), for: "a")
        #expect(file.fileName == "a.PNG")
        #expect(file.mimeType == "image/png")
        file.fileName = "a.unknown"
        #expect(file.mimeType == "application/octet-stream")
        file.fileName = nil
        #expect(file.mimeType == nil)
        file.mimeType = "text/csv"
        file.fileName = "a.png"
        #expect(file.mimeType == "text/csv")
        file.mimeType = nil
        #expect(file.mimeType == "image/png")
    }

    @Test func `A stream's content type is that of its part`() {
        let params = Params()
        let stream = StreamBody(contentType: "text/csv") { ScriptedStream([]) }
        #expect(params.set(stream: stream, for: "a").mimeType == "text/csv")
        #expect(params.set(stream: stream, fileName: "a.png", mimeType: "image/png", for: "a").mimeType == "image/png")
        let plain = StreamBody { ScriptedStream([]) }
        #expect(params.set(stream: plain, fileName: "a.png", for: "a").mimeType == "image/png")
        #expect(params.set(stream: plain, for: "a").mimeType == nil)
    }

    @Test func `Only the last component of a file's path is sent`() throws {
        let params = Params()
        #expect(try params.set(file: folder.write("a", to: "deep/er/a.txt"), for: "a").fileName == "a.txt")
        #expect(try params.set(file: folder.write("a", to: "C:\\dir\\b.txt"), for: "a").fileName == "b.txt")
    }

    @Test func `A missing file is an error, and adds no part`() throws {
        let params = Params()
        let error = try #require(throws: RequestError.self) { try params.set(file: folder.file("missing"), for: "a") }
        #expect(error.kind == .bodyUnreadable)
        #expect(error.cause == "the file '\(folder.path)/missing' cannot be read: No such file or directory")
        #expect(params.attachments.isEmpty)
    }

    @Test func `A boundary is random and needs no quotes`() {
        let boundaries = Set((1...100).map { _ in Params().boundary })
        #expect(boundaries.count == 100)
        for boundary in boundaries {
            #expect(boundary.wholeMatch(of: /MappingKit-[0-9a-f]{32}/) != nil)
        }
    }

    @Test(arguments: [
        "x\r\n--B1\r\nContent-Disposition: form-data; name=\"evil\"\r\n\r\ninjected", "B1", "B2 B1", "aB1",
    ])
    func `A boundary that occurs in a part is replaced`(text content: String) async throws {
        let makers = Counter()
        let params = Params(makeBoundary: { "B\(makers.next())" })
        params.set("innocent", for: "a")
        #expect(params.boundary == "B1")
        params.set(content, for: "b")
        let expected = params.boundary
        #expect(content.contains("B2") ? expected.hasPrefix("MappingKit-") : expected == "B2")
        let sent = try await text(params)
        #expect(sent.components(separatedBy: "--\(expected)").count == 4)
        #expect(sent.contains(content))
        params.set(data: Data(expected.utf8), for: "c")
        #expect(params.boundary != expected)
    }

    @Test func `A boundary is found at any position`() {
        var generator = SeededGenerator(seed: 3)
        let boundary = Boundary.random()
        for size in [0, 1, 42, 43, 44, 1000] {
            let noise = generator.data(count: size)
            #expect(!Boundary.occurs(boundary, in: noise))
            #expect(!Boundary.occurs(boundary, in: noise + Data(boundary.utf8.dropLast())))
            #expect(!Boundary.occurs(boundary, in: Data(boundary.utf8.dropFirst()) + noise))
            for place in [0, size / 3, size] {
                let data = noise.prefix(place) + Data(boundary.utf8) + noise.dropFirst(place)
                #expect(Boundary.occurs(boundary, in: data))
                #expect(Boundary.occurs(boundary, in: (Data([1, 2]) + data).dropFirst(2)))
            }
        }
        #expect(Boundary.occurs("aab", in: Data("aaaab".utf8)))
    }

    @Test func `The MD5 covers the content, or the digests of the parts in order`() throws {
        let params = Params()
        let text = params.set("abc", for: "text")
        let file = try params.set(
            file: folder.write(Data(repeating: UInt8(ascii: "a"), count: 1_000_000), to: "a"), for: "file")
        #expect(try text.md5() == "900150983cd24fb0d6963f7d28e17f72")
        #expect(try file.md5() == "7707d6ae4e027c70eea2a935c2296f21")
        #expect(try params.set("", for: "empty").md5() == "d41d8cd98f00b204e9800998ecf8427e")
        // md5sum of the three digests in hexadecimal.
        #expect(try params.md5() == "0e71377a8ecadb75bf310e5226327cfc")
        #expect(try Params().md5() == "d41d8cd98f00b204e9800998ecf8427e")
        try folder.write("b", to: "a")
        let error = try #require(throws: RequestError.self) { try params.md5() }
        #expect(error.kind == .bodyChanged)
    }

    @Test func `The MD5 of a stream is not known before it is sent`() throws {
        let stream = Params().set(stream: StreamBody { ScriptedStream([.bytes("a")]) }, for: "s")
        let error = try #require(throws: RequestError.self) { try stream.md5() }
        #expect(error.kind == .bodyNotRepeatable)
        #expect(error.cause == "attachment 's' is a stream; its content is unknown before it is sent")
    }
}

/// Counts from 1.
private final class Counter: Sendable {
    private let value = Mutex(0)

    func next() -> Int {
        value.withLock { value in
            value += 1
            return value
        }
    }

    @Test func `Parts whose total length overflows have no length`() {
        let params = Params()
        for name in ["a", "b"] {
            params.set(stream: StreamBody(length: .max - 51) { throw RequestError(.bodyUnreadable, "none") }, for: name)
            #expect(params.contentLength == nil)
        }
    }
}
