extension Resource {
    /// Adds prefix options to a received record, and the record to the registry of its type, if it has one.
    mutating func enter(prefix: [String: String]) {
        resource.isPersisted = true
        if !prefix.isEmpty { resource.prefixOptions.merge(prefix) { $1 } }
        if Self.self is any RegisteredResource.Type { (self as? any RegisteredResource)?.enter() }
    }

    /// Removes a record from the registry of its type, if it has one.
    static func unregister(_ id: some ResourceID, prefix: [String: String]) {
        (Self.self as? any RegisteredResource.Type)?.remove(id, prefix: prefix)
    }

    /// Creates a record with attributes; those that are prefix parameters are added to the prefix options.
    static func make(_ attributes: [String: JSON], prefix: [String: String]) throws(ResourceError) -> Self {
        var options = prefix
        let values = try declared(attributes, prefix: &options)
        do throws(MappingError) {
            var record = try mapping.map(values, options: MappingOptions(requiresMappedKey: false))
            record.resource = ResourceState(prefixOptions: options)
            try record.note(assigned: values)
            return record
        } catch { throw ResourceError(invalidAttributes: error, of: elementName) }
    }

    /// Returns the names of attributes that the mapping does not read; nested names are paths such as `home.city`.
    static func unreadNames(of attributes: JSON) -> [String] {
        // Issues of values are thrown when they are read.
        ((try? mapping.unreadKeys(of: attributes)) ?? []).map { String($0.trimmingPrefix("$.")) }
    }

    /// Returns attributes as an object, without those that are prefix parameters.
    ///
    /// - Throws: `ResourceError` of kind `invalidAttributes` for attributes that the mapping does not read.
    static func declared(
        _ attributes: [String: JSON], prefix: inout [String: String]
    ) throws(ResourceError) -> JSON {
        let inPrefix = Set(endpoint.prefixParameters)
        var members: [(key: String, value: JSON)] = []
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
            if inPrefix.contains(name) { prefix[name] = value.plainText } else { members.append((name, value)) }
        }
        let values = JSON.object(JSONObject(members))
        let unread = unreadNames(of: values)
        if unread.isEmpty { return values }
        let names = unread.map { "'\($0)'" }.joined(separator: ", ")
        let known = (try? complete(mapping.map([:] as JSON)))?.object?.keys ?? []
        let hint = suggestionText(nearestNames(to: unread[0], among: known))
        throw ResourceError(
            .invalidAttributes,
            "\(elementName): expected attributes that the mapping reads"
                + (known.isEmpty ? "" : ", such as \(known.map { "'\($0)'" }.joined(separator: ", "))")
                + ", found \(names)" + hint)
    }
}

extension MappingIssue {
    /// An object without members instead of a record.
    static func emptyObject(at path: String = "$") -> MappingIssue {
        MappingIssue(kind: .notFound, path: path, expected: "the attributes of a record", found: "an empty object")
    }
}

extension JSON {
    /// The text of a string, a number or a Boolean, for a path.
    var plainText: String? {
        if let string { return string }
        return exists && !isNull && array == nil && object == nil ? text : nil
    }
}
