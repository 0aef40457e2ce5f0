import Synchronization
import Testing

@testable import RequestQueue

@Suite("The state of a bearer token")
struct BearerStateTests {
    private static func shown(_ step: BearerState.Step) -> String {
        switch step {
        case .done(let taken): shown(taken)
        case .wait: "wait"
        case .refresh(let number): "refresh \(number)"
        }
    }

    private static func shown(_ taken: BearerState.Taken) -> String {
        switch taken {
        case .success(let (token, refreshes)): "\(token) after \(refreshes)"
        case .failure(let failure): "\(failure.kind.rawValue): \(failure.cause)"
        }
    }

    private static func take(_ state: inout BearerState, refused: Int?) -> String {
        shown(state.take(refused: refused) { _ in })
    }

    /// The result for waiting requests; nil if the refresh had ended.
    private static func end(
        _ state: inout BearerState, _ number: Int, _ result: Result<String, TransportFailure>
    ) -> String? {
        state.end(number, with: result).map { shown($0.taken) }
    }

    private static let refusal = TransportFailure(.authenticationFailed, "no")

    @Test func `A token is returned until it is refused`() {
        var state = BearerState(token: "a")
        #expect(Self.take(&state, refused: nil) == "a after 0")
        #expect(Self.take(&state, refused: nil) == "a after 0")
        #expect(Self.take(&state, refused: 0) == "refresh 0")
    }

    @Test func `Without a token the first request refreshes`() {
        var state = BearerState(token: nil)
        #expect(Self.take(&state, refused: nil) == "refresh 0")
        #expect(Self.take(&state, refused: nil) == "wait")
    }

    @Test func `All waiting requests get the new token, and a later one with an older token does, too`() {
        let told = Mutex<[String]>([])
        var state = BearerState(token: "a")
        let steps = (0..<5).map { _ in
            Self.shown(state.take(refused: 0) { taken in told.withLock { $0.append(Self.shown(taken)) } })
        }
        #expect(steps == ["refresh 0", "wait", "wait", "wait", "wait"])
        let end = state.end(0, with: .success("b"))
        for receive in end?.receivers ?? [] { if let taken = end?.taken { receive(taken) } }
        #expect(told.withLock { $0 } == [String](repeating: "b after 1", count: 5))
        #expect(Self.take(&state, refused: 0) == "b after 1")
        #expect(Self.take(&state, refused: 1) == "refresh 1")
    }

    @Test func `A failed refresh fails all requests sent before it, and the next one tries again`() {
        var state = BearerState(token: "a")
        _ = state.take(refused: 0) { _ in }
        #expect(Self.end(&state, 0, .failure(Self.refusal)) == "authenticationFailed: no")
        #expect(Self.take(&state, refused: 0) == "authenticationFailed: no")
        #expect(Self.take(&state, refused: nil) == "a after 1")
        #expect(Self.take(&state, refused: 1) == "refresh 1")
        _ = state.end(1, with: .success("b"))
        #expect(Self.take(&state, refused: 0) == "b after 2")
    }

    @Test func `A refresh that failed by the network is repeated`() {
        var state = BearerState(token: "a")
        _ = state.take(refused: 0) { _ in }
        #expect(Self.end(&state, 0, .failure(TransportFailure(.offline, "no"))) == "offline: no")
        #expect(Self.take(&state, refused: 0) == "refresh 1")
    }

    @Test func `Only the first end of a refresh counts`() {
        var state = BearerState(token: nil)
        _ = state.take(refused: nil) { _ in }
        let alarm = Alarm.set(after: .seconds(1000)) {}
        defer { alarm.cancel() }
        let isWatched = state.watch(0, by: alarm)
        let first = state.end(0, with: .failure(Self.refusal))
        #expect(isWatched && first?.alarm === alarm)
        #expect(Self.end(&state, 0, .success("late")) == nil)
        let isWatchedLate = state.watch(0, by: alarm)
        #expect(!isWatchedLate)
        #expect(Self.take(&state, refused: nil) == "refresh 1")
        #expect(Self.end(&state, 0, .success("late")) == nil)
        #expect(Self.end(&state, 1, .success("b")) == "b after 2")
        #expect(Self.take(&state, refused: nil) == "b after 2")
    }

    @Test(arguments: ["", "a b", "a\r\nX: y", "ä", "a\u{0}"])
    func `An invalid token is not sent`(token: String) {
        let cause = "authenticationFailed: the token is empty or contains invalid characters"
        // A first token is replaced by a refresh, and does not fail every request.
        var state = BearerState(token: token)
        #expect(Self.take(&state, refused: nil) == "refresh 0")
        #expect(Self.end(&state, 0, .success("b")) == "b after 1")
        var other = BearerState(token: "a")
        _ = other.take(refused: 0) { _ in }
        #expect(Self.end(&other, 0, .success(token)) == cause)
        #expect(Self.take(&other, refused: nil) == "a after 1")
    }
}
