import ObjectMapping

extension ObjectModel {
    /// Returns the first difference between a stored model and this one; `nil` if they are equal.
    func difference(from stored: ObjectModel) -> String? {
        Self.difference(stored.storedData.json, storedData.json, at: [])
    }

    private static func difference(_ stored: JSON, _ expected: JSON, at place: [JSONPathStep]) -> String? {
        guard stored != expected else { return nil }
        guard let storedMembers = stored.object, let expectedMembers = expected.object else {
            return "\(place.text) is \(stored.text) in the file and \(expected.text) in the model"
        }
        for (key, value) in expectedMembers {
            let place = place + [.key(key)]
            guard let storedValue = storedMembers[key] else { return "\(place.text) is missing in the file" }
            if let difference = difference(storedValue, value, at: place) { return difference }
        }
        let extra = storedMembers.keys.first { !expectedMembers.keys.contains($0) }
        return extra.map { "\((place + [.key($0)]).text) is only in the file" }
    }
}
