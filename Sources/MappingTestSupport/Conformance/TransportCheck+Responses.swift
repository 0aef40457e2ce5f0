import Dispatch
import RequestQueue
import Synchronization

/// Checks of what is received, and of the end.
extension TransportCheck {
    static let responses = [
        TransportCheck("A response to HEAD has a head without a body") { probe in
            let record = await probe.sendSuccessfully(probe.request(.head, "/echo"), "HEAD")
            probe.expect(record.head?.headers["Content-Length"] != nil, "the head has no Content-Length")
            probe.expect(record.body.isEmpty, "a body of \(record.body.count) bytes")
        },
        TransportCheck("Any status is a response, and nothing is sent again") { probe in
            for status in [200, 204, 302, 304, 307, 401, 404, 500] {
                let record = await probe.sendSuccessfully(
                    probe.request(.put, "/status/\(status)", body: .init("x".utf8)), "status \(status)")
                probe.expect(record.head?.status == status, "\(status) is received as \(record.head?.status ?? 0)")
                probe.expect(
                    record.head?.headers["Location"]?.hasSuffix("/echo") == true,
                    "\(status): the field Location is lost")
                let cookies = record.head?.headers.values(for: "Set-Cookie") ?? []
                probe.expect(cookies == Self.cookies, "\(status): the fields Set-Cookie are \(cookies)")
                let body = status == 204 || status == 304 ? "" : "{}"
                probe.expect(record.text == body, "\(status): the body is '\(record.text)'")
            }
        },
        TransportCheck("A response is received completely") { probe in
            let record = await probe.sendSuccessfully(probe.request(.get, "/large"), "a large response")
            expectLarge(record, probe)
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
            expectLarge(await probe.end(of: recorder, "a paused response"), probe)
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
            expectLarge(await probe.end(of: recorder, "a response that is resumed early"), probe)
        },
    ]

    private static func expectLarge(_ record: TransportRecorder.Record, _ probe: TransportProbe) {
        probe.expect(record.failure == nil, "the response failed: \(record.failure?.cause ?? "")")
        probe.expect(
            record.body.count == largeCount, "\(record.body.count) bytes of \(largeCount) are received")
    }

    static let ends = [
        TransportCheck("A cancelled request ends once, also while its body waits or its response is paused") { probe in
            for (name, body) in [
                ("without a body", nil), ("of 5 bytes", FedBody().body(length: 5)),
                ("in chunks", FedBody().body(length: nil)),
            ] {
                let recorder = TransportRecorder()
                let task = probe.start(probe.request(.put, "/echo", body: body), recorder)
                task.cancel()
                task.cancel()
                let record = await probe.end(of: recorder, "a cancelled request \(name)")
                probe.expect(
                    record.failure?.kind == .cancelled || body == nil && record.failure == nil && record.head != nil,
                    "\(name): the failure is \(record.failure?.cause ?? "missing")")
            }
            let recorder = TransportRecorder { _ in false }
            let task = probe.start(probe.request(.get, "/large"), recorder)
            await recorder.until { $0.pieces > 0 }
            task.cancel()
            let record = await probe.end(of: recorder, "a paused and cancelled request")
            probe.expect(record.failure?.kind == .cancelled, "the failure is \(record.failure?.cause ?? "missing")")
            task.cancel()
            task.resume()
            // Another request is sent meanwhile: enough time for another end.
            _ = await probe.sendSuccessfully(probe.request(.get, "/echo"), "another request")
            probe.expect(recorder.record.finishes == 1, "a cancelled request ended again")
        },
        TransportCheck("A request that no server receives fails without a head") { probe in
            // Port 1 of the local machine.
            let recorder = TransportRecorder()
            var request = probe.request(.get, "/echo")
            request.url = URL(string: "http://127.0.0.1:1/echo") ?? request.url
            let task = probe.start(request, recorder)
            let record = await probe.end(of: recorder, "a refused request")
            withExtendedLifetime(task) {}
            probe.expect(record.failure != nil, "a refused request has no failure")
            probe.expect(record.head == nil, "a refused request has a head")
        },
    ]
}
