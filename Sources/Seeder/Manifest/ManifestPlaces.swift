import ObjectMapping

/// The offsets of all values and keys in a manifest, found in one pass over its text.
struct ManifestPlaces {
    private var root: Place?

    /// Of a repeated key the last one counts.
    init(_ bytes: ByteView) {
        var tokenizer = JSONTokenizer(bytes, maximumDepth: .max)
        var holders: [Place] = []
        var key = (name: "", offset: 0)
        while true {
            let place: Place
            var isHolder = false
            switch tokenizer.next() {
            case .key(let range):
                key = (tokenizer.key, range.lowerBound)
                continue
            case .close:
                holders.removeLast()
                continue
            case .end, .failure, .needsMore: return
            case .scalar(let range): place = Place(at: range.lowerBound, isObject: false)
            case .open(let offset, let isObject): (place, isHolder) = (Place(at: offset, isObject: isObject), true)
            }
            if let holder = holders.last {
                if holder.isObject { place.key = key.offset }
                holder.children[holder.isObject ? .key(key.name) : .index(holder.children.count)] = place
            } else {
                root = place
            }
            if isHolder { holders.append(place) }
        }
    }

    /// The byte at which the value at a path begins, or its key; nil if there is none.
    func offset(of path: [JSONPathStep], ofKey: Bool) -> Int? {
        var place = root
        for step in path { place = place?.children[step] }
        return place.map { ofKey ? $0.key ?? $0.value : $0.value }
    }

    private final class Place {
        let value: Int
        let isObject: Bool
        /// Nil for elements of arrays.
        var key: Int?
        var children: [JSONPathStep: Place] = [:]

        init(at value: Int, isObject: Bool) { (self.value, self.isObject) = (value, isObject) }
    }
}
