/// Maps values to branches.
struct MatchTable {
    /// The index of the branch for each string, stored as the offset of the key's entry.
    private let strings: NodeRef?
    private let integers: [(value: Int, branch: Int)]
    private let others: [JSON: Int]
    /// The values in messages.
    let names: [String]
    /// The string values, for suggestions.
    let texts: [String]
    let kinds: Set<JSONKind>

    init(_ values: [(value: MatchValue, branch: Int)], _ builder: PlanBuilder) {
        names = values.map(\.value.name)
        texts = values.compactMap(\.value.json.string)
        kinds = Set(values.map { JSONKind(of: $0.value.json) })
        strings =
            texts.isEmpty
            ? nil
            : builder.table(
                values.compactMap { value, branch in
                    value.json.string.map { ($0, branch) }
                })
        integers = values.compactMap { value, branch in value.json.int.map { ($0, branch) } }
        others = Dictionary(
            values.filter { $0.value.json.string == nil }.map { ($0.value.json, $0.branch) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns the branch for the value at a place; `nil` if no branch matches.
    func branch(_ reader: inout PlanReader, _ place: Bytes) -> Int? {
        if place.pointee == .quote {
            guard let strings, case (.string(let text, let count), _)? = reader.scalar(place) else { return nil }
            let index = strings.pointee.find(text, count)
            return index < 0 ? nil : strings.pointee.entries[index].offset
        }
        guard !others.isEmpty else { return nil }
        var integer = 0
        if !integers.isEmpty, scanInteger(place, &integer) != nil {
            return integers.first { $0.value == integer }?.branch
        }
        return reader.tree(place, reader.fence).flatMap { others[$0] }
    }

    /// Returns the branch for a value; `nil` if no branch matches.
    func branch(_ json: JSON) -> Int? {
        guard let text = json.string else { return others[json] }
        guard let strings else { return nil }
        var buffer = ByteBuffer()
        buffer.append(text.utf8)
        let index = strings.pointee.find(buffer.text, buffer.count)
        return index < 0 ? nil : strings.pointee.entries[index].offset
    }
}

/// The box that reads a value, and how the reader moves behind the value afterwards.
struct MatchChoice {
    /// `nil` if the value was read or skipped.
    var box: Borrowed<ObjectBox>?
    /// Whether a model was created without a box.
    var isMade = false
    /// The place at which the box reads.
    var place: Bytes
    /// The end of the value and the fence there, unless the box ends there.
    private(set) var end: Bytes?
    private var fence: Bytes?
    /// The number of context frames before the selection; `nil` if it did not open a frame.
    private var frames: Int?

    init(_ place: Bytes) { self.place = place }

    /// Makes the value the current one for sources.
    mutating func openContext(_ reader: inout PlanReader, _ place: Bytes) {
        guard frames == nil, let context = reader.context else { return }
        frames = context.frames.count
        reader.openContext(place)
    }

    /// Enters the value of a member; returns false if it is nested too deeply.
    mutating func enter(
        _ reader: inout PlanReader, _ box: Borrowed<ObjectBox>, _ member: Bytes, _ memberFence: Bytes,
        _ state: MatchState
    ) -> Bool {
        guard reader.enter(member) else { return false }
        reader.rewind(to: memberFence)
        (self.box, place) = (box, member)
        (end, fence) = (state.end?.place, state.end?.fence)
        return true
    }

    /// Leaves a value that needs no box; returns false for invalid JSON.
    mutating func leave(_ reader: inout PlanReader, _ state: MatchState) -> Bool {
        guard let stateEnd = state.end else { return false }
        end = stateEnd.place
        reader.rewind(to: stateEnd.fence)
        if let frames { reader.context?.close(to: frames) }
        return true
    }

    /// Moves behind a value that was read by a box; returns its end.
    func close(_ reader: inout PlanReader, _ boxEnd: Bytes) -> Bytes {
        if let frames { reader.context?.close(to: frames) }
        guard let end, let fence else { return boxEnd }
        reader.nesting.leave()
        reader.rewind(to: fence)
        return end
    }
}
