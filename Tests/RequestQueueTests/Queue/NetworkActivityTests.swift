import Synchronization
import Testing

@testable import RequestQueue

@Suite(.timeLimit(.minutes(5))) struct NetworkActivityTests {
    let transport = HeldTransport()
    let activity = NetworkActivity()

    private func makeQueue() -> RequestQueue {
        RequestQueue(concurrentRequestsLimit: 1, suspensionReasons: [], name: nil, activity: activity)
    }

    @Test func `The deinitializer of a replaced handler can read the activity`() {
        final class Witness: Sendable {
            let activity: NetworkActivity
            init(_ activity: NetworkActivity) { self.activity = activity }
            deinit { _ = activity.isActive }
        }
        var witness: Witness? = Witness(activity)
        activity.setHandler { [witness] _ in _ = witness }
        witness = nil
        activity.setHandler(nil)
        #expect(!activity.isActive)
    }

    @Test func `The handler is called when the first queue begins and when the last one ends`() async {
        let (changes, continuation) = AsyncStream<Bool>.makeStream()
        activity.setHandler { continuation.yield($0) }
        let one = makeQueue()
        let other = makeQueue()
        let silent = makeQueue()
        #expect(!one.showsNetworkActivity)
        one.showsNetworkActivity = true
        other.showsNetworkActivity = true

        silent.add(.to("/silent", transport))
        #expect(!activity.isActive)
        one.add(.to("/one", transport))
        one.add(.to("/two", transport))
        other.add(.to("/other", transport))
        transport.answer("/one")
        _ = one.count
        transport.answer("/two")
        #expect(one.count == 0)
        #expect(activity.isActive)
        other.cancelAllRequests()
        #expect(!activity.isActive)
        silent.cancelAllRequests()

        one.add(.to("/again", transport))
        transport.answer("/again")
        _ = one.count
        var told: [Bool] = []
        for await change in changes {
            told.append(change)
            if told.count == 4 { break }
        }
        #expect(told == [true, false, true, false])
    }

    @Test func `A queue can show or hide its activity while it is loading`() async {
        let queue = makeQueue()
        queue.add(.to("/a", transport))
        queue.showsNetworkActivity = true
        queue.showsNetworkActivity = true
        #expect(activity.isActive)
        let (changes, continuation) = AsyncStream<Bool>.makeStream()
        activity.setHandler { continuation.yield($0) }
        queue.showsNetworkActivity = false
        #expect(!activity.isActive)
        transport.answer("/a")
        #expect(queue.count == 0)
        #expect(!activity.isActive)
        var told: [Bool] = []
        for await change in changes {
            told.append(change)
            if told.count == 2 { break }
        }
        #expect(told == [true, false])
    }
}
