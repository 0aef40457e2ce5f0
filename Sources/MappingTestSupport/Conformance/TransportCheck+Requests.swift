import RequestQueue

/// Checks of what is sent.
extension TransportCheck {
    static let requests = [
        TransportCheck("A request is sent unchanged") { probe in
            for sent in Sent.all {
                let content = sent.count.map {
                    Array(String(repeating: "0123456789", count: $0 / 10 + 1).utf8.prefix($0))
                }
                let record = await probe.sendSuccessfully(
                    probe.request(
                        sent.method, "/echo?b=c%20d", headers: ["X-One": "1", "X-Two": "a b"],
                        body: content.map { .init($0, isLengthKnown: sent.isLengthKnown, pieces: 100_000) }),
                    sent.description)
                let expected = echo(of: sent.method, target: "/echo?b=c%20d", ["X-One: 1", "X-Two: a b"])
                probe.expect(
                    record.text.lowercased().hasPrefix(expected.lowercased()),
                    "\(sent): the server received \(record.text.prefix(200))")
                probe.expect(
                    record.body.dropFirst(expected.utf8.count) == Data(content ?? []),
                    "\(sent): the server received \(record.body.count - expected.utf8.count) bytes")
                if let count = sent.count, count > 0 {
                    probe.expect(
                        record.sent.last == Int64(count), "\(sent): \(record.sent.last ?? 0) sent bytes are reported")
                }
            }
        },
        TransportCheck("A waiting body continues when it has bytes") { probe in
            for length in [10, nil] as [Int64?] {
                let (fed, recorder) = (FedBody(), TransportRecorder())
                let task = probe.start(probe.request(.put, "/echo", body: fed.body(length: length)), recorder)
                fed.give("hello")
                fed.give("world", isEnd: true)
                let subject = "a body of \(length.map(String.init) ?? "unknown") length"
                let record = await probe.end(of: recorder, subject)
                withExtendedLifetime(task) {}
                probe.expect(record.failure == nil, "\(subject): \(record.failure?.cause ?? "")")
                probe.expect(record.text.hasSuffix("helloworld"), "\(subject): the server received \(record.text)")
            }
        },
        TransportCheck("A body that is not as declared fails the request") { probe in
            let cases: [(length: Int64?, reads: [BodyRead?], kind: RequestError.Kind)] = [
                (4, [.bytes(2), .end], .bodyChanged), (4, [.bytes(2), nil], .bodyUnreadable),
                (4, [.bytes(4), .bytes(1), .bytes(1)], .bodyChanged), (2_000_000, [.bytes(2), .end], .bodyChanged),
                (nil, [nil], .bodyUnreadable), (nil, [.bytes(2), nil], .bodyUnreadable),
            ]
            for (length, reads, kind) in cases {
                let body = TransportRequest.Body(length: length) {
                    var reads = reads[...]
                    return TestBody { _ in
                        guard let read = reads.removeFirst() else { throw RequestError(.bodyUnreadable, "broken") }
                        return read
                    }
                }
                let record = await probe.send(probe.request(.put, "/echo", body: body))
                probe.expect(
                    record.failure?.kind == kind,
                    "\(reads) of \(length.map(String.init) ?? "unknown") bytes: "
                        + "expected \(kind), got \(record.failure.map { "\($0.kind)" } ?? "a response")")
            }
        },
    ]

    /// A method with a body of a number of bytes.
    private struct Sent: CustomStringConvertible {
        var method: HTTPMethod
        var count: Int?
        var isLengthKnown = true

        var description: String {
            "\(method) \(count.map { "of \($0) bytes" } ?? "without a body")\(isLengthKnown ? "" : " in chunks")"
        }

        static let all = [
            Sent(method: .get), Sent(method: .delete), Sent(method: .post), Sent(method: .post, count: 0),
            Sent(method: .post, count: 5), Sent(method: .patch, count: 1 << 20), Sent(method: .put, count: 3_000_000),
            Sent(method: .post, count: 3_000_000, isLengthKnown: false),
            Sent(method: .put, count: 5, isLengthKnown: false),
        ]
    }
}
