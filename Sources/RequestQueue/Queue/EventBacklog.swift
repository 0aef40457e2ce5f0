/// Events that were told and not taken yet, in their order.
///
/// Progress takes the place of earlier progress of its request while nothing else of that request stands behind it, so
/// that who is slow costs an event a request, not one a buffer.
struct EventBacklog: Sendable {
    private var events = WaitingLine<RequestQueue.Event>()
    /// How many left the line.
    private var taken = 0
    /// Where progress waits that may be replaced, counted from the first event ever.
    private var places: [QueuedRequest.ID: Int] = [:]

    /// Whether the event took a place of its own.
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
