import Synchronization
import Testing

@testable import RequestQueue

@Suite(.timeLimit(.minutes(5))) struct NetworkActivityTests {
    let transport = HeldTransport()
    let activity = NetworkActivity()

    private func makeQueue() -> RequestQueue {
        RequestQueue(concurrentRequestsLimit: 1, suspensionReasons: [], name: nil, activity: activity)
    }

    @Test func `What a former handler holds may ask for the activity as it goes`() {
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

    @Test func `The handler is told when the first queue begins and when the last one ends`() async {
        let (changes, continuation) = AsyncStream<Bool>.makeStream()
        activity.setHandler { continuation.yield($0) }
        let one = makeQueue()
        let other = makeQueue()
        let silent = makeQueue()
        #expect(await !one.showsNetworkActivity)
        await one.setShowsNetworkActivity(true)
        await other.setShowsNetworkActivity(true)

        await silent.add(.to("/silent", transport))
        #expect(!activity.isActive)
        await one.add(.to("/one", transport))
        await one.add(.to("/two", transport))
        await other.add(.to("/other", transport))
        transport.answer("/one")
        _ = await one.count
        transport.answer("/two")
        #expect(await one.count == 0)
        #expect(activity.isActive)
        await other.cancelAllRequests()
        #expect(!activity.isActive)
        await silent.cancelAllRequests()

        await one.add(.to("/again", transport))
        transport.answer("/again")
        _ = await one.count
        var told: [Bool] = []
        for await change in changes {
            told.append(change)
            if told.count == 4 { break }
        }
        #expect(told == [true, false, true, false])
    }

    @Test func `A queue may show or hide its activity while it is loading`() async {
        let queue = makeQueue()
        await queue.add(.to("/a", transport))
        await queue.setShowsNetworkActivity(true)
        await queue.setShowsNetworkActivity(true)
        #expect(activity.isActive)
        let (changes, continuation) = AsyncStream<Bool>.makeStream()
        activity.setHandler { continuation.yield($0) }
        await queue.setShowsNetworkActivity(false)
        #expect(!activity.isActive)
        transport.answer("/a")
        #expect(await queue.count == 0)
        #expect(!activity.isActive)
        var told: [Bool] = []
        for await change in changes {
            told.append(change)
            if told.count == 2 { break }
        }
        #expect(told == [true, false])
    }
}
