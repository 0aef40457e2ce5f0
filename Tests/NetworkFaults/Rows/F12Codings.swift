import RequestQueue

extension Fault {
    /// Compressed bodies that are damaged.
    static let codings: [Fault] = [
        .failing("F12", "half a gzip", "/gzip-bad?mode=trunc", [.undecodableResponse]),
        .failing("F12", "a gzip with a wrong checksum", "/gzip-bad?mode=crc", [.undecodableResponse]),
        .failing("F12", "a gzip with changed bytes", "/gzip-bad?mode=garbage", [.undecodableResponse]),
        .failing("F12", "a text declared as gzip", "/gzip-bad?mode=notgzip", [.undecodableResponse]),
        Fault("F12", "a gzip that grows to 256 MiB, limit 16 MiB", count: 2, quickCount: 1) { trial in
            await trial.withGrowth(atMost: 48) {
                await trial.repeated { _ in
                    await trial.send(.get, "/gzip-bad?mode=bomb&n=268435456") { $0.limits.bodyInMemory = 16 << 20 }
                        .expectFailure([.responseTooLarge], in: trial)
                }
            }
        },
        Fault("F12", "a valid gzip") { trial in
            await trial.repeated { _ in
                let outcome = await trial.send(.get, "/gzip?n=1000")
                outcome.expectResponse(200, in: trial)
                let text = outcome.response.map { String(decoding: $0.body, as: UTF8.self) } ?? ""
                trial.expect(text.hasSuffix("999]}"), "the document is incomplete: …\(text.suffix(20))")
            }
        },
    ]
}
