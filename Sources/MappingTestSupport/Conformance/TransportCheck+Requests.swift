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
                guard let record else { continue }
                let line = "\(sent.method) /echo?b=c%20d\n"
                let expected = echo(of: sent.method, target: "/echo?b=c%20d", ["X-One: 1", "X-Two: a b"])
                // Names of fields are case-insensitive.
                guard record.text.hasPrefix(line), record.text.lowercased().hasPrefix(expected.lowercased()) else {
                    probe.expect(
                        false, "\(sent): expected the echo '\(expected)', found '\(record.text.prefix(expected.count))'"
                    )
                    continue
                }
                probe.expect(
                    record.body.dropFirst(expected.utf8.count), equals: Data(content ?? []),
                    "\(sent): the body that the server received")
                if let count = sent.count, count > 0 {
                    probe.expect(
                        record.sent.last == Int64(count),
                        "\(sent): expected \(count) reported bytes, found \(record.sent.last ?? 0)")
                }
            }
        },
        TransportCheck("A waiting body continues when it has bytes") { probe in
            for length in [10, nil] as [Int64?] {
                let recorder = TransportRecorder()
                let fed = FedBody { recorder.noteWait() }
                let task = probe.start(probe.request(.put, "/echo", body: fed.body(length: length)), recorder)
                fed.give("hello")
                await recorder.until { $0.waits > 0 || $0.finishes > 0 }
                fed.give("world", isEnd: true)
                let subject = "a body of \(length.map(String.init) ?? "unknown") length"
                let record = probe.success(await probe.end(of: recorder, subject), subject)
                withExtendedLifetime(task) {}
                guard let record else { continue }
                let expected = echo(of: .put, target: "/echo", []) + "helloworld"
                probe.expect(
                    record.text == expected, "\(subject): expected the echo '\(expected)', found '\(record.text)'")
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
                    "a body of \(length.map(String.init) ?? "unknown") bytes that returns "
                        + "\(reads.map(text).joined(separator: ", ")): expected the failure \(kind), "
                        + "found \(record.failure.map { "\($0.kind)" } ?? "a response")")
            }
        },
    ]

    private static func text(_ read: BodyRead?) -> String {
        switch read {
        case .bytes(let count): "\(count) bytes"
        case .wait: "no bytes yet"
        case .end: "its end"
        case nil: "an error"
        }
    }

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
