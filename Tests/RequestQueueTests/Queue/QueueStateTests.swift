import RequestQueue
import TestSupport
import Testing

@Suite struct QueueStateTests {
    @Test func `A new queue state is suspended until it is started`() {
        var state = QueueState<StateRequest>(limit: 2, suspensionReasons: [.user])
        state.add(1, 2, 3)
        #expect(state.told().isEmpty)
        #expect(state.waitingCount == 3 && state.loadingCount == 0 && state.count == 3)
        state.resume(for: .user)
        #expect(state.told() == ["unsuspended user", "begin", "start 1", "start 2"])
        #expect(state.waitingCount == 1 && state.loadingCount == 2 && state.count == 3)
    }

    @Test func `Requests start in order, and the next starts before loading ends`() {
        var state = QueueState<StateRequest>.running(limit: 1)
        state.add(1, 2, 3)
        state.finish(1)
        state.finish(2)
        state.finish(3)
        #expect(state.told() == ["begin", "start 1", "finish 1", "start 2", "finish 2", "start 3", "finish 3", "end"])
        #expect(state.count == 0)
    }

    @Test(arguments: [(-3, 1), (0, 1), (1, 1), (7, 7)])
    func `The limit is at least 1`(given: Int, limit: Int) {
        var state = QueueState<StateRequest>.running(limit: given)
        #expect(state.limit == limit)
        state.setLimit(given)
        #expect(state.limit == limit)
    }

    @Test func `A higher limit starts requests, a lower one waits for running requests`() {
        var state = QueueState<StateRequest>.running(limit: 1)
        state.add(1, 2, 3, 4, 5, 6)
        _ = state.told()
        state.setLimit(3)
        #expect(state.told() == ["start 2", "start 3"])
        state.setLimit(1)
        state.finish(1)
        state.finish(2)
        #expect(state.told() == ["finish 1", "finish 2"])
        state.finish(3)
        #expect(state.told() == ["finish 3", "start 4"])
    }

    @Test func `The highest priority starts first, in order of adding`() {
        var state = QueueState<StateRequest>(limit: 10, suspensionReasons: [.user])
        state.add(1, 2, priority: .low)
        state.add(3, 4)
        state.add(5, 6, priority: .high)
        state.resume(for: .user)
        #expect(
            state.told() == [
                "unsuspended user", "begin", "start 5", "start 6", "start 3", "start 4", "start 1", "start 2",
            ])
    }

    @Test func `No priority starves`() {
        var state = QueueState<StateRequest>.running(limit: 1)
        state.add(0)
        state.add(1, priority: .low)
        state.add(2)
        var order: [Int] = []
        var running = 0
        for id in 100..<200 {
            state.add(id, priority: .high)
            state.finish(running)
            running = Int(state.told().last { $0.hasPrefix("start") }?.dropFirst(6) ?? "") ?? -1
            order.append(running)
        }
        // Sixteen of high priority pass; then the low one, which has waited as long, goes before the normal one.
        #expect(order.firstIndex(of: 1) == 16)
        #expect(order.firstIndex(of: 2) == 17)
        #expect(order.filter { $0 >= 100 } == Array(100..<198))
    }

    @Test func `Suspension reasons are independent, and only changes are reported`() {
        var state = QueueState<StateRequest>.running(limit: 1)
        state.suspend(for: .background)
        state.suspend(for: .user)
        state.suspend(for: .user)
        state.add(1)
        state.resume(for: .background)
        #expect(state.isSuspended && state.suspensionReasons == [.user])
        #expect(state.told() == ["suspended background"])
        state.resume(for: .reachability)
        #expect(state.told().isEmpty)
        state.resume(for: .user)
        #expect(state.told() == ["unsuspended user", "begin", "start 1"])
        state.resume(for: .user)
        #expect(state.told().isEmpty)
    }

    @Test func `Loading requests continue in a suspended queue`() {
        var state = QueueState<StateRequest>.running(limit: 1)
        state.add(1, 2)
        state.suspend(for: .user)
        state.finish(1)
        #expect(state.told() == ["begin", "start 1", "suspended user", "finish 1", "end"])
        state.resume(for: .user)
        #expect(state.told() == ["unsuspended user", "begin", "start 2"])
    }

    @Test func `A cancelled request frees its slot immediately, and its late outcome is ignored`() {
        var state = QueueState<StateRequest>.running(limit: 1)
        state.add(1, 2, 3)
        state.cancel(2)
        state.cancel(1)
        state.finish(1)
        state.cancel(1)
        state.cancel(77)
        #expect(state.told() == ["begin", "start 1", "drop 2", "stop 1", "start 3"])
        #expect(state.count == 1)
    }

    @Test func `A selection is cancelled before another request starts`() {
        var state = QueueState<StateRequest>.running(limit: 2)
        state.add(1, 2, 3, 4, 5)
        _ = state.told()
        state.cancel { $0.id % 2 == 1 }
        #expect(state.told() == ["stop 1", "drop 3", "drop 5", "start 4"])
        state.cancel { _ in true }
        #expect(state.told() == ["stop 2", "stop 4", "end"])
        state.cancel { _ in true }
        #expect(state.told().isEmpty)
    }

    @Test func `A waiting request that is not loading cannot finish`() {
        var state = QueueState<StateRequest>(limit: 1, suspensionReasons: [.user])
        state.add(1)
        state.finish(1)
        #expect(state.told().isEmpty && state.waitingCount == 1)
    }

    @Test func `A hundred thousand requests are added, started and cancelled in linear time`() {
        var state = QueueState<StateRequest>.running(limit: 5)
        for id in 0..<100_000 { state.add(id, priority: id % 3 == 0 ? .low : .normal) }
        for id in stride(from: 99_999, to: 50_000, by: -1) { state.cancel(id) }
        var finished = 0
        while state.loadingCount > 0 {
            for case .start(let request, _) in state.takeEffects() {
                state.finish(request.id)
                finished += 1
            }
        }
        #expect(finished == 50_001)
        #expect(state.count == 0)
    }
}
