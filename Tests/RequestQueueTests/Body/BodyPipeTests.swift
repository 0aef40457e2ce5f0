import Foundation
import RequestQueue
import Synchronization
import Testing

@Suite("The buffer between the source of a body and the transport")
struct BodyPipeTests {
    private func read(_ pipe: BodyPipe, _ size: Int) throws -> String? {
        var data = Data(count: size)
        var buffer = data.mutableBytes
        guard case .bytes(let count) = try pipe.read(into: &buffer) else { return nil }
        return String(decoding: data[..<count], as: UTF8.self)
    }

    @Test func `Reads can span chunks, and the writer continues when there is space`() throws {
        let pipe = BodyPipe(capacity: 4)
        let writable = Calls()
        #expect(pipe.write(Data("abc".utf8)))
        pipe.whenWritable(writable.call)
        #expect(writable.count == 1)
        #expect(pipe.write(Data("defg".utf8).dropFirst()))
        pipe.whenWritable(writable.call)
        #expect(writable.count == 1)
        #expect(try read(pipe, 2) == "ab")
        #expect(writable.count == 1)
        #expect(try read(pipe, 2) == "ce")
        #expect(writable.count == 2)
        pipe.finish()
        #expect(try read(pipe, 10) == "fg")
        #expect(try read(pipe, 10) == nil)
    }

    @Test func `The reader is woken once by bytes, by the end and by an error`() throws {
        for wake in [{ _ = $0.write(Data("a".utf8)) }, { $0.finish() }, { $0.finish(Mishap()) }] as [(BodyPipe) -> Void]
        {
            let pipe = BodyPipe()
            let readable = Calls()
            pipe.whenReadable(readable.call)
            #expect(readable.count == 0)
            wake(pipe)
            #expect(readable.count == 1)
            _ = pipe.write(Data("b".utf8))
            #expect(readable.count == 1)
            pipe.whenReadable(readable.call)
            #expect(readable.count == 2)
        }
    }

    @Test func `The first end counts`() throws {
        let pipe = BodyPipe()
        #expect(pipe.write(Data("a".utf8)))
        pipe.finish(RequestError(.bodyChanged, "first"))
        pipe.finish()
        #expect(!pipe.write(Data("b".utf8)))
        #expect(try read(pipe, 10) == "a")
        for _ in 1...2 {
            let error = try #require(throws: RequestError.self) { try read(pipe, 10) }
            #expect(error.cause == "first")
        }
    }

    @Test func `A writer that waits for space fails when the reader is released`() {
        let pipe = BodyPipe(capacity: 1)
        let writable = Calls()
        let readable = Calls()
        #expect(pipe.write(Data("ab".utf8)))
        pipe.whenWritable(writable.call)
        pipe.abandon()
        #expect(writable.count == 1)
        #expect(!pipe.write(Data("c".utf8)))
        pipe.whenWritable(writable.call)
        #expect(writable.count == 2)
        pipe.finish(Mishap())
        #expect(readable.count == 0)
    }
}

/// A counter of calls.
final class Calls: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .relaxed) }
    var call: @Sendable () -> Void { { [self] in value.add(1, ordering: .relaxed) } }
}
