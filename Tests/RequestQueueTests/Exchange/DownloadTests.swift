import Synchronization
import TestSupport
import Testing

@testable import RequestQueue

@Suite("Downloads")
struct DownloadTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test func `A download leaves the complete file and no other`() async throws {
        let transport = ScriptedTransport({ $0.answer(200, ["Content-Length": "5"], "hello".utf8) })
        let response = try await request(over: transport).download(to: folder.file("film"))
        #expect(response.status == 200)
        #expect(response.body.isEmpty)
        #expect(try folder.text(of: "film") == "hello")
        #expect(try folder.names == ["film"])
    }

    @Test func `An existing file is replaced only by a success`() async throws {
        try folder.write("old", to: "film")
        let bad = ScriptedTransport({ call in
            call.receive(200, ["Content-Length": "9"])
            call.receive("new".utf8)
            call.finish()
        })
        let error = await failure(bad)
        #expect(error?.kind == .truncatedResponse)
        #expect(try folder.text(of: "film") == "old")
        #expect(try folder.names == ["film"])
        _ = try await request(over: ScriptedTransport({ $0.answer(200, [:], "new".utf8) }))
            .download(to: folder.file("film"))
        #expect(try folder.text(of: "film") == "new")
    }

    @Test(arguments: [("GET", 204), ("GET", 205), ("HEAD", 200), ("GET", 304)])
    func `A response without content keeps the existing file`(method: String, status: Int) async throws {
        try folder.write("old", to: "film")
        let transport = ScriptedTransport({ $0.answer(status) })
        let response = try await request(HTTPMethod(rawValue: method), over: transport).download(
            to: folder.file("film"))
        #expect(response.status == status)
        #expect(try folder.text(of: "film") == "old")
        #expect(try folder.names == ["film"])
    }

    @Test func `A response without content creates no file`() async throws {
        _ = try await request(over: ScriptedTransport({ $0.answer(204) })).download(to: folder.file("film"))
        #expect(try folder.names.isEmpty)
    }

    @Test func `A body of zero bytes replaces the existing file`() async throws {
        try folder.write("old", to: "film")
        let transport = ScriptedTransport({ $0.answer(200, ["Content-Length": "0"]) })
        _ = try await request(over: transport).download(to: folder.file("film"))
        #expect(try folder.text(of: "film") == "")
    }

    @Test func `The body of an unsuccessful response is in memory, and no file is written`() async throws {
        let transport = ScriptedTransport({ $0.answer(404, [:], "no such film".utf8) })
        let response = try await request(over: transport).download(to: folder.file("film"))
        #expect(response.status == 404)
        #expect(String(decoding: response.body, as: UTF8.self) == "no such film")
        #expect(try folder.names.isEmpty)
    }

    @Test func `A file contains the decompressed body, of any size`() async throws {
        let bytes = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 >> 4) }
        let body = compressed(bytes)
        var request = try request(over: ScriptedTransport({ $0.answer(200, ["Content-Encoding": "gzip"], body) }))
        request.limits.bodyInMemory = 1
        _ = try await request.download(to: folder.file("film"))
        #expect(try folder.data(of: "film") == Data(bytes))
    }

    @Test func `A damaged body leaves no file`() async throws {
        let body = compressed("hello".utf8).dropLast()
        let error = await failure(ScriptedTransport({ $0.answer(200, ["Content-Encoding": "gzip"], body) }))
        #expect(error?.kind == .undecodableResponse)
        #expect(try folder.names.isEmpty)
    }

    @Test func `The progress of a download is reported`() async throws {
        let seen = Mutex<[RequestProgress]>([])
        let transport = ScriptedTransport({ $0.answer(200, ["Content-Length": "5"], "hello".utf8) })
        _ = try await request(over: transport).onProgress { progress in
            seen.withLock { $0.append(progress) }
        }.download(to: folder.file("film"))
        #expect(seen.withLock { $0.last } == RequestProgress(bytesReceived: 5, bytesExpectedToReceive: 5))
    }

    @Test func `A cancelled download removes its file before the outcome is delivered`() async throws {
        let names = Mutex<[String]?>(nil)
        let transport = ScriptedTransport({ call in
            call.receive(200)
            call.receive("half".utf8)
        })
        let exchange = Exchange(try request(over: transport), delivery: .file(folder.file("film"))) { _ in
            names.withLock { $0 = try? folder.names }
        }
        exchange.start()
        #expect(try folder.names.count == 1)
        exchange.cancel()
        #expect(await eventually { names.withLock({ $0 != nil }) })
        #expect(names.withLock { $0 } == [])
        transport.calls[0].receive("more".utf8)
        transport.calls[0].finish()
        #expect(try folder.names.isEmpty)
    }

    @Test(arguments: ["", "missing/film", "taken", "a\0b"])
    func `An invalid destination is an error before the request is sent`(name: String) async throws {
        try FileManager.default.createDirectory(at: folder.file("taken"), withIntermediateDirectories: true)
        let transport = ScriptedTransport({ $0.answer() })
        let place = name.isEmpty ? folder.url : folder.file(name)
        let error = await failure(transport, place)
        #expect(error?.kind == .fileNotWritable)
        #expect(error?.cause.contains(name.contains("\0") ? "a" : name) == true)
        #expect(transport.calls.isEmpty)
        #expect(try folder.names == ["taken"])
    }

    @Test func `A device is not replaced by a download`() async throws {
        let place = URL(fileURLWithPath: "/dev/null")
        let error = await failure(ScriptedTransport({ $0.answer() }), place)
        #expect(error?.cause == "'/dev/null' cannot be written: it is not a regular file")
    }

    @Test func `A URL with HTTP is not a valid destination`() async throws {
        let place = try #require(URL(string: "http://server.example/film"))
        #expect(await failure(ScriptedTransport({ $0.answer() }), place)?.kind == .fileNotWritable)
    }

    @Test func `A folder that is removed during the download is an error`() async throws {
        let inner = folder.file("inner")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        let transport = ScriptedTransport({ call in
            call.receive(200)
            call.receive("hello".utf8)
            try? FileManager.default.removeItem(at: inner)
            call.finish()
        })
        let error = await failure(transport, inner.appendingPathComponent("film"))
        #expect(error?.kind == .fileNotWritable)
        #expect(error?.cause.contains("inner/film' cannot be written: No such file or directory (2)") == true)
        #expect(try folder.names.isEmpty)
    }

    @Test func `The target of a link is replaced, not the link`() async throws {
        try folder.write("old", to: "real")
        let link = folder.file("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.file("real"))
        _ = try await request(over: ScriptedTransport({ $0.answer(200, [:], "new".utf8) })).download(to: link)
        #expect(try folder.text(of: "real") == "new")
        #expect(try folder.names == ["link", "real"])
    }

    @Test func `The missing target of a link is created, and the link is kept`() async throws {
        try FileManager.default.createDirectory(at: folder.file("films"), withIntermediateDirectories: false)
        let links = [("link", "next"), ("next", folder.file("films/real").path)]
        for (name, target) in links {
            try FileManager.default.createSymbolicLink(atPath: folder.file(name).path, withDestinationPath: target)
        }
        let transport = ScriptedTransport({ $0.answer(200, [:], "new".utf8) })
        _ = try await request(over: transport).download(to: folder.file("link"))
        #expect(try folder.text(of: "films/real") == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("link").path) == "next")
    }

    @Test(arguments: [("absent/film", "No such file or directory"), ("link", "symbolic links")])
    func `A link whose target cannot be created fails the request, and is kept`(target: String, reason: String)
        async throws
    {
        let link = folder.file("link")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: target)
        let error = await failure(ScriptedTransport({ $0.answer(200, [:], "new".utf8) }), link)
        #expect(error?.kind == .fileNotWritable)
        #expect(error?.cause.contains(reason) == true)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == target)
    }

    @Test func `A file that replaces another has its permissions`() async throws {
        try folder.write("old", to: "film")
        #expect(chmod(folder.file("film").path, 0o640) == 0)
        let transport = ScriptedTransport({ $0.answer(200, [:], "new".utf8) })
        _ = try await request(over: transport).download(to: folder.file("film"))
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("film").path)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        #expect(try folder.text(of: "film") == "new")
    }

    @Test func `Files of terminated processes are removed, files in use are not`() throws {
        let running = try StagedFile(for: folder.file("film"))
        let abandoned = try folder.write("half", to: ".download-1abc.tmp")
        try folder.write("mine", to: ".download-mine")
        let mine = try folder.names.filter { $0 != abandoned.lastPathComponent }
        StagingFolders.removeAbandoned(in: folder.path, at: Date())
        #expect(try folder.names.count == mine.count + 1)
        StagingFolders.removeAbandoned(in: folder.path, at: Date(timeIntervalSinceNow: 120))
        #expect(try folder.names == mine)
        try running.commit()
        #expect(try folder.names == [".download-mine", "film"])
    }

    @Test func `A slow disk pauses its transfer, and delays no other request`() async throws {
        let pipe = folder.file("film")
        let transport = ScriptedTransport({ _ in })
        let (outcomes, outcome) = AsyncStream<Bool>.makeStream()
        let exchange = Exchange(try request(over: transport), delivery: .file(pipe)) { result in
            outcome.yield(result.failure == nil)
        }
        exchange.start()
        let call = transport.calls[0]
        call.receive(200)
        let piece = [UInt8](repeating: 7, count: 256 << 10)
        var count = 0
        // The bytes are taken without a wait for the disk, until more than a mebibyte waits to be written.
        while count < 100 {
            count += 1
            if !call.receive(piece) {
                #expect(await eventually { call.resumes != 0 })
                break
            }
        }
        call.finish()
        var iterator = outcomes.makeAsyncIterator()
        #expect(await iterator.next() == true)
        #expect(try folder.data(of: "film") == Data(repeating: 7, count: count * piece.count))
    }

    @Test func `A download resumes its transfer once for each refused piece`() async throws {
        let transport = ScriptedTransport({ _ in })
        let piece = [UInt8](repeating: 7, count: 4 << 20)
        async let response = request(over: transport).download(to: folder.file("film"))
        try #require(await eventually { !transport.calls.isEmpty })
        let call = transport.calls[0]
        // Not in the script: it may still run when the call can be seen here, and bytes before a head are ignored.
        call.connect()
        call.receive(200)
        var refusals = 0
        for _ in 0..<8 where !call.receive(piece) { refusals += 1 }
        #expect(await eventually { call.resumes == refusals })
        #expect(call.receive([7]))
        call.finish()
        #expect(try await response.status == 200)
        #expect(call.resumes == refusals)
        #expect(try folder.data(of: "film").count == 8 * piece.count + 1)
    }

    @Test func `A destination can be relative to a folder, and contain any character`() async throws {
        let base = URL(fileURLWithPath: folder.path, isDirectory: true)
        for name in ["a%20b%C3%A4%3F", "%CC%81c"] {
            let place = try #require(URL(string: name, relativeTo: base))
            _ = try await request(over: ScriptedTransport({ $0.answer(200, [:], "x".utf8) })).download(to: place)
        }
        #expect(try folder.names.sorted() == ["a bä?", "\u{301}c"])
    }

    @Test func `A destination can have a name of the maximum length`() async throws {
        let name = String(repeating: "n", count: 255)
        _ = try await request(over: ScriptedTransport({ $0.answer(200, [:], "x".utf8) })).download(
            to: folder.file(name))
        #expect(try folder.names == [name])
    }

    /// The file is there if and only if the outcome is a response.
    @Test func `The file and the outcome agree when a cancellation races with the end`() async throws {
        for round in 0..<300 {
            let place = folder.file("\(round)")
            let transport = ScriptedTransport({ _ in })
            let request = try request(over: transport)
            let outcome = await withCheckedContinuation { continuation in
                let exchange = Exchange(request, delivery: .file(place)) { continuation.resume(returning: $0) }
                exchange.start()
                Task { transport.calls[0].answer(200, [:], "hello".utf8) }
                Task {
                    for _ in 0..<(round % 20) { await Task.yield() }
                    exchange.cancel()
                }
            }
            #expect(try folder.names.isEmpty == (outcome.failure != nil))
            if outcome.failure == nil {
                #expect(try folder.text(of: "\(round)") == "hello")
                try FileManager.default.removeItem(at: place)
            }
        }
    }

    private func failure(_ transport: ScriptedTransport, _ place: URL? = nil) async -> RequestError? {
        do throws(RequestError) {
            let request = RESTRequest(url: URL(string: "http://server.example/a"), transport: transport)
            _ = try await request.download(to: place ?? folder.file("film"))
            return nil
        } catch { return error }
    }
}
