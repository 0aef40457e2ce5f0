import ObjectMapping
import Synchronization
import Testing

struct LogTests {
    private final class Sink: Sendable {
        let events = Mutex<[MappingEvent]>([])
        var options: MappingOptions { MappingOptions(log: { [self] event in events.withLock { $0.append(event) } }) }

        /// The events, one per line, without times.
        func lines(_ text: (MappingEvent) -> String = { "\($0.level): \($0)" }) -> [String] {
            events.withLock { $0.map(text).map { $0.split(separator: ", in ").first.map(String.init) ?? "" } }
        }
    }

    @Test func `A decode logs its begin and its end`() throws {
        let sink = Sink()
        _ = try Payment.mapping.map(#"{"id": 1}"#, options: sink.options)
        #expect(sink.lines() == ["debug: Payment: reading 9 bytes", "info: Payment: 1 made, 0 skipped"])
        let durations = sink.events.withLock { events in
            events.compactMap { if case .ended(_, _, _, let duration) = $0 { duration } else { nil } }
        }
        #expect(durations.count == 1 && durations.allSatisfy { $0 > .zero })
    }

    @Test func `Issues, warnings and rejected elements are logged, values in details only`() throws {
        let sink = Sink()
        var report = MappingReport(policy: .skipElement)
        let text = #"[{"id": 1, "id": 2}, {"id": "secret"}]"#
        _ = try Payment.mapping.mapAll(text, options: sink.options, report: &report)
        let lines = [
            "debug: Payment: reading 38 bytes",
            "warning: 1:12 $[0].id: expected unique keys, found a duplicate key (rule id -> Payment.id)",
            "error: 1:29 $[1].id: expected an integer, found a string that cannot be converted to an integer (rule id -> Payment.id)",
            "warning: $[1]: skipped because of 1 issue", "info: Payment: 1 made, 1 skipped",
        ]
        #expect(sink.lines() == lines)
        #expect(!sink.lines().joined().contains("secret"))
        let details = sink.lines { $0.details }
        #expect(details[2].hasSuffix(#", value "secret""#) && details[3].hasSuffix(#", {"id": "secret"}"#))
    }

    @Test func `A decode that throws logs every issue first`() {
        let sink = Sink()
        _ = try? Payment.mapping.mapAll(#"[{"id": true}, {"id": }]"#, options: sink.options)
        #expect(
            sink.lines() == [
                "debug: Payment: reading 24 bytes",
                "error: 1:9 $[0].id: expected an integer, found a boolean (rule id -> Payment.id)",
                "error: 1:23 $[1].id: expected a value after the colon, found '}'",
                "error: Payment: failed with 2 issues",
            ])
    }

    @Test func `Levels are ordered`() {
        #expect(MappingEvent.Level.allCases == MappingEvent.Level.allCases.sorted())
        #expect(MappingEvent.Level.warning < .error && !(MappingEvent.Level.info < .debug))
    }

    @Test func `explain logs nothing`() {
        let sink = Sink()
        _ = Payment.mapping.explain(#"{"id": 1}"#, options: sink.options)
        #expect(sink.lines().isEmpty)
    }
}
