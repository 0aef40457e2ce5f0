import ObjectMapping
import TestSupport
import Testing

/// The resources of a stream: memory, bytes read ahead, and when they are released.
@Suite(.serialized) struct StreamEffortTests {
    final class Record: Mappable {
        var id = 0
        var name = ""
        var tags: [String] = []

        static let mapping = Mapping(Record.init) {
            Attribute("id", \.id)
            Attribute("name", \.name)
            Attribute("tags", \.tags)
        }
    }

    private static func chunk(_ number: Int, of count: Int, perChunk: Int = 500, padding: Int = 0) -> [UInt8]? {
        let first = number * perChunk
        guard first < count else { return number * perChunk == count ? Array("]}".utf8) : nil }
        let padding = String(repeating: "-", count: padding)
        var text = number == 0 ? "{\"list\":[" : ","
        for id in first..<first + perChunk {
            if id > first { text += "," }
            text +=
                "{\"id\":\(id),\"name\":\"record number \(id) \\u00e9\",\"tags\":[\"one\",\"another tag\(padding)\"]}"
        }
        return Array(text.utf8)
    }

    // In a separate process, because other tests run concurrently in this one.
    @Test(.enabled(if: ResidentMemory.isKnown)) func `Memory does not grow with the text`() async {
        await #expect(processExitsWith: .success) {
            func sum(_ count: Int) async throws -> Int {
                var (sum, size) = (0, 0)
                let chunks = CountedChunks { number in
                    let chunk = StreamEffortTests.chunk(number, of: count, perChunk: 200, padding: 300)
                    size += chunk?.count ?? 0
                    return chunk
                }
                for try await record in Record.mapping.stream(from: chunks, at: "list") { sum += record.id }
                #expect(size > count * 350)
                return sum
            }
            let first = try await sum(2000)
            let before = ResidentMemory.peak
            let second = try await sum(100_000)
            #expect(first == 2000 * 1999 / 2)
            #expect(second == 100_000 * 99_999 / 2)
            #expect(ResidentMemory.peak - before < 4 << 20)
        }
    }

    @Test func `No chunk is requested before it is needed`() async throws {
        let chunks = CountedChunks { Self.chunk($0, of: 5000) }
        let stream = Record.mapping.stream(from: chunks, at: "list")
        var iterator = stream.makeAsyncIterator()
        #expect(chunks.asked == 0)
        for id in 0..<5000 {
            #expect(try await iterator.next()?.id == id)
            #expect(chunks.asked == id / 500 + 1)
        }
        #expect(try await iterator.next() == nil)
        #expect(chunks.asked == 12)
        #expect(!chunks.isOpen)
    }

    @Test func `A chunk can be far larger than the window`() async throws {
        let text = Self.chunk(0, of: 20_000, perChunk: 20_000)
        let chunks = CountedChunks { number in number == 0 ? text : number == 1 ? Array("]}".utf8) : nil }
        var stream = Record.mapping.stream(from: chunks, at: "list")
        stream.windowSize = 1000
        var count = 0
        for try await record in stream {
            #expect(record.id == count)
            count += 1
        }
        #expect(count == 20_000)
    }

    @Test func `Iteration that stops early closes the source`() async throws {
        let chunks = CountedChunks { Self.chunk($0, of: 5000) }
        for try await record in Record.mapping.stream(from: chunks, at: "list") where record.id == 700 { break }
        #expect(!chunks.isOpen)
        #expect(chunks.asked == 2)
    }

    @Test(.enabled(if: ResidentMemory.isKnown)) func `A file is closed when iteration ends, or stops`() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("open.json")
        try Data("[{\"id\": 1}, {\"id\": 2}, {\"id\": \"x\"}]".utf8).write(to: file)
        func isOpen() throws -> Bool {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").contains { descriptor in
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")) == file.path
            }
        }
        do {
            var iterator = Record.mapping.stream(from: file).makeAsyncIterator()
            #expect(try !isOpen())
            #expect(try await iterator.next()?.id == 1)
            #expect(try isOpen())
            _ = try await iterator.next()
            await #expect(throws: MappingError.self) { _ = try await iterator.next() }
            #expect(try !isOpen())
        }
        for try await _ in Record.mapping.stream(from: file) { break }
        #expect(try !isOpen())
        let elements = Record.mapping.elements(of: file, rejecting: { _ in })
        #expect(try elements.next()?.id == 1)
        #expect(try isOpen())
        #expect(try elements.next()?.id == 2)
        #expect(try elements.next() == nil)
        #expect(try !isOpen())
    }

    @Test func `A cancelled task gets no further element`() async throws {
        let file = try TemporaryDirectory()
        let url = file.url.appendingPathComponent("dump.json")
        try Data((Self.chunk(0, of: 500) ?? []) + Array("]}".utf8)).write(to: url)
        let task = Task {
            var seen: [Int] = []
            do {
                for try await record in Record.mapping.stream(from: url, at: "list") {
                    seen.append(record.id)
                    if record.id == 2 { withUnsafeCurrentTask { $0?.cancel() } }
                }
                return "\(seen) ended"
            } catch {
                return "\(seen) \(error)"
            }
        }
        #expect(await task.value == "[0, 1, 2] CancellationError()")
    }

    @Test func `A task that is cancelled while it waits for a chunk gets an error`() async throws {
        let (chunks, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        continuation.yield(Array("{\"list\": [{\"id\": 1}".utf8))
        let (started, starting) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            var iterator = Record.mapping.stream(from: chunks, at: "list").makeAsyncIterator()
            _ = try await iterator.next()
            starting.yield()
            return try await iterator.next()?.id
        }
        for await _ in started { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }

    @Test func `Values outside of the path are skipped in little memory`() async throws {
        let sibling = Array(
            ("[" + String(repeating: "{\"k\": [1, \"two\", {\"three\": null}]}, ", count: 2000) + "0]").utf8)
        let chunks = CountedChunks { number in
            switch number {
            case 0: Array("{\"before\": {\"a\": [".utf8)
            case 1...50: sibling + (number < 50 ? [UInt8(ascii: ",")] : [])
            case 51: Array("], \"b\": \"c\"}, \"list\": [{\"id\": 7}]}".utf8)
            default: nil
            }
        }
        var stream = Record.mapping.stream(
            from: chunks, at: "list", options: MappingOptions(limits: MappingLimits(elementByteCount: 4096)))
        stream.windowSize = 4096
        var ids: [Int] = []
        for try await record in stream { ids.append(record.id) }
        #expect(ids == [7])
    }

    @Test func `A large element in small chunks is not read again for each of them`() async throws {
        let name = String(repeating: "abcdefghij", count: 40_000)
        let text = "{\"list\":[{\"id\":1,\"name\":\"\(name)\"}],\"key \(name)\":\"\(name)\"}"
        var stream = Record.mapping.stream(from: CountedChunks(text.utf8, by: 16), at: "list")
        stream.windowSize = 1024
        var iterator = stream.makeAsyncIterator()
        let start = ContinuousClock.now
        #expect(try await iterator.next()?.name == name)
        #expect(try await iterator.next() == nil)
        // Reading it again for each chunk would take minutes.
        #expect(start.duration(to: .now) < .seconds(20))
    }

    @Test func `Each element makes one model, for any chunks`() async throws {
        final class Counter: @unchecked Sendable {  // guarded by the test's one task
            var made = 0
        }
        let counter = Counter()
        let mapping = Mapping({ () -> Record in
            counter.made += 1
            return Record()
        }) {
            Attribute("id", \.id)
            Attribute("name", \.name)
        }
        let text = "[{\"id\": 1, \"name\": \"one\"}, {\"id\": 2, \"name\": \"two\"}]"
        for size in [1, 7, 30] {
            counter.made = 0
            for try await _ in mapping.stream(from: CountedChunks(text.utf8, by: size)) {}
            #expect(counter.made == 2)
        }
    }

    @Test @MainActor func `Elements are created in the task that uses them`() async throws {
        // Objects of a class cannot leave the actor: this compiles only because they stay.
        var kept: [Record] = []
        for try await record in Record.mapping.stream(from: CountedChunks { Self.chunk($0, of: 1000) }, at: "list") {
            kept.append(record)
        }
        #expect(kept.count == 1000)
    }
}
