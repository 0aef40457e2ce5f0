import Foundation
import Testing

@testable import RequestQueue

@Suite struct EventDispatcherTests {
    @Test func `A queue without receivers of events sets no timer for them`() throws {
        let queue = RequestQueue()
        let dispatcher = EventDispatcher()
        let url = try #require(URL(string: "http://example.com"))
        let request = QueuedRequest(RESTRequest(url: url), owner: nil, queue: queue)
        for event: RequestQueue.Event in [.willSend(request), .didSend(request)] { dispatcher.post(event, attempt: 1) }
        dispatcher.deliverSoon(from: queue)
        #expect(!dispatcher.isDeliveryScheduled)
        dispatcher.post(.didProgress(request, RequestProgress(bytesReceived: 5)), attempt: 1)
        dispatcher.deliverSoon(from: queue)
        #expect(!dispatcher.isDeliveryScheduled && !dispatcher.isListening(to: request))
    }

    @Test func `A dispatcher listens to requests while it has subscribers`() throws {
        let dispatcher = EventDispatcher()
        let request = QueuedRequest(RESTRequest(url: nil), owner: nil, queue: RequestQueue())
        var events: RequestQueue.Events? = dispatcher.subscribe()
        #expect(events != nil && dispatcher.isListening(to: request))
        events = nil
        #expect(!dispatcher.isListening(to: request))
    }
}
