/// Events that were posted and not read yet, in order.
///
/// Progress replaces earlier progress of its request if that is the last event of the request. A slow reader therefore
/// costs one event per request and not one per received buffer.
struct EventBacklog: Sendable {
    private var events = FIFOQueue<RequestQueue.Event>()
    /// The number of events that were removed.
    private var taken = 0
    /// The positions of replaceable progress events, counted from the first event that was ever added.
    private var places: [QueuedRequest.ID: Int] = [:]

    /// Adds an event; returns `false` if it replaced an earlier one.
    mutating func append(_ event: RequestQueue.Event) -> Bool {
        if let id = event.request?.id {
            if case .didProgress = event {
                if let place = places[id], place >= taken {
                    events.replace(at: place - taken, with: event)
                    return false
                }
                places[id] = taken + events.count
            } else if !places.isEmpty {
                places[id] = nil
            }
        }
        events.append(event)
        return true
    }

    mutating func takeFirst() -> RequestQueue.Event? {
        guard let event = events.takeFirst() else { return nil }
        taken += 1
        return event
    }
}
