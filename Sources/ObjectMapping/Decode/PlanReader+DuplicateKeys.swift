extension PlanReader {
    /// Whether values that duplicate keys replace may have had an effect: through their issues, or through their
    /// objects in a data source.
    var replacedValuesMatter: Bool {
        findings.hasDuplicateKeys && failure == nil && (findings.mayBelongToReplacedValues || source != nil)
    }

    /// Returns a copy of a value in which members that are replaced by a later one with the same key are blank; `nil`
    /// without such members.
    func textWithoutReplacedMembers(from start: Bytes, to end: Bytes) -> [UInt8]? {
        TokenTape.textWithoutReplacedMembers(stretch(start, end), maximumDepth: MappingLimits.largestDepth)
    }

    /// Reads a copy of a value, and adds the warnings about duplicates that the copy lacks.
    ///
    /// - Parameter end: The end of the value.
    mutating func reading(
        _ copy: [UInt8], insteadOf place: Bytes, _ end: Bytes, warnings: [Finding],
        _ read: (inout PlanReader, Bytes) -> MakeResult
    ) -> MakeResult {
        let offset = offset(place)
        var isMade = false
        let isValid = copy.withView { copy in
            borrowing(copy, offset, isCopy: true) { reader, place in
                let result = read(&reader, place)
                isMade = result.isMade
                return result.end
            }
        }
        for warning in warnings { findings.append(warning) }
        if isValid { return isMade ? .made(end) : .skipped(end) }
        return .broken
    }

    /// Reads the value at a place into memory with a closure, and once more if values matter that duplicate keys replace.
    ///
    /// - Parameters:
    ///   - discard: Destroys the result of the first reading.
    mutating func withoutReplacedValues(
        _ place: Bytes, _ read: (inout PlanReader, Bytes) -> MakeResult, discard: () -> Void
    ) -> MakeResult {
        let (fence, depth, before) = (fence, nesting.depth, findings)
        let (savepoint, pending) = (source?.savepoint(), context?.pending)
        let first = read(&self, place)
        guard let end = first.end, replacedValuesMatter else { return first }
        let after = self.fence
        rewind(to: fence)
        let text = textWithoutReplacedMembers(from: place, to: end)
        rewind(to: after)
        guard let text else { return first }
        if first.isMade { discard() }
        source?.rollback(to: savepoint)
        let duplicates = findings.duplicates
        findings = before
        context?.pending = pending
        let result = reading(text, insteadOf: place, end, warnings: duplicates, read)
        nesting.depth = depth
        return result
    }
}

extension TokenTape {
    /// Returns a copy of a text in which members that are replaced by a later one with the same key are blank; `nil`
    /// without such members, and for invalid JSON.
    fileprivate static func textWithoutReplacedMembers(_ bytes: ByteView, maximumDepth: Int) -> [UInt8]? {
        let padded = PaddedText(bytes)
        var builder = TapeBuilder(padded.start, count: bytes.count, findsRepeatedKeys: true)
        guard builder.read(at: padded.start, maximumDepth: maximumDepth) != nil else { return nil }
        let tokens = builder.tokens
        let repeated = tokens.repeatedKeys(of: builder.candidates)
        guard !repeated.isEmpty else { return nil }
        var text = [UInt8](bytes)
        for (object, kept) in repeated {
            let kept = Set(kept.map(\.value))
            var key = object + 2
            while key < tokens.end(of: object) {
                // The last member is kept, so there is a next one.
                let next = tokens.end(of: key + 1)
                if !kept.contains(key + 1) {
                    for index in tokens.token(key).offset..<tokens.token(next).offset where text[index] > 0x20 {
                        text[index] = 0x20
                    }
                }
                key = next
            }
        }
        withExtendedLifetime(padded) {}
        return text
    }
}
