extension PlanReader {
    /// Reads a member's value by its entry into the model at `base`.
    @inline(__always) mutating func field(
        _ place: Bytes, _ entry: EntryRef, _ node: NodeRef?, _ base: Memory
    ) -> Bytes? {
        if entry.pointee.operation.isScalar { return scalar(place, entry, node, base) }
        switch entry.pointee.operation {
        case .value:
            if place.isNull { return null(place, entry, node, base) }
            return entry.pointee.box?.replace(&self, place, entry, base + entry.pointee.offset)
        case .assign:
            if place.isNull { return null(place, entry, node, base) }
            return entry.pointee.box?.replace(&self, place, entry, base)
        case .level: return level(place, entry, base)
        case .several: return entry.pointee.box?.read(&self, place, node, base)
        case .slot: return slot(place, entry, base)
        default: return rowsOrNothing(place, entry, base)
        }
    }

    // Without the optimizer, separate functions need less stack for nested objects.
    @inline(__always) mutating func scalar(
        _ place: Bytes, _ entry: EntryRef, _ node: NodeRef?, _ base: Memory
    ) -> Bytes? {
        let memory = base + entry.pointee.offset
        switch entry.pointee.operation {
        case .int: return scanInteger(place, &memory[as: Int.self]) ?? unusual(place, entry, node, base)
        case .optionalInt:
            var value = 0
            guard let end = scanInteger(place, &value) else { return unusual(place, entry, node, base) }
            memory[as: Int?.self] = value
            return end
        case .double:
            return scanDouble(place, &memory[as: Double.self], powers)
                ?? unusual(place, entry, node, base)
        case .optionalDouble:
            var value = 0.0
            guard let end = scanDouble(place, &value, powers) else { return unusual(place, entry, node, base) }
            memory[as: Double?.self] = value
            return end
        case .bool:
            let isTrue = place.isTrue
            guard isTrue || place.isFalse else { return unusual(place, entry, node, base) }
            memory[as: Bool.self] = isTrue
            return place + (isTrue ? 4 : 5)
        case .optionalBool:
            let isTrue = place.isTrue
            guard isTrue || place.isFalse else { return unusual(place, entry, node, base) }
            memory[as: Bool?.self] = isTrue
            return place + (isTrue ? 4 : 5)
        case .string:
            if let end = plainString(place, entry, { memory[as: String.self] = $0 }) { return end }
            return unusual(place, entry, node, base)
        case .optionalString:
            if let end = plainString(place, entry, { memory[as: String?.self] = $0 }) { return end }
            return unusual(place, entry, node, base)
        case .date:
            guard let (seconds, end) = plainDate(place) else { return unusual(place, entry, node, base) }
            memory[as: Date.self] = Date(timeIntervalSince1970: seconds)
            return end
        case .optionalDate:
            guard let (seconds, end) = plainDate(place) else { return unusual(place, entry, node, base) }
            memory[as: Date?.self] = Date(timeIntervalSince1970: seconds)
            return end
        default: return nil
        }
    }

    // Not inlined: nested objects would need more stack.
    @inline(never) private mutating func rowsOrNothing(_ place: Bytes, _ entry: EntryRef, _ base: Memory) -> Bytes? {
        entry.pointee.operation == .watched ? skip(place) : rows(place, entry, base)
    }

    /// A string without escapes.
    @inline(__always) private mutating func plainString(
        _ place: Bytes, _ entry: EntryRef, _ store: (String) -> Void
    ) -> Bytes? {
        guard place.pointee == .quote else { return nil }
        var seen: UInt64 = 0
        let start = place + 1
        let stop = scanString(start, &seen)
        let isASCII = !hasTopBits(seen)
        guard stop.pointee == .quote, isASCII || isUTF8(start, stop - start) else { return nil }
        let count = stop - start
        if count >= TextCache.shortest, texts.isWorthwhile(for: entry.pointee.rule), borrowed.isEmpty {
            store(texts.text(start, count, isASCII: isASCII, rule: entry.pointee.rule))
        } else {
            store(makeValidString(start, count, isASCII: isASCII))
        }
        return stop + 1
    }

    /// A date in a string without escapes.
    @inline(__always) private func plainDate(_ place: Bytes) -> (Double, Bytes)? {
        guard place.pointee == .quote else { return nil }
        // Dates have 10 to 35 characters, all within the padding.
        var count = 20
        if place[21] != .quote {
            count = 1
            while count < 40, place[count] != .quote, place[count] >= 0x20 { count += 1 }
            count -= 1
        }
        guard place[count + 1] == .quote, let date = ISODate.seconds(place + 1, count) else { return nil }
        return (Double(date.whole) + date.fraction, place + (count + 2))
    }

    /// Handles null by the rule's policy.
    @inline(never) mutating func null(_ place: Bytes, _ entry: EntryRef, _ node: NodeRef?, _ base: Memory) -> Bytes? {
        if entry.pointee.nullPolicy != .fail {
            clear(entry, place, node, base, for: .null)
        } else if isUnpatched(place) {
            clear(entry, node, base)
        } else {
            return mismatch(place, entry.pointee.rule, expectation(of: entry))
        }
        return place + 4
    }

