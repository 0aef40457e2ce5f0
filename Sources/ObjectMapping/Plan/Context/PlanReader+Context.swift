extension PlanReader {
    /// Makes the value at a place the one that sources speak of, until it is closed.
    ///
    /// - Parameter isCollection: Whether its members are the elements of a collection.
    func openContext(_ place: Bytes, isCollection: Bool = false) {
        guard let context else { return }
        guard borrowedOffset == nil else {
            return context.open(textPlace(place), offset: offset(place), isCollection: isCollection)
        }
        let distance = window.distance(place)
        context.open(
            TextPlace(head: window.start, start: window.start + distance, end: window.end),
            offset: window.position.offset + distance, isCollection: isCollection)
    }

    /// Reads a number, literal or text where it lies in the text, as if it stood at an offset; nil if it must be copied.
    mutating func borrowingInPlace(
        _ value: ContextValue, _ offset: Int, _ read: (inout PlanReader, Bytes) -> Bytes?
    ) -> Bool? {
        // What lies in the text before the fence is followed by what ends it.
        guard case .text(let bytes) = value, borrowedOffset == nil,
            let text = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), window.start..<window.end ~= text,
            text < window.fence
        else { return nil }
        let place = TextPlace(head: text, start: text, end: text + bytes.count)
        return borrowing(text, offset, copyStart: nil, place, read)
    }

    /// The value that a source leads to from the object that is being read; nil if there is none.
    ///
    /// Nothing is found beside what is broken; the decode ends there anyway.
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
        let value: DecodeContext.Computed
        if let key = path.firstKey, findMembers(of: frame, context) {
            guard let member = context.member(key, of: frame) else { return nil }
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

    /// Finds where the members of a frame's object stand that sources look up, of repeated ones the last; false if that is
    /// to be seen in its tree.
    private mutating func findMembers(of frame: Int, _ context: DecodeContext) -> Bool {
        if context.frames[frame].knowsMembers { return true }
        let place = context.frames[frame].place
        guard let keys = plan.contextKeys, place.rest.first == .openBrace, context.maySearch(frame) else {
            return false
        }
        context.beginSearch(of: frame)
        // A text that was made is padded, and has no tail.
        let isInWindow = place.head == UnsafeRawPointer(window.start)
        let outer = depth
        depth = 0
        defer { depth = outer }
        let start = place.start.assumingMemoryBound(to: UInt8.self)
        let end = reading(start, isInWindow ? window.fence : Window.noFence) { reader, start in
            reader.members(reader.token(start)) { reader, key, count, value in
                let index = context.mayLookUp(keyOf: count) ? keys.pointee.find(key, count) : -1
                let isFinished = context.finished?.start == value
                guard let end = isFinished ? context.finished?.end : reader.skip(value) else { return nil }
                if index >= 0 {
                    let text =
                        isInWindow
                        ? reader.window.bytes(from: value, to: end)
                        : UnsafeRawBufferPointer(start: value, count: end - value)
                    context.note(keys.pointee.entries[index].offset, of: frame, at: text)
                }
                return end
            }
        }
        context.endSearch(of: frame, count: end.map { window.distance($0) - window.distance(start) })
        return true
    }
}
