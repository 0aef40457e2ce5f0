import RequestQueue
import Testing

/// What the state of a queue does in the background and without a network, event by event.
@Suite struct QueueTransitionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var limit = 4
        let events: @Sendable (inout QueueState<StateRequest>) -> Void
        let told: [String]

        init(
            _ name: String, limit: Int = 4, _ events: @escaping @Sendable (inout QueueState<StateRequest>) -> Void,
            told: [String]
        ) {
            testDescription = name
            self.limit = limit
            self.events = events
            self.told = told
        }
    }

    // The policies of requests 0, 1, 2, 3 and so on are none, cancel, continue, requeue.
    static let background = [
        Row("an empty queue", { $0.enterBackground() }, told: ["suspended background"]),
        Row(
            "each policy",
            { state in
                state.add(0, 1, 2, 3)
                state.enterBackground()
            },
            told: [
                "begin", "start 0", "start 1", "start 2", "start 3", "suspended background", "stop 1", "back 3",
            ]),
        Row(
            "no request takes the slots that become free", limit: 2,
            { state in
                state.add(1, 3, 4)
                state.enterBackground()
            }, told: ["begin", "start 1", "start 3", "suspended background", "stop 1", "back 3", "end"]),
        Row(
            "waiting requests stay with any policy", limit: 1,
            { state in
                state.add(0, 1, 2, 3)
                state.enterBackground()
                state.finish(0)
                state.resume(for: .background)
            },
            told: [
                "begin", "start 0", "suspended background", "finish 0", "end", "unsuspended background", "begin",
                "start 1",
            ]),
        Row(
            "a requeued request starts at its position, before later ones", limit: 2,
            { state in
                state.add(3, 7, 8, 9)
                state.enterBackground()
                state.resume(for: .background)
                state.finish(3)
                state.finish(7)
            },
            told: [
                "begin", "start 3", "start 7", "suspended background", "back 3", "back 7", "end",
                "unsuspended background", "begin", "start 3", "start 7", "finish 3", "start 8", "finish 7", "start 9",
            ]),
        Row(
            "a single requeued request starts before all that were added later", limit: 1,
            { state in
                state.add(3, 4, 5)
                state.putBack(3)
                state.finish(3)
            }, told: ["begin", "start 3", "back 3", "start 3", "finish 3", "start 4"]),
        Row(
            "a requeued request keeps its priority", limit: 1,
            { state in
                state.add(3, priority: .low)
                state.enterBackground()
                state.add(4)
                state.resume(for: .background)
                state.finish(4)
            },
            told: [
                "begin", "start 3", "suspended background", "back 3", "end", "unsuspended background", "begin",
                "start 4", "finish 4", "start 3",
            ]),
        Row(
            "a suspension by the user outlives the background", limit: 1,
            { state in
                state.suspend(for: .user)
                state.add(0)
                state.enterBackground()
                state.resume(for: .background)
                state.resume(for: .user)
            }, told: ["suspended user", "unsuspended user", "begin", "start 0"]),
        Row(
            "policies apply in a suspended queue", limit: 2,
            { state in
                state.add(1, 3)
                state.suspend(for: .user)
                state.enterBackground()
            }, told: ["begin", "start 1", "start 3", "suspended user", "stop 1", "back 3", "end"]),
        Row(
            "a requeued request can be cancelled", limit: 1,
            { state in
                state.add(3)
                state.enterBackground()
                state.cancel(3)
                state.resume(for: .background)
            }, told: ["begin", "start 3", "suspended background", "back 3", "end", "drop 3", "unsuspended background"]),
        Row(
            "a response to a requeued request is its outcome", limit: 1,
            { state in
                state.add(3)
                state.enterBackground()
                state.finish(3, attempt: 1, .success(.plain))
                state.resume(for: .background)
            },
            told: ["begin", "start 3", "suspended background", "back 3", "end", "finish 3", "unsuspended background"]),
        Row(
            "a failure of a requeued request is ignored", limit: 1,
            { state in
                state.add(3)
                state.enterBackground()
                state.finish(3, attempt: 1, .unsent)
                state.resume(for: .background)
            },
            told: [
                "begin", "start 3", "suspended background", "back 3", "end", "unsuspended background", "begin",
                "start 3",
            ]),
        Row(
            "the end of an earlier attempt is ignored", limit: 1,
            { state in
                state.add(3)
                state.enterBackground()
                state.resume(for: .background)
                state.finish(3, attempt: 1, .success(.plain))
                state.finish(3, attempt: 2, .unsent)
            },
            told: [
                "begin", "start 3", "suspended background", "back 3", "end", "unsuspended background", "begin",
                "start 3", "finish 3", "end",
            ]),
    ]

    static let network = [
        Row(
            "requests wait while the network is undetermined, and start when it is available",
            { state in
                state.setLink(.undetermined, waits: false)
                state.add(0)
                state.setLink(.reachable, waits: false)
            }, told: ["suspended reachability", "await 1", "unsuspended reachability", "begin", "start 0"]),
        Row(
            "requests start after the limit of an undetermined network",
            { state in
                state.setLink(.undetermined, waits: true)
                state.add(0)
                state.endUndetermined(change: 1)
            }, told: ["suspended reachability", "await 1", "unsuspended reachability", "begin", "start 0"]),
        Row(
            "the limit of an earlier undetermined state is ignored",
            { state in
                state.setLink(.undetermined, waits: true)
                state.setLink(.unreachable, waits: true)
                state.setLink(.undetermined, waits: true)
                state.endUndetermined(change: 1)
            }, told: ["suspended reachability", "await 1", "await 3"]),
        Row(
            "without a network requests start, and fail",
            { state in
                state.setLink(.unreachable, waits: false)
                state.add(0)
                state.failUnsent(0)
            }, told: ["begin", "start 0", "finish 0", "end"]),
        Row(
            "without a network requests wait",
            { state in
                state.setLink(.unreachable, waits: true)
                state.add(0)
                state.setLink(.reachable, waits: true)
            }, told: ["suspended reachability", "unsuspended reachability", "begin", "start 0"]),
        Row(
            "selected requests whose failure is held are requeued", limit: 2,
            { state in
                state.setLink(.reachable, waits: true)
                state.add(0, 1)
                state.failUnsent(0)
                state.failUnsent(1)
                state.suspend(for: .background)
                state.moveBackHeld { $0.id == 0 }
                state.settle(0)
                state.settle(1)
                state.resume(for: .background)
            },
            told: [
                "begin", "start 0", "start 1", "hold 0", "hold 1", "suspended background", "back 0", "finish 1", "end",
                "unsuspended background", "begin", "start 0",
            ]),
        Row(
            "a connection that fails as the network is lost requeues the request", limit: 1,
            { state in
                state.setLink(.reachable, waits: true)
                state.add(0, 1)
                state.setLink(.unreachable, waits: true)
                state.failUnsent(0)
                state.setLink(.reachable, waits: true)
            },
            told: [
                "begin", "start 0", "suspended reachability", "back 0", "end", "unsuspended reachability", "begin",
                "start 0",
            ]),
        Row(
            "a connection that failed before the loss is reported requeues the request then", limit: 1,
            { state in
                state.setLink(.reachable, waits: true)
                state.add(0, 1)
                state.failUnsent(0)
                state.setLink(.unreachable, waits: true)
            }, told: ["begin", "start 0", "hold 0", "back 0", "suspended reachability", "end"]),
        Row(
            "a connection that failed during a loss of the network is tried again", limit: 1,
            { state in
                state.setLink(.reachable, waits: true)
                state.add(0, 1)
                state.setLink(.unreachable, waits: true)
                state.setLink(.reachable, waits: true)
                state.failUnsent(0)
            },
            told: ["begin", "start 0", "suspended reachability", "unsuspended reachability", "back 0", "start 0"]),
        Row(
            "a connection that fails in an available network is a failure", limit: 1,
            { state in
                state.setLink(.reachable, waits: true)
                state.add(0, 1)
                state.failUnsent(0)
                state.settle(0)
                state.settle(0)
            }, told: ["begin", "start 0", "hold 0", "finish 0", "start 1"]),
        Row(
            "a request with a held failure can be cancelled", limit: 1,
            { state in
                state.setLink(.reachable, waits: true)
                state.add(0)
                state.failUnsent(0)
                state.cancel(0)
                state.settle(0, attempt: 1)
            }, told: ["begin", "start 0", "hold 0", "stop 0", "end"]),
        Row(
            "a connection that is lost later is a failure", limit: 1,
            { state in
                state.setLink(.reachable, waits: true)
                state.add(0)
                state.setLink(.unreachable, waits: true)
                state.finish(0, attempt: 1, .unsent)
            }, told: ["begin", "start 0", "suspended reachability", "finish 0", "end"]),
        Row(
            "without an observer waiting requests start, and held failures are outcomes", limit: 2,
            { state in
                state.setLink(.reachable, waits: true)
                state.add(0, 1)
                state.failUnsent(0)
                state.setLink(nil, waits: false)
                state.failUnsent(1)
            }, told: ["begin", "start 0", "start 1", "hold 0", "finish 0", "finish 1", "end"]),
        Row(
            "a return from the background does not end the wait for the network",
            { state in
                state.setLink(.reachable, waits: true)
                state.enterBackground()
                state.add(0)
                state.setLink(.undetermined, waits: true)
                state.resume(for: .background)
                state.setLink(.reachable, waits: true)
            }, told: ["suspended background", "await 2", "unsuspended reachability", "begin", "start 0"]),
    ]

    @Test(arguments: background + network)
    func `Effects of a queue state`(in row: Row) {
        var state = QueueState<StateRequest>.running(limit: row.limit)
        row.events(&state)
        #expect(state.told() == row.told)
    }

    @Test func `A request in backoff frees its slot, and needs one for its next attempt`() {
        var state = QueueState<StateRequest>.running(limit: 2)
        state.add(1, 2, 3, 4)
        #expect(state.told() == ["begin", "start 1", "start 2"])
        state.beginBackoff(1, attempt: state.attempt(of: 1))
        #expect(state.told() == ["start 3"])
        #expect(state.loadingCount == 3)
        state.endBackoff(1, attempt: state.attempt(of: 1))
        #expect(state.told() == [])
        state.suspend(for: .user)
        state.finish(2)
        #expect(state.told() == ["suspended user", "finish 2", "again 1"])
        // Back off again, and end meanwhile: the slot is not counted twice.
        state.beginBackoff(1, attempt: state.attempt(of: 1))
        state.cancel(1)
        state.resume(for: .user)
        #expect(state.told() == ["stop 1", "unsuspended user", "start 4"])
        state.endBackoff(1, attempt: 1)
        state.finish(3)
        state.finish(4)
        #expect(state.told() == ["finish 3", "finish 4", "end"])
    }

    @Test func `A queue with limit 1 keeps its order during a backoff`() {
        var state = QueueState<StateRequest>.running(limit: 1)
        state.add(1, 2)
        #expect(state.told() == ["begin", "start 1"])
        state.beginBackoff(1, attempt: state.attempt(of: 1))
        #expect(state.told() == [])
        state.endBackoff(1, attempt: state.attempt(of: 1))
        #expect(state.told() == ["again 1"])
        state.finish(1)
        #expect(state.told() == ["finish 1", "start 2"])
    }
}
