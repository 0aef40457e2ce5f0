import Testing

@testable import RequestQueue

@Suite("Deadlines with a test clock")
struct DeadlinesTests {
    private static let timeouts = Timeouts(connect: .seconds(3), idle: .seconds(2), total: .seconds(60))

    private static func deadlines(_ timeouts: Timeouts = timeouts) -> Deadlines {
        Deadlines(timeouts, start: .seconds(10))
    }

    @Test func `The connect timeout starts with the request`() {
        var deadlines = Self.deadlines()
        #expect(deadlines.expired(at: .milliseconds(12_999)) == nil)
        #expect(deadlines.expired(at: .seconds(13))?.kind == .connectTimedOut)
        #expect(deadlines.expired(at: .seconds(13))?.limit == .seconds(3))
    }

    @Test(arguments: [Duration.seconds(Int64.max) * 18, .seconds(Int64.min) * 18])
    func `A timeout that would overflow is limited`(limit: Duration) {
        var deadlines = Self.deadlines(Timeouts(connect: limit, idle: limit, total: limit))
        #expect(deadlines.expired(at: .seconds(1000))?.limit == (limit > .zero ? nil : .zero))
        #expect(deadlines.nextCheck(after: .seconds(1000)) != nil)
    }

    @Test func `The connect timeout restarts for each redirect`() {
        var deadlines = Self.deadlines()
        deadlines.touch(at: .seconds(12))
        deadlines.beginHop(at: .milliseconds(13_500))
        #expect(deadlines.expired(at: .seconds(16)) == nil)
        #expect(deadlines.expired(at: .milliseconds(16_500))?.kind == .connectTimedOut)
    }

    @Test func `Each byte restarts the idle timeout`() {
        var deadlines = Self.deadlines()
        for second in 11..<30 {
            deadlines.touch(at: .seconds(second))
            #expect(deadlines.expired(at: .seconds(second) + .milliseconds(1999)) == nil)
        }
        #expect(deadlines.expired(at: .seconds(31))?.kind == .idleTimedOut)
        #expect(deadlines.expired(at: .seconds(31))?.limit == .seconds(2))
    }

    @Test func `The idle timeout does not run while the client delays the transfer`() {
        var deadlines = Self.deadlines()
        deadlines.touch(at: .seconds(11))
        deadlines.hold(at: .seconds(12))
        #expect(deadlines.expired(at: .seconds(40)) == nil)
        deadlines.release(at: .seconds(40))
        #expect(deadlines.expired(at: .milliseconds(41_999)) == nil)
        #expect(deadlines.expired(at: .seconds(42))?.kind == .idleTimedOut)
    }

    @Test func `A release that is recorded before its hold counts`() {
        var deadlines = Self.deadlines()
        deadlines.touch(at: .seconds(11))
        deadlines.release(at: .seconds(12))
        deadlines.hold(at: .seconds(12))
        #expect(deadlines.expired(at: .seconds(14))?.kind == .idleTimedOut)
    }

    @Test func `A body that is sent again has no holds`() {
        var deadlines = Self.deadlines()
        deadlines.touch(at: .seconds(11))
        deadlines.hold(at: .seconds(12))
        deadlines.removeHolds()
        #expect(deadlines.expired(at: .seconds(14))?.kind == .idleTimedOut)
    }

    @Test func `The total timeout continues over redirects, bytes and holds`() {
        var deadlines = Self.deadlines()
        deadlines.beginHop(at: .seconds(69))
        deadlines.touch(at: .seconds(69))
        deadlines.hold(at: .seconds(69))
        #expect(deadlines.expired(at: .milliseconds(69_999)) == nil)
        #expect(deadlines.expired(at: .seconds(70))?.kind == .timedOut)
    }

    @Test func `Between two hops only the total timeout applies`() {
        var deadlines = Self.deadlines()
        deadlines.touch(at: .seconds(11))
        deadlines.endHop(at: .seconds(12))
        #expect(deadlines.expired(at: .milliseconds(69_999)) == nil)
        #expect(deadlines.expired(at: .seconds(70))?.kind == .timedOut)
        deadlines.beginHop(at: .seconds(40))
        #expect(deadlines.expired(at: .seconds(69))?.kind == .connectTimedOut)
    }

    @Test func `Without timeouts nothing expires`() {
        var deadlines = Self.deadlines(Timeouts(connect: nil, idle: nil, total: nil))
        deadlines.touch(at: .seconds(11))
        #expect(deadlines.expired(at: .seconds(1_000_000)) == nil)
        #expect(deadlines.nextCheck(after: .seconds(11)) == nil)
    }

    @Test func `A byte received before a suspension was detected does not extend the timeout`() {
        var deadlines = Self.deadlines()
        // Noted with the time of the stop, which the clock then took back.
        deadlines.touch(at: .seconds(41))
        #expect(deadlines.expired(at: .seconds(12)) == nil)
        #expect(deadlines.expired(at: .seconds(14))?.kind == .idleTimedOut)
    }

    /// For any events between two checks, the second check is not later than the timeout that it finds.
    @Test(arguments: 0..<200)
    func `A check is never too late`(seed: UInt64) {
        var random = seed &* 6_364_136_223_846_793_005 &+ 1
        func next(_ bound: UInt64) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((random >> 33) % bound)
        }
        let timeouts = Timeouts(
            connect: .milliseconds(next(400) + 1), idle: .milliseconds(next(400) + 1),
            total: next(2) == 0 ? nil : .milliseconds(next(2000) + 1))
        var deadlines = Deadlines(timeouts, start: .zero)
        var check = deadlines.nextCheck(after: .zero) ?? .zero
        var holds = 0
        for millisecond in 0..<3000 {
            let now = Duration.milliseconds(millisecond)
            if deadlines.expired(at: now) != nil {
                #expect(check <= now)
                return
            }
            if check <= now { check = deadlines.nextCheck(after: now) ?? .seconds(1_000) }
            switch next(300) {
            case 0: deadlines.touch(at: now)
            case 1:
                deadlines.beginHop(at: now)
                holds = 0
            case 4: deadlines.endHop(at: now)
            case 2 where holds == 0:
                deadlines.hold(at: now)
                holds = 1
            case 3 where holds == 1:
                deadlines.release(at: now)
                holds = 0
            default: break
            }
        }
    }

    @Test(arguments: [
        (
            RequestError.Kind.idleTimedOut, Duration.seconds(2), RequestError.Phase.receiving,
            "no byte for 2 seconds while receiving the response; Timeouts.idle is 2 s"
        ),
        (.idleTimedOut, .seconds(1), .sending, "no byte for 1 second while sending the body; Timeouts.idle is 1 s"),
        (
            .idleTimedOut, .milliseconds(250), .waiting,
            "no byte for 0.25 seconds while waiting for the response; Timeouts.idle is 0.25 s"
        ),
        (.connectTimedOut, .seconds(30), .connecting, "no connection after 30 seconds; Timeouts.connect is 30 s"),
        (.timedOut, .seconds(90), .receiving, "not completed after 90 seconds; Timeouts.total is 90 s"),
    ])
    func `The cause of a timeout contains its limit`(
        kind: RequestError.Kind, limit: Duration, phase: RequestError.Phase, cause: String
    ) {
        let failure = TransportFailure(timeout: kind, limit: limit, phase: phase)
        #expect(failure == TransportFailure(kind, cause))
    }
}
