import RequestQueue
import Testing

@Suite struct NamedQueueTests {
    @Test func `A name returns the same queue while it is referenced`() async {
        let queue = RequestQueue.named("same")
        #expect(queue === RequestQueue.named("same"))
        #expect(queue !== RequestQueue.named("other"))
        #expect(queue.name == "same")
        #expect(queue.isSuspended)
        #expect(RequestQueue().name == nil)
    }

    @Test func `A name in use creates no second queue, and a released name does`() async throws {
        weak var gone: RequestQueue?
        do {
            let queue = try #require(RequestQueue(name: "taken", concurrentRequestsLimit: 2))
            gone = queue
            #expect(queue.concurrentRequestsLimit == 2)
            #expect(RequestQueue(name: "taken") == nil)
            #expect(RequestQueue.named("taken") === queue)
        }
        #expect(gone == nil)
        let again = try #require(RequestQueue(name: "taken"))
        #expect(again.concurrentRequestsLimit == 5)
    }

    @Test func `Many tasks that request a name get one queue`() async {
        let queues = await withTaskGroup(of: RequestQueue.self) { group in
            for _ in 0..<100 { group.addTask { RequestQueue.named("crowd") } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(queues.map(ObjectIdentifier.init)).count == 1)
    }
}
