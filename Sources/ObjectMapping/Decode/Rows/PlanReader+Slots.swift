extension PlanReader {
    /// Reads a column of the open row.
    @inline(__always) mutating func slot(_ place: Bytes, _ entry: EntryRef, _ base: Memory) -> Bytes? {
        if entry.pointee.isList || entry.pointee.box != nil { return unusualSlot(place, entry, base) }
        switch entry.pointee.scalar {
        case .integer:
            var value: Int64 = 0
            guard let end = scanInteger(place, &value) else { break }
            rows.setSlot(entry.pointee.offset, Slot(.integer, bits: UInt64(bitPattern: value)))
            return end
        case .double:
            var value = 0.0
            guard let end = scanDouble(place, &value, powers) else { break }
            rows.setSlot(entry.pointee.offset, Slot(.real, bits: value.bitPattern))
            return end
        case .string:
            guard place.pointee == .quote, borrowed.isEmpty else { break }
            var seen: UInt64 = 0
            let stop = scanString(place + 1, &seen)
            let count = stop - (place + 1)
            guard stop.pointee == .quote, !hasTopBits(seen) || isUTF8(place + 1, count) else { break }
            rows.setSlot(entry.pointee.offset, Slot(.text, bits: (place + 1).address, count: count))
            return stop + 1
        case .boolean:
            let isTrue = place.isTrue
            guard isTrue || place.isFalse else { break }
            rows.setSlot(entry.pointee.offset, Slot(.integer, bits: isTrue ? 1 : 0))
            return place + (isTrue ? 4 : 5)
        case .date:
            // `2026-11-21T07:23:00Z`: its stored form only adds milliseconds. A leap second moves to the next minute.
            guard place.pointee == .quote, place[21] == .quote, place[20] == UInt8(ascii: "Z"),
                place[11] == UInt8(ascii: "T"), place[18] < UInt8(ascii: "6"), ISODate.seconds(place + 1, 20) != nil
            else { break }
            let first = rows.scratch.count
            rows.scratch.append(place + 1, 19)
            rows.scratch.append(0x5A_3030_302E, 5)  // ".000Z"
            rows.setSlot(entry.pointee.offset, scratchText(from: first))
            return place + 22
        default: break
        }
        return unusualSlot(place, entry, base)
    }

    @inline(never) private mutating func unusualSlot(_ place: Bytes, _ entry: EntryRef, _ base: Memory) -> Bytes? {
        if place.isNull { return null(place, entry, nil, base) }
        if let box = entry.pointee.box { return box.with { $0.replace(&self, place, entry, base) } }
        return storedSlot(place, entry)
    }

    /// Stores a value other than null by the type of the column.
    mutating func storedSlot(_ place: Bytes, _ entry: EntryRef) -> Bytes? {
        let slot = entry.pointee.offset
        if entry.pointee.isList {
            guard let (value, end) = list(place, entry) else { return nil }
            if let value { rows.setSlot(slot, value) }
            return end
        }
        if entry.pointee.scalar == .json {
            guard let end = skip(place) else { return nil }
            let first = rows.scratch.count
            let json = stretch(place, end)
            rows.scratch.append(withoutBlanks: json)
            rows.setSlot(slot, scratchText(from: first))
            return end
        }
        guard let (token, end) = scalar(place) else { return nil }
        switch stored(token, as: entry.pointee.scalar) {
        case .success(let value): rows.setSlot(slot, value)
        case .failure(let failure): note(failure, at: place, entry.pointee.rule, expectation(of: entry))
        }
        return end
    }

    /// Converts a value to the storage form of a column type; texts are stored in the scratch memory.
    mutating func stored(_ token: ScalarToken, as scalar: AttributeType.Scalar) -> Result<Slot, ScalarToken.Failure> {
        let first = rows.scratch.count
        switch scalar {
        case .integer: return token.integer(Int64.self).map { Slot(.integer, bits: UInt64(bitPattern: $0)) }
        case .double: return token.double(powers).map { Slot(.real, bits: $0.bitPattern) }
        case .boolean: return token.bool.map { Slot(.integer, bits: $0 ? 1 : 0) }
        case .string, .json: return token.string.map { scratchText($0) }
        case .date:
            return token.date(powers).flatMap { date in
                ISODate.append(whole: date.whole, milliseconds: date.milliseconds, to: &rows.scratch)
                    ? .success(scratchText(from: first)) : .failure(.outOfRange)
            }
        case .decimal: return token.decimal.map { scratchText($0.description) }
        case .uuid: return token.uuid.map { scratchText($0.uuidString.lowercased()) }
        // In its spelling.
        case .url: return token.url.flatMap { _ in token.string }.map { scratchText($0) }
        case .data:
            return token.data.map { data in
                rows.scratch.append(data)
                return Slot(.blob, bits: UInt64(first), count: data.count, isScratch: true)
            }
        }
    }

    /// Stores a text in the scratch memory.
    mutating func scratchText(_ text: String) -> Slot {
        let first = rows.scratch.count
        text.withView { rows.scratch.append($0) }
        return scratchText(from: first)
    }

    func scratchText(from first: Int) -> Slot {
        Slot(.text, bits: UInt64(first), count: rows.scratch.count - first, isScratch: true)
    }

    /// Returns a list as JSON text, with elements in storage form; `nil` if an element could not be converted.
    private mutating func list(_ place: Bytes, _ entry: EntryRef) -> (Slot?, Bytes)? {
        rows.listText.removeAll()
        rows.listText.append(.openBracket)
        let found = findings.count
        let end =
            place.pointee == .openBracket
            ? elements(place) { reader, place in reader.appendElement(place, entry) } : appendElement(place, entry)
        guard let end else { return nil }
        guard findings.count == found else { return (nil, end) }
        rows.listText.append(.closeBracket)
        let first = rows.scratch.count
        rows.scratch.append(Bytes(rows.listText.start), rows.listText.count)
        return (scratchText(from: first), end)
    }

    /// Appends an element of a list to the list's text.
    @inline(__always) private mutating func appendElement(_ place: Bytes, _ entry: EntryRef) -> Bytes? {
        if rows.listText.count > 1 { rows.listText.append(.comma) }
        if case .string = entry.pointee.scalar, place.pointee == .quote {
            var seen: UInt64 = 0
            let stop = scanString(place + 1, &seen)
            if stop.pointee == .quote, !hasTopBits(seen) {
                // Such a text is already spelled as it would be written.
                rows.listText.append(place, stop + 1 - place)
                return stop + 1
            }
        }
        return appendUnusualElement(place, entry)
    }

    @inline(never) private mutating func appendUnusualElement(_ place: Bytes, _ entry: EntryRef) -> Bytes? {
        let (scalar, rule) = (entry.pointee.scalar, entry.pointee.rule)
        if scalar == .json {
            guard let end = skip(place) else { return nil }
            let json = stretch(place, end)
            rows.listText.append(withoutBlanks: json)
            return end
        }
        // Paths through arrays yield null for an element without the key, so that the positions in the list are kept.
        if place.isNull {
            if entry.pointee.refusesNullElements {
                return mismatch(place, rule, AttributeType(scalar).expectation)
            }
            rows.listText.append("null".utf8)
            return place + 4
        }
        guard let (token, end) = self.scalar(place) else { return nil }
        let kept = rows.scratch.count
        switch stored(token, as: scalar) {
        case .success(let slot): append(slot, token, isBoolean: scalar == .boolean)
        case .failure(let failure): note(failure, at: place, rule, AttributeType(scalar).expectation)
        }
        rows.scratch.truncate(to: kept)
        return end
    }

    /// Writes a stored value as JSON to the list's text.
    private mutating func append(_ slot: Slot, _ token: ScalarToken, isBoolean: Bool) {
        switch slot.tag {
        case .integer where isBoolean: rows.listText.append((slot.integer == 0 ? "false" : "true").utf8)
        case .integer: rows.listText.append(String(slot.integer).utf8)
        case .real: rows.listText.append(slot.real.description.utf8)
        case .text:
            JSONText.append(slot.bytes(inScratch: Bytes(rows.scratch.start)), to: &rows.listText)
        case .blob:
            guard case .string(let start, let count) = token else { return }
            JSONText.append(start.raw(count), to: &rows.listText)
        case .absent, .null: rows.listText.append("null".utf8)
        }
    }

    /// Returns the part of a text that a regular expression captures.
    mutating func matched(_ place: Bytes, _ entry: EntryRef) -> Bytes? {
        guard let (token, end) = scalar(place) else { return nil }
        guard case .success(let string) = token.string else {
            note(.kind, at: place, entry.pointee.rule, "a string")
            return end
        }
        storeMade(string, entry, at: place)
        return end
    }

    /// Stores a text in a column, or the part of it that the column's regular expression captures.
    mutating func storeMade(_ string: String, _ entry: EntryRef, at place: Bytes) {
        guard let box = entry.pointee.box?.object else { return store(string, entry, at: place) }
        guard let pattern = box as? PatternBox else {
            return Array(JSONText.quoted(string).utf8).withView { bytes in
                _ = borrowing(bytes, offset(place)) { reader, place in
                    box.replace(&reader, place, entry, RowBuffer.noModel)
                }
            }
        }
        do {
            if let part = try pattern.firstCapture(of: string, &self) { store(part, entry, at: place) }
        } catch {
            note(
                .limit, at: place, entry.pointee.rule,
                "a string that the regular expression matches within \(TimedExpression.limit) seconds",
                "one that takes longer")
        }
    }

    /// Converts and stores a created text in a column.
    private mutating func store(_ string: String, _ entry: EntryRef, at place: Bytes) {
        var copy = ByteBuffer()
        copy.append(string.utf8)
        let token = ScalarToken.string(copy.text, copy.count)
        switch stored(token, as: entry.pointee.scalar) {
        case .success(let value): rows.setSlot(entry.pointee.offset, value)
        case .failure(let failure): note(failure, at: place, entry.pointee.rule, expectation(of: entry))
        }
    }
}
