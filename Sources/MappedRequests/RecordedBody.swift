/// The body of a response, whose first bytes are kept for the error of a body that is not JSON.
struct RecordedBody: AsyncSequence {
    typealias Element = Data
    typealias Failure = RequestError

    let body: ResponseBody
    let start: BodyStart

    func makeAsyncIterator() -> Iterator { Iterator(pieces: body.makeAsyncIterator(), start: start) }

    struct Iterator: AsyncIteratorProtocol {
        var pieces: ResponseBody.Iterator
        let start: BodyStart

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(RequestError) -> Data? {
            let piece = try await pieces.next(isolation: actor)
            if let piece { start.add(piece) }
            return piece
        }
    }
}

/// The first 200 bytes of a body; used by the one task that reads the body.
final class BodyStart {
    private(set) var bytes = Data()

    func add(_ piece: Data) {
        if bytes.count < 200 { bytes += piece.prefix(200 - bytes.count) }
    }
}
