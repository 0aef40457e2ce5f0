import RequestQueue
import Synchronization
import TestSupport
import Testing

/// Observers with reported states, and their notifications.
@Suite(.timeLimit(.minutes(5))) struct ReachabilityObserverTests {
    private static let wifi = ReachabilityState.reachable(via: NetworkInterface(.wifi))
    private static let unreachable = ReachabilityState.notReachable(.noRoute)

    /// The next states of a sequence.
    private func take(_ count: Int, of changes: ReachabilityObserver.Changes) async -> [ReachabilityState] {
        var states: [ReachabilityState] = []
        for await state in changes {
            states.append(state)
            if states.count == count { break }
        }
        return states
    }

    @Test func `A listener receives the current state and each change, but no repetition`() async {
        let observer = ReachabilityObserver(initially: .indeterminate)
        let early = observer.changes
        observer.report(Self.wifi)
        observer.report(Self.wifi)
        let late = observer.changes
        observer.report(Self.unreachable)
        #expect(await take(3, of: early) == [.indeterminate, Self.wifi, Self.unreachable])
        #expect(await take(2, of: late) == [Self.wifi, Self.unreachable])
        #expect(observer.state == Self.unreachable)
        #expect(observer.host == nil)
    }

    @Test func `Each observer has its own state`() {
        let one = ReachabilityObserver(initially: .indeterminate)
        let other = ReachabilityObserver(initially: .indeterminate)
        one.report(Self.unreachable)
        #expect(other.state == .indeterminate)
    }

    @Test func `A late reader receives the newest 64 states`() async {
        let observer = ReachabilityObserver(initially: .indeterminate)
        let changes = observer.changes
        for number in 0..<1000 { observer.report(.notReachable(.noCarrier(interface: "eth\(number)"))) }
        let states = await take(64, of: changes)
        #expect(states.first == .notReachable(.noCarrier(interface: "eth936")))
        #expect(states.last == .notReachable(.noCarrier(interface: "eth999")))
    }

    @Test func `A sequence retains its observer, and ends with its task`() async {
        let reader = Task {
            var count = 0
            for await _ in ReachabilityObserver(initially: .indeterminate).changes { count += 1 }
            return count
        }
        reader.cancel()
        #expect(await reader.value <= 1)
    }

    @Test func `An observer is released with its last reference, even with listeners`() {
        weak var gone: ReachabilityObserver?
        let listener: ReachabilityListener
        do {
            let observer = ReachabilityObserver(host: "127.0.0.1")
            gone = observer
            listener = observer.observe { _ in }
        }
        #expect(gone == nil)
        listener.close()
    }

    @Test func `A closure is called before the report returns, until it is cancelled or released`() {
        let observer = ReachabilityObserver(initially: .indeterminate)
        let told = Mutex<[ReachabilityState]>([])
        let listener = observer.observe { state in told.withLock { $0.append(state) } }
        observer.report(Self.wifi)
        #expect(told.withLock { $0 } == [.indeterminate, Self.wifi])
        listener.close()
        observer.report(Self.unreachable)
        do {
            let other = observer.observe { state in told.withLock { $0.append(state) } }
            withExtendedLifetime(other) {}
        }
        observer.report(Self.wifi)
        #expect(told.withLock { $0 } == [.indeterminate, Self.wifi, Self.unreachable])
    }

    @Test func `A closure can report a state, and receives it after the current one`() {
        let observer = ReachabilityObserver(initially: .indeterminate)
        let told = Mutex<[String]>([])
        let listener = observer.observe { state in
            told.withLock { $0.append("told \(state)") }
            if state == Self.unreachable { observer.report(Self.wifi) }
            told.withLock { $0.append("over") }
        }
        observer.report(Self.unreachable)
        let expected = ["told indeterminate", "over", "told \(Self.unreachable)", "over", "told \(Self.wifi)", "over"]
        #expect(told.withLock { $0 } == expected)
        listener.close()
    }

    @Test func `Reports from many threads are received by all in the same order`() async {
        let observer = ReachabilityObserver(initially: .indeterminate)
        let one = Mutex<[ReachabilityState]>([])
        let other = Mutex<[ReachabilityState]>([])
        let listeners = [
            observer.observe { state in one.withLock { $0.append(state) } },
            observer.observe { state in other.withLock { $0.append(state) } },
        ]
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for number in 0..<250 {
                        observer.report(.notReachable(.noCarrier(interface: "\(thread).\(number)")))
                    }
                }
            }
        }
        // The last report may have returned while another thread was still notifying.
        #expect(await eventually { one.withLock({ $0.count }) >= 2001 && other.withLock({ $0.count }) >= 2001 })
        #expect(one.withLock { $0 } == other.withLock { $0 })
        #expect(one.withLock { $0.last } == observer.state)
        withExtendedLifetime(listeners) {}
    }

    @Test func `A handler receives states in order, and none after it is replaced`() async {
        let observer = ReachabilityObserver(initially: .indeterminate)
        let (states, continuation) = AsyncStream<String>.makeStream()
        observer.setHandler { continuation.yield("first: \($0)") }
        observer.report(Self.unreachable)
        var iterator = states.makeAsyncIterator()
        #expect(await iterator.next() == "first: indeterminate")
        #expect(await iterator.next() == "first: not reachable: no route to the host")
        observer.setHandler { continuation.yield("second: \($0)") }
        #expect(await iterator.next() == "second: not reachable: no route to the host")
        observer.report(Self.wifi)
        #expect(await iterator.next() == "second: reachable via wifi")
        observer.setHandler(nil)
        observer.report(Self.unreachable)
        continuation.finish()
        #expect(await iterator.next() == nil)
    }

    @Test func `A reported state becomes indeterminate when a new determination starts`() {
        let observer = ReachabilityObserver(initially: Self.wifi)
        observer.redetermine()
        #expect(observer.state == .indeterminate)
    }

    @Test(arguments: [
        (ReachabilityState.indeterminate, true, false, false, false, "indeterminate"),
        (wifi, true, true, true, false, "reachable via wifi"),
        (
            .reachable(via: NetworkInterface(.cellular, name: "wwan0")), true, true, false, true,
            "reachable via wwan0 (cellular)"
        ),
        (
            .reachable(via: NetworkInterface(.wired, name: "eth0")), true, true, false, false,
            "reachable via eth0 (wired)"
        ),
        (unreachable, false, true, false, false, "not reachable: no route to the host"),
        (.notReachable(.noCarrier(interface: "eth0")), false, true, false, false, "not reachable: eth0 has no carrier"),
        (.notReachable(.hostNotFound), false, true, false, false, "not reachable: the host has no address"),
        (.notReachable(.noNameService), false, true, false, false, "not reachable: no name server responds"),
        (
            .notReachable(.notPermitted), false, true, false, false,
            "not reachable: the application is not permitted to use the available networks"
        ),
    ]) func `A state has predicates and a description`(
        _ state: ReachabilityState, _ isReachable: Bool, _ isDetermined: Bool, _ isWiFi: Bool, _ isCellular: Bool,
        _ words: String
    ) {
        #expect(state.isReachable == isReachable)
        #expect(state.isDetermined == isDetermined)
        #expect(state.isReachableViaWiFi == isWiFi)
        #expect(state.isReachableViaCellular == isCellular)
        #expect(!state.isConnectionRequired)
        #expect("\(state)" == words)
    }

    @Test func `A connection that must be established first is reported`() {
        let state = ReachabilityState.reachable(via: NetworkInterface(.other, isConnectionRequired: true))
        #expect(state.isConnectionRequired)
        #expect(state.isReachable)
    }
}
