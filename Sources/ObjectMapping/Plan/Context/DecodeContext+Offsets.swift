/// Where in the payload issues are.
extension DecodeContext {
    /// Bytes before a value in the object some levels further out, in the payload.
    func offset(of path: [JSONPathStep], inObject levels: Int) -> Int? {
        if let frame = frame(levels) {
            let place = frames[frame].place
            return isInPayload(place) ? frames[frame].offset + offset(of: path, in: place.rest) : frames[frame].offset
        }
        return outer.count(toObject: outerLevel(levels)).flatMap { offset(inRoot: outer.steps[..<$0] + path) }
    }

    /// Bytes before a value in the payload.
    func offset(inRoot path: [JSONPathStep]) -> Int? {
        if isPayloadRead {
            return frames.first.map { $0.offset + offset(of: path, in: $0.place.rest) }
        }
        return payload.map { payloadOffset + offset(of: path, in: $0) }
    }

    /// Bytes before the key under which the object some levels further out stands.
    func offset(ofKey levels: Int) -> Int? {
        guard let frame = frame(levels), isInPayload(frames[frame].place),
            let key = frames[frame].key.flatMap({ Bytes($0) })
        else { return nil }
        return frames[frame].offset - (frames[frame].place.start - key) - 1
    }

    private func offset(of path: [JSONPathStep], in text: ByteView) -> Int {
        let location = Location(start: Bytes(text), path: path)
        if let offset = known[location] { return offset }
        let offset = JSONTokenizer.offset(ofNearest: path, in: text)
        known[location] = offset
        return offset
    }

    /// Whether a place is in the text that is read, not in one that was made of it.
    func isInPayload(_ place: TextPlace) -> Bool { place.head == frames.first?.place.head }
}
