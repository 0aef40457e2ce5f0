import ObjectMapping

extension ObjectModel {
    /// The first place where a stored model differs from this one, in words; nil if they keep the same.
    func difference(from stored: ObjectModel) -> String? {
        Self.difference(stored.json, json, at: [])
    }

    private static func difference(_ stored: JSON, _ wanted: JSON, at place: [JSONPathStep]) -> String? {
        guard stored != wanted else { return nil }
        guard let storedMembers = stored.object, let wantedMembers = wanted.object else {
            return "\(place.text) is \(stored.text) there and \(wanted.text) here"
        }
        for (key, value) in wantedMembers {
            let place = place + [.key(key)]
            guard let storedValue = storedMembers[key] else { return "\(place.text) is not there" }
            if let difference = difference(storedValue, value, at: place) { return difference }
        }
        let extra = storedMembers.keys.first { !wantedMembers.keys.contains($0) }
        return extra.map { "\((place + [.key($0)]).text) is there only" }
    }
}
