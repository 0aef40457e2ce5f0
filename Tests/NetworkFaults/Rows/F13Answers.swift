import RequestQueue

extension Fault {
    /// Unusual responses, and invalid ones.
    static let answers: [Fault] = [
        Fault("F13", "a trailer after the last chunk") { trial in
            let target = trial.site == .loopback ? "/bytes?n=1000&trailer=1" : "/chunked?n=10&size=100"
            await trial.repeated { _ in
                let outcome = await trial.send(.get, target)
                outcome.expectResponse(200, in: trial)
                trial.expect(outcome.response?.body.count == 1000, "the body is incomplete: \(outcome)")
            }
        },
        .succeeding("F13", "a trailer and no body", "/empty-trailer", body: "", on: [.loopback]),
        Fault("F13", "informational responses first") { trial in
            let body = trial.site == .loopback ? #"{"ok":true}"# : #"{"after1xx":true}"#
            await trial.repeated { _ in
                await trial.send(.get, "/1xx?n=6").expectResponse(200, body: body, in: trial)
            }
        },
        .succeeding("F13", "204", "/204", status: 204, body: ""),
        .succeeding("F13", "304", "/304", status: 304, body: ""),
        Fault("F13", "204 with a body") { trial in
            await trial.repeated { _ in
                let outcome = await trial.send(.get, "/204-body")
                if outcome.error == nil { outcome.expectResponse(204, body: "", in: trial) }
                await trial.send(.get, "/ok").expectResponse(200, body: #"{"ok":true}"#, in: trial)
            }
        },
        .failing("F13", "garbage", "/garbage", [.malformedResponse]),
        .failing("F13", "a body without a head (HTTP/0.9)", "/http09", [.malformedResponse]),
        .failing("F13", "a status line without a status", "/no-status", [.malformedResponse], on: [.loopback]),
        .failing(
            "F13", "a protocol that was not requested", "/upgrade", [.malformedResponse, .connectionLost],
            on: [.loopback]),
        .failing("F13", "NUL in a header field", "/header-bad?kind=nul", [.malformedResponse]),
        .failing("F13", "a header line without a colon", "/header-bad?kind=nocolon", [.malformedResponse]),
        .failing("F13", "1 MiB of a header field", "/header-bad?kind=huge", [.responseTooLarge]),
        tolerated("a length in addition to chunks, which take precedence", "/both-framings", on: [.loopback]),
        tolerated("a folded header field", "/header-bad?kind=fold"),
        tolerated("a header line that ends in LF only", "/header-bad?kind=lf"),
        tolerated("a header field that is not UTF-8", "/header-bad?kind=latin1", on: [.loopback]),
    ]
}

/// Responses that a lenient client may accept, and a strict one refuse.
private func tolerated(_ name: String, _ target: String, on sites: Set<Site> = [.loopback, .independent]) -> Fault {
    Fault("F13", name, on: sites) { trial in
        await trial.repeated { _ in
            let outcome = await trial.send(.get, target)
            if outcome.error == nil {
                outcome.expectResponse(200, body: "{}", in: trial)
            } else {
                outcome.expectFailure([.malformedResponse], in: trial)
            }
        }
    }
}
