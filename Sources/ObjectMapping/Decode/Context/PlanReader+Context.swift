extension PlanReader {
    /// Makes the value at a place the current one for sources, until it is closed.
    ///
    /// - Parameters:
    ///   - isCollection: Whether its members are the elements of a collection.
    ///   - isWatched: Whether the reader of its members detects duplicates of keys that sources look up.
    mutating func openContext(_ place: Bytes, isCollection: Bool = false, isWatched: Bool = false) {
        context?.open(textPlace(place), offset: offset(place), isCollection: isCollection, isWatched: isWatched)
    }

    /// Returns the place of a scalar in the text, to be read there; `nil` if it must be copied.
    mutating func placeInText(_ value: ContextValue) -> Bytes? {
        // A value in the text before the fence is followed by its delimiter.
        guard case .text(let bytes) = value, borrowed.isEmpty,
            let text = Bytes(bytes), window.start..<window.end ~= text,
            text < window.fence
        else { return nil }
        return text
    }

    /// Returns the place of a scalar member in a surrounding object, if it is known before that object is read
    /// completely.
    mutating func earlyMember(_ number: Int, ofParent parent: Int) -> Bytes? {
        guard matching.takesValuesEarly, let context else { return nil }
        let frame = context.frames.parent(parent)
        guard frame >= 0 else { return nil }
        if !context.isLocationKnown(number, of: frame) {
            guard context.mayLookEarly(at: frame) else { return nil }
            findEarlyMembers(of: frame, context)
            guard context.isLocationKnown(number, of: frame) else { return nil }
        }
        return context.members.frames[number, of: frame].flatMap(ContextValue.init(asWritten:)).flatMap {
            placeInText($0)
        }
    }

    /// Returns the value of a source for the current object; `nil` if it does not exist.
    ///
    /// Invalid JSON has no values; it ends the decode later.
    mutating func value(of source: ContextSource) throws(OperatorMismatch) -> ContextValue? {
        guard let context else { return nil }
        switch source {
        case .object(let levels, let path): return try value(at: path, inObject: levels, context)
        case .parent(let number, let path):
            return try value(at: path, inObject: context.levels(ofParent: number), context)
        case .key(let levels): return context.key(levels)
        case .root(let path):
            guard context.isPayloadRead else { return try context.value(at: path, outside: 0) }
            return context.frames.isEmpty ? nil : try value(at: path, inFrame: 0, context)
        case .metadata(let path): return try context.metadata(at: path)
        case .index: return context.index.map { .made(MadeValue(.integer($0))) }
        case .first(let sources):
            for source in sources {
                if let value = try value(of: source) { return value }
            }
            return nil
        }
    }

    private mutating func value(
        at path: ContextPath, inObject levels: Int, _ context: DecodeContext
    ) throws(OperatorMismatch) -> ContextValue? {
        if let frame = context.frame(levels) { return try value(at: path, inFrame: frame, context) }
        guard let count = context.stepsOutside(levels) else { return nil }
        return try context.value(at: path, outside: count)
    }

    private mutating func value(
        at path: ContextPath, inFrame frame: Int, _ context: DecodeContext
    ) throws(OperatorMismatch) -> ContextValue? {
        if let known = context.computed(path, in: frame) { return try known.get().map { .made($0) } }
        let components = path.path.components
        let value: ComputedValues.Value
        if let key = path.firstKey, findMembers(key, of: frame, context) {
            guard let member = context.members.frames[key, of: frame] else { return nil }
            if components.count == 1, let value = ContextValue(asWritten: member) { return value }
            guard let tree = context.parse(member) else { return nil }
            let first = components[0].key.map { JSONPathStep.key($0) }
            value = tree.computed(at: components[1...]).mapError { $0.inside(first) }
        } else {
            guard let tree = context.tree(frame) else { return nil }
            value = tree.computed(at: components[...])
        }
        context.keep(value, for: path, in: frame)
        return try value.get().map { .made($0) }
    }

    /// Finds the locations of members that sources look up, at least of the requested one; returns false if the tree is
    /// needed instead.
    private mutating func findMembers(_ number: Int, of frame: Int, _ context: DecodeContext) -> Bool {
        if context.frames[frame].search == .all { return true }
        if matching.takesValuesEarly, context.mayLookEarly(at: frame) { findEarlyMembers(of: frame, context) }
        if context.isLocationKnown(number, of: frame) { return true }
        let place = context.frames[frame].place
        guard context.members.count > 0, place.rest.first == .openBrace, context.maySearch(frame) else { return false }
        context.members.frames.clear(frame)
        // A created text is padded and has no tail.
        let isInWindow = place.head == window.start
        let start = place.start
        let fence = isInWindow ? window.fence : Window.noFence
        let end = search(start, fence, context) { reader, number, value in
            let isFinished = context.finished?.start == value
            guard let end = isFinished ? context.finished?.end : reader.skip(value) else { return nil }
            if let number {
                let text =
                    isInWindow
                    ? reader.window.bytes(from: value, to: end)
                    : value.raw(end - value)
                context.members.frames[number, of: frame] = text
            }
            return end
        }
        context.endSearch(of: frame, .all, count: end.map { window.distance($0) - window.distance(start) })
        return true
    }

    /// Finds such members before the current one, as far as all of them are known.
    ///
    /// The reader of the object detects later duplicates.
    private mutating func findEarlyMembers(of frame: Int, _ context: DecodeContext) {
        let place = context.frames[frame].place
        guard context.finished != nil, place.head == window.start,
            let limit = context.frames.memberWithin(frame), limit < window.fence,
            place.start.pointee == .openBrace
        else { return }
        context.members.frames.clear(frame)
        var missing = context.members.count
        var last = place.start
        let start = place.start
        _ = search(start, window.fence, context) { reader, number, value in
            last = value
            guard last < limit, let end = reader.skip(value) else { return nil }
            guard let number else { return end }
            context.members.frames[number, of: frame] = reader.window.bytes(from: value, to: end)
            missing -= 1
            return missing > 0 ? end : nil
        }
        context.endSearch(of: frame, .early, count: last - place.start)
    }

    /// Skips an object and calls a closure with each of its members; the closure skips the value.
    ///
    /// - Parameter read: Receives the member's number among those that sources look up; `nil` for other members.
    @inline(__always) private mutating func search(
        _ start: Bytes, _ fence: Bytes, _ context: DecodeContext,
        _ read: (inout PlanReader, _ number: Int?, Bytes) -> Bytes?
    ) -> Bytes? {
        let outer = nesting.depth
        nesting.depth = 0
        let end = reading(start, fence) { reader, start in
            reader.members(reader.token(start)) { reader, key, count, value in
                read(&reader, context.members.number(of: key, count), value)
            }
        }
        nesting.depth = outer
        return end
    }
}
