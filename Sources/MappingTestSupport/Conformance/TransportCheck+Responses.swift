import Dispatch
import RequestQueue
import Synchronization

/// Checks of what is received, and of the end.
extension TransportCheck {
    static let responses = [
        TransportCheck("A response to HEAD has a head without a body") { probe in
            guard let record = await probe.sendSuccessfully(probe.request(.head, "/echo"), "HEAD") else { return }
            probe.expect(record.head?.headers["Content-Length"] != nil, "the head has no Content-Length")
            probe.expect(record.body.isEmpty, "expected no body, found \(record.body.count) bytes")
        },
        TransportCheck("Any status is a response, and nothing is sent again") { probe in
            for status in [200, 204, 302, 304, 307, 401, 404, 500] {
                let opened = Atomic(0)
                let body = TransportRequest.Body(length: 1) {
                    opened.add(1, ordering: .relaxed)
                    return TestBody.of([0x78])
                }
                let record = await probe.sendSuccessfully(
                    probe.request(.put, "/status/\(status)", body: body), "status \(status)")
                let count = opened.load(ordering: .relaxed)
                probe.expect(count == 1, "status \(status): expected a body that is opened once, found \(count) times")
                guard let record else { continue }
                let found = record.head?.status ?? 0
                probe.expect(found == status, "status \(status): found \(found)")
                let location = record.head?.headers["Location"]
                probe.expect(
                    location?.hasSuffix("/echo") == true,
                    "status \(status): expected the field Location '/echo', found '\(location ?? "")'")
                let cookies = record.head?.headers.values(for: "Set-Cookie") ?? []
                probe.expect(
                    cookies == Self.cookies,
                    "status \(status): expected the fields Set-Cookie \(Self.cookies), found \(cookies)")
                let text = status == 204 || status == 304 ? "" : "{}"
                probe.expect(
                    record.text == text, "status \(status): expected the body '\(text)', found '\(record.text)'")
            }
        },
        TransportCheck("Cookies of a response are not sent") { probe in
            _ = await probe.sendSuccessfully(probe.request(.get, "/status/200"), "status 200")
            let record = await probe.sendSuccessfully(probe.request(.get, "/echo"), "a later request")
            let lines = record?.text.split(separator: "\n") ?? []
            let cookie = lines.first { $0.lowercased().hasPrefix("cookie:") }
            probe.expect(cookie == nil, "a later request: expected no field Cookie, found '\(cookie ?? "")'")
        },
        TransportCheck("A compressed body is not decompressed, unless the head says so") { probe in
            let request = probe.request(.get, "/gzip", headers: ["Accept-Encoding": "gzip"])
            guard let record = await probe.sendSuccessfully(request, "/gzip"), let head = record.head else { return }
            probe.expect(head.status == 200, "/gzip: expected status 200, found \(head.status)")
            guard head.status == 200 else { return }
            probe.expect(record.body, equals: Data(head.isDecoded ? plain : compressed), "/gzip")
            if !head.isDecoded {
                let coding = head.headers["Content-Encoding"] ?? ""
                probe.expect(coding == "gzip", "/gzip: expected the field Content-Encoding 'gzip', found '\(coding)'")
            }
        },
        TransportCheck("A response is received completely") { probe in
            let record = await probe.sendSuccessfully(probe.request(.get, "/large"), "/large")
            if let record { expectLarge(record, probe) }
        },
        TransportCheck("Receiving pauses on request of the handler, and continues when it is resumed") { probe in
            let recorder = TransportRecorder { _ in false }
            let task = probe.start(probe.request(.get, "/large"), recorder)
            var pieces = 0
            while pieces == 0 || recorder.record.finishes == 0 {
                pieces += 1
                let expected = pieces
                await recorder.until { $0.pieces >= expected || $0.finishes > 0 }
                // Another request is sent meanwhile: enough time for unexpected bytes to arrive.
                if expected <= 3 { _ = await probe.sendSuccessfully(probe.request(.get, "/echo"), "another request") }
                // One more piece may follow.
                let received = recorder.record.pieces
                probe.expect(received <= expected + 1, "\(received) pieces are received after \(expected) pauses")
                pieces = max(pieces, received)
                for _ in expected...pieces { task.resume() }
            }
            let record = probe.success(await probe.end(of: recorder, "a paused response"), "a paused response")
            if let record { expectLarge(record, probe) }
        },
        TransportCheck("A request that is resumed before it pauses continues") { probe in
            let started = Mutex<(any TransportTask)?>(nil)
            let isStarted = DispatchSemaphore(value: 0)
            let recorder = TransportRecorder { _ in
                // A transport may deliver before its start returns; then there is no task to resume yet.
                guard isStarted.wait(timeout: .now() + .seconds(5)) == .success else { return true }
                isStarted.signal()
                started.withLock { $0 }?.resume()
                return false
            }
            let task = probe.start(probe.request(.get, "/large"), recorder)
            started.withLock { $0 = task }
            isStarted.signal()
            let subject = "a response that is resumed early"
            let record = probe.success(await probe.end(of: recorder, subject), subject)
            if let record { expectLarge(record, probe) }
        },
    ]

