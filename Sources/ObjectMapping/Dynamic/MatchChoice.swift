/// What reads a value, and how the reader gets behind the value afterwards.
struct MatchChoice {
    /// nil if the value has been read or skipped.
    var box: Borrowed<ObjectBox>?
    /// Whether a model was made, if there is no box to make it.
    var isMade = false
    /// Where the box reads.
    var place: Bytes
    /// Behind the value and the fence there, if the box does not end there.
    private(set) var end: Bytes?
    private var fence: Bytes?
    /// How many frames of the context there were before the choice; nil if it opened none.
    private var frames: Int?

    init(_ place: Bytes) { self.place = place }

    /// Makes the value the one that sources speak of.
    mutating func openContext(_ reader: inout PlanReader, _ place: Bytes) {
        guard frames == nil, let context = reader.context else { return }
        frames = context.frames.count
        reader.openContext(place)
    }

    /// Goes into the value, to that of a member; false if that is too deep.
    mutating func enter(
        _ reader: inout PlanReader, _ box: Borrowed<ObjectBox>, _ member: Bytes, _ memberFence: Bytes,
        _ state: MatchState
    ) -> Bool {
        guard reader.nesting.enter() else { return false }
        reader.rewind(to: memberFence)
        (self.box, place) = (box, member)
        (end, fence) = (state.end?.place, state.end?.fence)
        return true
    }

    /// Leaves a value that needs no box any more.
    mutating func leave(_ reader: inout PlanReader, _ state: MatchState) -> Bool {
        guard let stateEnd = state.end else { return false }
        end = stateEnd.place
        reader.rewind(to: stateEnd.fence)
        if let frames { reader.context?.close(to: frames) }
        return true
    }

    /// Goes behind the value, of which a box has read; the place there.
    func close(_ reader: inout PlanReader, _ boxEnd: Bytes) -> Bytes {
        if let frames { reader.context?.close(to: frames) }
        guard let end, let fence else { return boxEnd }
        reader.nesting.leave()
        reader.rewind(to: fence)
        return end
    }
}
