import ObjectMapping
import TestSupport
import Testing

struct StreamSourcesTests {
    struct Line: Mappable, Equatable {
        var id = 0
        static let mapping = Mapping(Line.init) { Attribute("id", \.id) }
    }

    private static func ids(_ stream: MappingStream<Line>) async throws -> [Int] {
        var ids: [Int] = []
        for try await line in stream { ids.append(line.id) }
        return ids
    }

    @Test func `A file is read, and read again`() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("lines.json")
        try Data("{\"lines\": [{\"id\": 1}, {\"id\": 2}]}".utf8).write(to: file)
        let stream = Line.mapping.stream(from: file, at: "lines")
        #expect(try await Self.ids(stream) == [1, 2])
        #expect(try await Self.ids(stream) == [1, 2])
    }

    @Test(arguments: ["ndjson", "jsonl", "NDJSON"])
    func `A file of lines is detected by its name`(ending: String) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("lines.\(ending)")
        try Data("{\"id\": 1}\n{\"id\": 2}\n".utf8).write(to: file)
        #expect(try await Self.ids(Line.mapping.stream(from: file)) == [1, 2])
        let asOne = await streamTexts(Line.mapping.stream(from: file, each: .element))
        #expect(asOne.last == "error 2:1 $: expected the end of the text, found '{'")
    }

    @Test func `A file that cannot be read is named`() async throws {
        let directory = try TemporaryDirectory()
        let missing = directory.url.appendingPathComponent("missing.json")
        let texts = await streamTexts(Line.mapping.stream(from: missing))
        #expect(texts == ["error \(missing.path): No such file or directory"])
        let folder = await streamTexts(Line.mapping.stream(from: directory.url))
        #expect(folder == ["error \(directory.url.path): Is a directory"])
        let remote = try #require(URL(string: "https://example.org/a.json"))
        #expect(
            await streamTexts(Line.mapping.stream(from: remote))
                == ["error https://example.org/a.json: the URL is not a file URL"])
    }

    @Test func `Data and slices of data are streamed`() async throws {
        let data = Data("xx[{\"id\": 1}, {\"id\": 2}]".utf8)
        #expect(try await Self.ids(Line.mapping.stream(from: data.dropFirst(2))) == [1, 2])
        #expect(try await Self.ids(Line.mapping.stream(from: Data("[]".utf8))) == [])
    }

    /// Fills its memory completely, so that a read after its end hits the allocator's data.
    struct Vector: Mappable, Equatable {
        var x = 0.0, y = 0.0, z = 0.0
        static let mapping = Mapping(Vector.init) {
            Attribute("x", \.x)
            Attribute("y", \.y)
            Attribute("z", \.z)
        }
    }

    @Test func `Every model of a stream is returned, and no byte after it is read`() async throws {
        let text = Data("[{\"x\": 1, \"y\": 2, \"z\": 3}, {\"x\": 4}]".utf8)
        for _ in 0..<20 {
            var vectors: [Vector] = []
            for try await vector in Vector.mapping.stream(from: text) { vectors.append(vector) }
            #expect(vectors == [Vector(x: 1, y: 2, z: 3), Vector(x: 4)])
        }
    }

    @Test func `Chunks of data can be empty`() async throws {
        let chunks = AsyncStream { continuation in
            for text in ["", "[{\"id\"", "", ": 1}", "]", ""] { continuation.yield(Data(text.utf8)) }
            continuation.finish()
        }
        #expect(try await Self.ids(Line.mapping.stream(from: chunks)) == [1])
    }

    @Test func `An element is returned before the following bytes arrive`() async throws {
        let (chunks, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let stream = Line.mapping.stream(from: chunks, each: .line)
        var iterator = stream.makeAsyncIterator()
        continuation.yield(Array("{\"id\": 1}\n{\"id".utf8))
        #expect(try await iterator.next()?.id == 1)
        continuation.yield(Array("\": 2}\n".utf8))
        #expect(try await iterator.next()?.id == 2)

        let (bytes, byteContinuation) = AsyncStream.makeStream(of: UInt8.self)
        var elements = Line.mapping.stream(from: bytes, at: "a").makeAsyncIterator()
        for byte in "{\"a\": [{\"id\": 1}".utf8 { byteContinuation.yield(byte) }
        #expect(try await elements.next()?.id == 1)
        for byte in ", {\"id\": 2}".utf8 { byteContinuation.yield(byte) }
        #expect(try await elements.next()?.id == 2)
        for byte in "]}".utf8 { byteContinuation.yield(byte) }
        byteContinuation.finish()
        #expect(try await elements.next() == nil)
    }

    @Test func `An error of the source is thrown once`() async throws {
        struct Broken: Error {}
        let head = Array("[{\"id\": 1}, {\"id".utf8)
        let chunks = CountedChunks { number in if number == 0 { head } else { throw Broken() } }
        var iterator = Line.mapping.stream(from: chunks).makeAsyncIterator()
        #expect(try await iterator.next()?.id == 1)
        await #expect(throws: Broken.self) { _ = try await iterator.next() }
        #expect(!chunks.isOpen)
        #expect(try await iterator.next() == nil)
        #expect(chunks.asked == 2)
    }

    @Test func `Mistakes of the mapping are reported with the first element`() async {
        let mapping = Mapping(Line.init) { Attribute("id.@avgg", \.id) }
        let texts = await streamTexts(mapping.stream(from: Data("[]".utf8)))
        #expect(texts.count == 1)
        #expect(texts.first?.hasPrefix("error unknown") == true || texts.first?.contains("@avgg") == true)
        let operators = await streamTexts(Line.mapping.stream(from: Data("[]".utf8), at: "a.@count"))
        #expect(operators == ["error expected keys joined by dots, found operators in the key path 'a.@count'"])
    }
}
