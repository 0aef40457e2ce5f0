import Testing

@testable import RequestQueue

@Suite("The watchdog")
struct WatchdogTests {
    private final class Nobody: Watched {
        func check(at now: Duration) -> Duration? { nil }
    }

    private static func tick(_ schedule: inout WatchdogSchedule, at clock: Duration) -> [Int] {
        let due = schedule.due(clock: clock).map(\.index)
        schedule.scheduleNext(clock: clock)
        return due
    }

    @Test func `The watchdog sleeps until an object is added, and then ticks`() {
        var schedule = WatchdogSchedule()
        #expect(schedule.time.wake == nil)
        let (_, isEarlier) = schedule.add(Nobody(), due: .seconds(30), clock: .seconds(1))
        #expect(isEarlier)
        #expect(schedule.time.wake == .milliseconds(1100))
        #expect(Self.tick(&schedule, at: .milliseconds(1100)).isEmpty)
        #expect(schedule.time.wake == .milliseconds(1200))
    }

    @Test func `Consecutive short requests do not restart the timer`() {
        var schedule = WatchdogSchedule()
        var wakes = 0
        for millisecond in 0..<5000 {
            let clock = Duration.milliseconds(millisecond)
            let (index, isEarlier) = schedule.add(Nobody(), due: clock + .seconds(30), clock: clock)
            if isEarlier { wakes += 1 }
            schedule.remove(index)
            if let wake = schedule.time.wake, clock >= wake { _ = Self.tick(&schedule, at: clock) }
        }
        #expect(wakes == 1)
    }

    @Test func `The watchdog stops some time after the last object`() {
        var schedule = WatchdogSchedule()
        let (index, _) = schedule.add(Nobody(), due: .seconds(30), clock: .zero)
        _ = Self.tick(&schedule, at: .milliseconds(100))
        schedule.remove(index)
        var ticks = 0
        while let wake = schedule.time.wake, ticks < 1000 {
            _ = Self.tick(&schedule, at: wake)
            ticks += 1
        }
        #expect(15...25 ~= ticks)
    }

    @Test func `An object that is due before the next tick is checked in time`() {
        var schedule = WatchdogSchedule()
        _ = schedule.add(Nobody(), due: .seconds(30), clock: .zero)
        let (index, isEarlier) = schedule.add(Nobody(), due: .milliseconds(20), clock: .zero)
        #expect(isEarlier)
        #expect(schedule.time.wake == .milliseconds(20))
        #expect(Self.tick(&schedule, at: .milliseconds(20)) == [index])
    }

    @Test func `A reused identifier is not postponed by the result for its earlier object`() {
        var schedule = WatchdogSchedule()
        let old = Nobody()
        let (index, _) = schedule.add(old, due: .milliseconds(10), clock: .zero)
        #expect(schedule.due(clock: .milliseconds(10)).map(\.index) == [index])
        schedule.remove(index)
        #expect(schedule.add(Nobody(), due: .milliseconds(15), clock: .milliseconds(11)).index == index)
        schedule.postpone(index, old, to: .seconds(99))
        #expect(Self.tick(&schedule, at: .milliseconds(15)) == [index])
    }