    /// Clears the properties of a member's entries, depending on how each rule handles null or absence.
    ///
    /// - Parameter place: The place of null, or of the object without the member.
    mutating func clear(
        _ entry: EntryRef, _ place: Bytes, _ node: NodeRef?, _ base: Memory, for cause: ClearingCause
    ) {
        switch entry.pointee.operation {
        case .level:
            guard let child = entry.pointee.child else { return }
            for index in 0..<child.pointee.count {
                clear(child.pointee.entries + index, place, child, base, for: cause)
            }
        case .several: entry.pointee.box?.with { $0.clear(&self, place, node, base, for: cause) }
        default:
            let isCleared = cause == .null ? entry.pointee.nullPolicy == .clear : entry.pointee.isClearedWhenAbsent
            if isCleared { clear(entry, node, base) }
        }
    }

    /// Sets an optional to `nil`, and any other property to its default or initial value.
    private mutating func clear(_ entry: EntryRef, _ node: NodeRef?, _ base: Memory) {
        let place = base + entry.pointee.offset
        switch entry.pointee.operation {
        case .slot:
            rows.setSlot(entry.pointee.offset, Slot(.null))
            // A default replaces null.
            if entry.pointee.acceptsNull { readNull(entry, base) }
        case .rows: rows.removeRows(relationship: entry.pointee.offset, isNull: true)
        case .value where entry.pointee.acceptsNull: readNull(entry, place)
        case .assign where entry.pointee.acceptsNull: readNull(entry, base)
        case let operation where entry.pointee.acceptsNull: operation.clear(place)
        default: reset(entry, node, base)
        }
    }

    private mutating func readNull(_ entry: EntryRef, _ memory: Memory) {
        entry.pointee.box?.with { box in _ = readingNull { box.replace(&$0, $1, entry, memory) } }
    }

    /// Handles a duplicate key: the last value is used, so the first one is reset.
    @inline(never) mutating func repeated(_ entry: EntryRef, _ key: Bytes, _ node: NodeRef, _ base: Memory) {
        if entry.pointee.isWatched { matching.foundDuplicateWatchedKey = true }
        if entry.pointee.operation == .watched { return }
        if entry.pointee.operation == .several { entry.pointee.box?.with { $0.willReset(&self, key, base) } }
        note(.duplicateKey, at: key - 1, entry.pointee.rule, "unique keys", "a duplicate key")
        reset(entry, node, base)
    }

    /// Resets the property of an entry to its initial value.
    private mutating func reset(_ entry: EntryRef, _ node: NodeRef?, _ base: Memory) {
        let offset = entry.pointee.offset
        switch entry.pointee.operation {
        case .level:
            guard let child = entry.pointee.child else { return }
            for index in 0..<child.pointee.count { reset(child.pointee.entries + index, child, base) }
        case .several: entry.pointee.box?.with { $0.each { reset($0, node, base) } }
        case .watched: return
        case .slot: rows.setSlot(offset, Slot())
        case .rows: rows.removeRows(relationship: offset, isNull: false)
        case .value:
            node?.pointee.model?.object.withNewModel { fresh in
                entry.pointee.box?.with { $0.clear(base + offset, fresh: fresh + offset) }
            }
        case .assign:
            node?.pointee.model?.object.withNewModel { fresh in
                entry.pointee.box?.with { $0.clear(base, fresh: fresh) }
            }
        case let operation:
            guard let model = node?.pointee.model?.object else { return }
            operation.copy(freshModels.model(model) + offset, to: base + offset)
        }
    }

    /// Reads the rest of a key path: the value must be an object.
    @inline(never) private mutating func level(_ place: Bytes, _ entry: EntryRef, _ base: Memory) -> Bytes? {
        guard let child = entry.pointee.child else { return skip(place) }
        switch place.pointee {
        case .openBrace: return object(place, child, base)
        case .openBracket:
            return entry.pointee.box?.read(&self, place, child, base)
        default: return clearLevel(place, entry, child, base)
        }
    }

    /// Handles a value within a key path that is neither an object nor an array.
    @inline(never) private mutating func clearLevel(
        _ place: Bytes, _ entry: EntryRef, _ child: NodeRef, _ base: Memory
    ) -> Bytes? {
        guard let end = skip(place) else { return nil }
        foundNoKeys = true
        let isIssue = place.isNull ? entry.pointee.nullPolicy == .fail : entry.pointee.isRequired
        clear(entry, place, child, base, for: place.isNull ? .null : .absence)
        if isIssue {
            var issue = finding(.typeMismatch, at: place, entry.pointee.rule, "an object", JSONKind(of: place).name)
            issue.value = excerpt(place)
            note(issue, ofKeyOf: entry)
        }
        return end
    }
}
