public import ObjectMapping

// Disfavored like other calls that return objects; see `ObjectContext+Fetch.swift`.

extension ObjectContext {
    /// Maps the objects of a payload into the context: found by their identity or created, and connected.
    ///
    /// ```swift
    /// let tasks = try context.map(data, with: ProjectTask.mapping, at: "tasks")
    /// try context.save()
    /// ```
    ///
    /// Nothing is saved before `save()`. Models that are not managed can refer to managed objects.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - mapping: The mapping of the elements.
    ///   - keyPath: The key path of the collection. Defaults to the payload itself; a single object is one element.
    ///   - shape: How the elements are arranged: in an array, as the members of an object, or one per line. Defaults to
    ///     `.element`, an array.
    ///   - options: Metadata, limits and the log.
    /// - Returns: The models, in the order of the payload.
    /// - Throws: `MappingError` with all issues; then the context is unchanged.
    @_disfavoredOverload public func map<Model>(
        _ payload: some JSONInput, with mapping: Mapping<Model>, at keyPath: JSONKeyPath = "",
        each shape: ElementShape = .element, options: MappingOptions = MappingOptions()
    ) throws(MappingError) -> [Model] {
        var report = MappingReport()
        return try map(payload, with: mapping, at: keyPath, each: shape, options: options, report: &report)
    }

    /// Maps the objects of a payload into the context, and reports elements with issues.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - mapping: The mapping of the elements.
    ///   - keyPath: The key path of the collection. Defaults to the payload itself.
    ///   - shape: How the elements are arranged: in an array, as the members of an object, or one per line. Defaults to
    ///     `.element`, an array.
    ///   - options: Metadata, limits and the log.
    ///   - report: Sets the policy for elements with issues, and receives the issues.
    /// - Returns: The models, in the order of the payload.
    /// - Throws: `MappingError`, depending on the policy of the report.
    @_disfavoredOverload public func map<Model>(
        _ payload: some JSONInput, with mapping: Mapping<Model>, at keyPath: JSONKeyPath = "",
        each shape: ElementShape = .element, options: MappingOptions = MappingOptions(), report: inout MappingReport
    ) throws(MappingError) -> [Model] {
        try mapping.mapAll(
            payload, at: keyPath, each: shape, dataSource: core.dataSource, options: options, parallel: nil,
            report: &report)
    }

    /// Maps a payload with objects of several types into the context, and connects them.
    ///
    /// ```swift
    /// let payload = PayloadMapping {
    ///     Root("tasks", ProjectTask.mapping)
    ///     Root("users", User.mapping)
    /// }
    /// let result = try context.map(data, with: payload)
    /// let tasks = result[ProjectTask.self]
    /// ```
    ///
    /// Nothing is saved before `save()`. The order of the roots does not matter.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - mapping: The roots of the payload.
    ///   - options: Metadata, limits and the log.
    /// - Returns: The models of all roots.
    /// - Throws: `MappingError` with all issues; then the context is unchanged.
    @_disfavoredOverload public func map(
        _ payload: some JSONInput, with mapping: PayloadMapping, options: MappingOptions = MappingOptions()
    ) throws(MappingError) -> MappingResult {
        var report = MappingReport()
        return try map(payload, with: mapping, options: options, report: &report)
    }

    /// Maps a payload with objects of several types into the context, and reports elements with issues.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - mapping: The roots of the payload.
    ///   - options: Metadata, limits and the log.
    ///   - report: Sets the policy for elements with issues, and receives the issues.
    /// - Returns: The models of all roots.
    /// - Throws: `MappingError`, depending on the policy of the report.
    @_disfavoredOverload public func map(
        _ payload: some JSONInput, with mapping: PayloadMapping, options: MappingOptions = MappingOptions(),
        report: inout MappingReport
    ) throws(MappingError) -> MappingResult {
        try mapping.map(payload, dataSource: core.dataSource, options: options, report: &report)
    }
}