    @Test func `The time of a suspension does not count`() {
        var schedule = WatchdogSchedule()
        let (index, _) = schedule.add(Nobody(), due: .seconds(2), clock: .zero)
        #expect(Self.tick(&schedule, at: .milliseconds(100)).isEmpty)
        // It was suspended for 30 seconds; 200 ms of its clock have passed.
        #expect(Self.tick(&schedule, at: .milliseconds(30_200)).isEmpty)
        #expect(schedule.time.stopped == .seconds(30))
        for tenth in 303..<320 { #expect(Self.tick(&schedule, at: .milliseconds(tenth * 100)).isEmpty) }
        #expect(Self.tick(&schedule, at: .seconds(32)) == [index])
    }

    @Test func `Before the late tick the clock does not pass the time of that tick`() {
        var schedule = WatchdogSchedule()
        _ = schedule.add(Nobody(), due: .seconds(60), clock: .zero)
        // It continues after ten minutes, and other threads run before the tick.
        let now = schedule.time.instant(clock: .seconds(600))
        #expect(now == .milliseconds(600))
        let (index, isEarlier) = schedule.add(Nobody(), due: now + .milliseconds(250), clock: .seconds(600))
        #expect(!isEarlier)
        #expect(Self.tick(&schedule, at: .seconds(600)).isEmpty)
        #expect(Self.tick(&schedule, at: .milliseconds(600_400)).isEmpty)
        #expect(Self.tick(&schedule, at: .milliseconds(600_750)) == [index])
    }

    @Test func `An instant in the past is not a late tick`() {
        var schedule = WatchdogSchedule()
        let (index, _) = schedule.add(Nobody(), due: .seconds(-5), clock: .seconds(1))
        #expect(Self.tick(&schedule, at: .seconds(1)) == [index])
        #expect(schedule.time.stopped == .zero)
    }

    @Test func `On a busy machine the clock continues while a tick is late`() {
        var schedule = WatchdogSchedule()
        _ = schedule.add(Nobody(), due: .seconds(30), clock: .zero)
        #expect(schedule.time.instant(clock: .milliseconds(450)) == .milliseconds(450))
    }

    @Test func `A busy machine is not a suspension`() {
        var schedule = WatchdogSchedule()
        _ = schedule.add(Nobody(), due: .seconds(2), clock: .zero)
        #expect(Self.tick(&schedule, at: .milliseconds(400)).isEmpty)
        #expect(schedule.time.stopped == .zero)
    }

    @Test(arguments: [0, 1, 2, 3])
    func `A request with an expired timeout is ended by the watchdog`(steps: Int) async throws {
        let transport = ScriptedTransport({ call in
            if steps > 0 { call.connect() }
            if steps > 1 { call.sendBody() }
            if steps > 2 { call.receive(200) }
        })
        var request = try request(.post, body: "hello", over: transport)
        request.timeouts = Timeouts(connect: .milliseconds(60), idle: .milliseconds(80))
        let (error, time) = await Self.failure(of: request)
        #expect(error?.kind == (steps == 0 ? .connectTimedOut : .idleTimedOut))
        #expect(error?.isTimeout == true)
        #expect(time >= .milliseconds(steps == 0 ? 60 : 80))
        // The watchdog's thread delivers the outcome first, and then cancels the transport.
        for _ in 0..<1000 where !transport.calls[0].isCancelled { try await Task.sleep(for: .milliseconds(10)) }
        #expect(transport.calls[0].isCancelled)
    }

    @Test func `A body that waits for bytes does not prevent an idle timeout after a refusal`() async throws {
        let transport = ScriptedTransport({ call in
            call.connect()
            call.sendBody()
            call.receive(400, ["Content-Length": "10"])
            call.receive("half".utf8)
        })
        var request = try request(.post, over: transport)
        let (bytes, continuation) = AsyncStream<Data>.makeStream()
        request.setBody(StreamBody(bytes))
        request.timeouts = Timeouts(connect: nil, idle: .milliseconds(50))
        let (error, _) = await Self.failure(of: request)
        #expect(error?.kind == .idleTimedOut)
        continuation.finish()
    }

    @Test func `The total timeout ends a transfer that receives bytes`() async throws {
        let transport = ScriptedTransport({ $0.receive(200) })
        var request = try request(over: transport)
        request.timeouts = Timeouts(connect: nil, idle: nil, total: .milliseconds(50))
        let (error, _) = await Self.failure(of: request)
        #expect(error?.kind == .timedOut)
    }

    private static func failure(of request: RESTRequest) async -> (RequestError?, Duration) {
        let start = ContinuousClock.now
        let outcome = await withCheckedContinuation { continuation in
            Exchange(request) { continuation.resume(returning: $0) }.start()
        }
        return (outcome.failure, ContinuousClock.now - start)
    }
}