    private static func expectLarge(_ record: TransportRecorder.Record, _ probe: TransportProbe) {
        probe.expect(record.body, equals: Data(repeating: 0x61, count: largeCount), "/large")
    }

    static let ends = [
        TransportCheck("A cancelled request ends once, also while its body waits or its response is paused") { probe in
            for (name, length, isWaiting) in [
                ("without a body", nil, false), ("with a body of 5 bytes", 5, false),
                ("with a body in chunks", nil, false), ("with a waiting body of 5 bytes", 5, true),
                ("with a waiting body in chunks", nil, true),
            ] as [(String, Int64?, Bool)] {
                let recorder = TransportRecorder()
                let fed = FedBody { recorder.noteWait() }
                let body = name == "without a body" ? nil : fed.body(length: length)
                let task = probe.start(probe.request(.put, "/echo", body: body), recorder)
                if isWaiting { await recorder.until { $0.waits > 0 || $0.finishes > 0 } }
                task.cancel()
                task.cancel()
                let record = await probe.end(of: recorder, "a cancelled request \(name)")
                // A request without a body can end before it is cancelled.
                if body == nil, record.failure == nil, record.head != nil { continue }
                expectCancelled(record, "a cancelled request \(name)", probe)
            }
            let recorder = TransportRecorder { _ in false }
            let task = probe.start(probe.request(.get, "/large"), recorder)
            await recorder.until { $0.pieces > 0 || $0.finishes > 0 }
            task.cancel()
            let record = await probe.end(of: recorder, "a paused and cancelled request")
            expectCancelled(record, "a paused and cancelled request", probe)
            task.cancel()
            task.resume()
            // Another request is sent meanwhile: enough time for another end.
            _ = await probe.sendSuccessfully(probe.request(.get, "/echo"), "another request")
            let finishes = recorder.record.finishes
            probe.expect(finishes == 1, "a paused and cancelled request: expected 1 end, found \(finishes)")
        },
        TransportCheck("A request that no server receives fails without a head") { probe in
            // Port 1 of the local machine.
            let recorder = TransportRecorder()
            var request = probe.request(.get, "/echo")
            request.url = URL(string: "http://127.0.0.1:1/echo") ?? request.url
            let task = probe.start(request, recorder)
            let record = await probe.end(of: recorder, "a refused request")
            withExtendedLifetime(task) {}
            probe.expect(record.failure != nil, "a refused request: expected a failure, found a response")
            probe.expect(record.head == nil, "a refused request: expected no head, found one")
        },
    ]

    private static func expectCancelled(
        _ record: TransportRecorder.Record, _ subject: String, _ probe: TransportProbe
    ) {
        let found = record.failure.map { "\($0.kind), \($0.cause)" } ?? "a response"
        probe.expect(record.failure?.kind == .cancelled, "\(subject): expected the failure cancelled, found \(found)")
    }
}
