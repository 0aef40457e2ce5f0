extension Resource {
    /// Returns a new record with attributes, which is not saved.
    ///
    /// - Parameters:
    ///   - attributes: The attributes by their names in the JSON; those that are prefix parameters are added to the
    ///     prefix options.
    ///   - prefix: The values of the prefix parameters.
    /// - Throws: `ResourceError` of kind `invalidAttributes` if the mapping does not accept the attributes.
    public static func new(
        _ attributes: [String: any JSONConvertible] = [:], prefix: [String: any FormValueConvertible] = [:]
    ) throws(ResourceError) -> Self {
        try recordKind.make(attributes.mapValues { $0.json }, prefix: prefix.prefixOptions)
    }

    /// Requests the default values of a new record, from `/people/new.json`.
    ///
    /// - Parameters:
    ///   - attributes: Attributes that override the default values.
    ///   - prefix: The values of the prefix parameters.
    /// - Returns: A new record, which is not saved.
    /// - Throws: `ResourceError` if the request fails, or if the mapping does not accept the attributes.
    public nonisolated(nonsending) static func build(
        _ attributes: [String: any JSONConvertible] = [:], prefix: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> Self {
        try await recordKind.build(attributes.mapValues { $0.json }, prefix.prefixOptions)
    }

    /// Saves a new record and returns it.
    ///
    /// - Returns: The record; if it is invalid, it is still new and has the errors.
    /// - Throws: `ResourceError`, like `save(validates:)`.
    public nonisolated(nonsending) static func create(_ record: Self) async throws(ResourceError) -> Self {
        try await recordKind.createRecord(record)
    }

    /// Saves a new record with attributes and returns it.
    ///
    /// - Parameters:
    ///   - attributes: The attributes by their names in the JSON; those that are prefix parameters are added to the
    ///     prefix options.
    ///   - prefix: The values of the prefix parameters.
    /// - Returns: The record; if it is invalid, it is still new and has the errors.
    /// - Throws: `ResourceError`, like `save(validates:)`, and if the mapping does not accept the attributes.
    public nonisolated(nonsending) static func create(
        _ attributes: [String: any JSONConvertible], prefix: [String: any FormValueConvertible] = [:]
    ) async throws(ResourceError) -> Self {
        let record = try new(attributes, prefix: prefix)
        return try await recordKind.createRecord(record)
    }
}

extension Resource where ID: ExpressibleByNilLiteral {
    /// Returns a new record with the same attributes and prefix options, but without an identifier.
    ///
    /// - Throws: `ResourceError` if the mapping cannot write or read the record.
    public func clone() throws(ResourceError) -> Self {
        var copy = try dup()
        do throws(MappingError) { try copy.noteIdentifier({ $0.id = nil }, isKnown: false) } catch {
            throw ResourceError(invalidAttributes: error, of: Self.elementName)
        }
        return copy
    }
}

extension Resource {
    /// Returns a new record with the same attributes, prefix options and identifier.
    ///
    /// - Throws: `ResourceError` if the mapping cannot write or read the object of a class.
    public func dup() throws(ResourceError) -> Self {
        var copy = self
        if type(of: self) is AnyClass {
            do throws(MappingError) {
                copy = try Self.mapping.map(
                    try Self.complete(self), options: MappingOptions(requiresMappedKey: false))
            } catch { throw ResourceError(invalidAttributes: error, of: Self.elementName) }
        }
        copy.resource = ResourceState(prefixOptions: resource.prefixOptions)
        copy.resource.known = resource.known
        (copy.resource.assigned, copy.resource.assignedValues) = (resource.assigned, resource.assignedValues)
        return copy
    }
}
