/// The attributes that were received from the service or sent to it, and their values at that time.
enum KnownAttributes: Sendable {
    /// The record is an object in the body of a response, which is parsed when it is needed.
    case received(Data, Range<Int>)
    /// An object with the received and sent attributes, and the complete record as it was written at that time.
    case values(names: JSON, JSON)

    /// The body of the response that the current task reads; `nil` if it reads attributes of another origin.
    @TaskLocal static var response: Data?

    /// Whether the service sent an object without members.
    var isEmptyObject: Bool {
        guard case .received(let body, let range) = self else { return false }
        let object = body.dropFirst(range.lowerBound).prefix(range.count)
        return object.dropFirst().dropLast().allSatisfy { " \t\r\n".utf8.contains($0) }
    }
}

extension Resource {
    /// Notes the attributes of a record in a response, and that it is persisted.
    public static func received(_ record: inout Self, at range: Range<Int>) {
        guard let body = KnownAttributes.response, range.upperBound <= body.count else { return }
        record.resource.isPersisted = true
        record.resource.known = .received(body, range)
    }

    /// Returns the names of the received and sent attributes, and the values of the record at that time; `nil` for a record
    /// that was not received or sent.
    static func known(of record: Self) -> (names: JSON, values: JSON)? {
        switch record.resource.known {
        case nil: return nil
        case .values(let names, let values): return (names, values)
        case .received(let body, let range):
            // The body was mapped before, so errors are not expected.
            guard let names = try? JSON(body.dropFirst(range.lowerBound).prefix(range.count)),
                let values = try? written(names)
            else { return nil }
            return (mapping.writtenForm(of: names), values)
        }
    }

    /// Returns the received and sent attributes after a save, without those that are only written, such as commands.
    static func sentAttributes(_ names: JSON, _ complete: JSON) -> KnownAttributes {
        var (names, values) = (names, complete)
        guard let read = try? written(complete) else { return .values(names: names, values) }
        for (name, value) in complete.object ?? [:] where !value.isNull && read[name].isSame(as: .null) {
            (names, values) = (names.removing([name]), values.removing([name]))
        }
        return .values(names: names, values)
    }

    /// Returns the attributes as the mapping writes them after reading them.
    private static func written(_ attributes: JSON) throws(MappingError) -> JSON {
        let record = Result { () throws(MappingError) in
            try mapping.map(attributes, options: MappingOptions(requiresMappedKey: false))
        }
        return try complete(record.get())
    }

    /// Returns all attributes of a record, with null for `nil`.
    static func complete(_ record: Self) throws(MappingError) -> JSON {
        try mapping.json(of: record, options: WritingOptions(whenNil: .null))
    }

    /// Notes attributes that a response contained, after they were read into the record.
    ///
    /// The other attributes remain changed if they were; those of a record that was never received are compared with
    /// the initial values of the type.
    mutating func note(received attributes: JSON) throws(MappingError) {
        let received = Self.mapping.writtenForm(of: attributes)
        let (names, values) = Self.known(of: self) ?? ([:], (try? Self.written([:])) ?? [:])
        let current = try Self.complete(self)
        resource.known = .values(
            names: names.merging(received), values.merging(AttributeSelection.part(of: current, named: received)))
        resource.isPersisted = true
    }

    /// Notes attributes that were assigned by name, after they were read into the record.
    mutating func note(assigned attributes: JSON) throws(MappingError) {
        let names = Self.mapping.writtenForm(of: attributes)
        let complete = try Self.complete(self)
        let assigned = AttributeSelection.part(of: complete, named: names, inLists: true)
        resource.assigned = resource.assigned.merging(assigned)
        resource.assignedValues = resource.assignedValues.merging(AttributeSelection.part(of: complete, named: names))
    }

    /// Notes a change that is not sent, such as that of the identifier by the service.
    mutating func noteIdentifier(_ change: (inout Self) -> Void, isKnown: Bool) throws(MappingError) {
        guard let known = Self.known(of: self) else { return change(&self) }
        var (names, values) = known
        let before = try Self.complete(self)
        change(&self)
        for (name, value) in try Self.complete(self).object ?? [:] where before[name] != value {
            values[name] = value
            if isKnown { names[name] = value } else { names = names.removing([name]) }
        }
        resource.known = .values(names: names, values)
    }
}

extension JSON {
    /// Returns an object with the members of another one; objects in both are merged.
    func merging(_ other: JSON) -> JSON {
        guard let members = object, let others = other.object else { return other.exists ? other : self }
        var merged = members.map { (key: $0.key, value: others[$0.key].map($0.value.merging) ?? $0.value) }
        merged += others.filter { members[$0.key] == nil }
        return .object(JSONObject(merged))
    }
}
