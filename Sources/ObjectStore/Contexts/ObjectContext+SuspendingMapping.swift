public import ObjectMapping

/// Mapping for asynchronous functions: the context's actor is free while SQL runs on another thread.
///
/// The identities in the payload are collected first. Their objects are read on another thread, then the payload is
/// decoded once.
extension ObjectContext {
    /// Maps the objects of a payload into the context: found by their identity or created, and connected; SQL runs on
    /// another thread.
    ///
    /// ```swift
    /// let tasks = try await context.map(data, with: ProjectTask.mapping, at: "tasks")
    /// try await context.save()
    /// ```
    ///
    /// Nothing is saved before `save()`. Models that are not managed may hold managed objects.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - mapping: The mapping of the elements.
    ///   - keyPath: The location of the collection. Defaults to the payload itself; one object gives one element.
    ///   - shape: Whether the elements are those of an array, the members of an object, or lines. Defaults to `.element`.
    ///   - options: Values in addition to the payload.
    /// - Returns: The models, in the order of the payload.
    /// - Throws: `MappingError` with every issue; the context is unchanged then.
    nonisolated(nonsending) public func map<Model>(
        _ payload: some JSONInput, with mapping: Mapping<Model>, at keyPath: JSONKeyPath = "",
        each shape: ElementShape = .element, options: MappingOptions = MappingOptions()
    ) async throws(MappingError) -> [Model] {
        var report = MappingReport()
        return try await map(payload, with: mapping, at: keyPath, each: shape, options: options, report: &report)
    }

    /// Maps the objects of a payload into the context, and reports elements with issues; SQL runs on another thread.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - mapping: The mapping of the elements.
    ///   - keyPath: The location of the collection. Defaults to the payload itself.
    ///   - shape: Whether the elements are those of an array, the members of an object, or lines. Defaults to `.element`.
    ///   - options: Values in addition to the payload.
    ///   - report: Decides what is done with an element that has issues, and receives them.
    /// - Returns: The models, in the order of the payload.
    /// - Throws: `MappingError`, by the policy of the report.
    nonisolated(nonsending) public func map<Model>(
        _ payload: some JSONInput, with mapping: Mapping<Model>, at keyPath: JSONKeyPath = "",
        each shape: ElementShape = .element, options: MappingOptions = MappingOptions(), report: inout MappingReport
    ) async throws(MappingError) -> [Model] {
        var last = report
        defer { report = last }
        let identities = mapping.identities(in: payload, at: keyPath, each: shape, options: options)
        return try await core.mapping(identities) { () throws(MappingError) in
            last = report
            return try mapping.mapAll(
                payload, at: keyPath, each: shape, dataSource: core.dataSource, options: options,
                identities: identities, parallel: nil, report: &last)
        }
    }

    /// Maps a payload with objects of several types into the context, and connects them; SQL runs on another thread.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - mapping: The roots of the payload.
    ///   - options: Values in addition to the payload.
    /// - Returns: The models of all roots.
    /// - Throws: `MappingError` with every issue; the context is unchanged then.
    nonisolated(nonsending) public func map(
        _ payload: some JSONInput, with mapping: PayloadMapping, options: MappingOptions = MappingOptions()
    ) async throws(MappingError) -> MappingResult {
        var report = MappingReport()
        return try await map(payload, with: mapping, options: options, report: &report)
    }

    /// Maps a payload with objects of several types into the context, and reports elements with issues; SQL runs on
    /// another thread.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - mapping: The roots of the payload.
    ///   - options: Values in addition to the payload.
    ///   - report: Decides what is done with an element that has issues, and receives them.
    /// - Returns: The models of all roots.
    /// - Throws: `MappingError`, by the policy of the report.
    nonisolated(nonsending) public func map(
        _ payload: some JSONInput, with mapping: PayloadMapping, options: MappingOptions = MappingOptions(),
        report: inout MappingReport
    ) async throws(MappingError) -> MappingResult {
        var last = report
        defer { report = last }
        let identities = mapping.identities(in: payload, options: options)
        return try await core.mapping(identities) { () throws(MappingError) in
            last = report
            return try mapping.map(
                payload, dataSource: core.dataSource, options: options, identities: identities, report: &last)
        }
    }
}

extension ContextCore {
    /// Calls a function that maps a payload after the objects of its identities were read.
    ///
    /// Another statement whose rows are missing, such as that of a fault, ends the decode, which is undone and repeated.
    nonisolated(nonsending) fileprivate func mapping<Result>(
        _ identities: IdentityRequest, _ map: () throws(MappingError) -> Result
    ) async throws(MappingError) -> Result {
        let result: Swift.Result<Result, MappingError>
        do throws(StoreError) {
            result = try await reading(isLooking: true, after: { dataSource.statements(identities) }) {
                () throws(StoreError) in
                Swift.Result { () throws(MappingError) in try map() }
            }
        } catch {
            throw MappingError(
                MappingIssue(
                    kind: .dataSource, path: "$", expected: "objects that can be read from the store",
                    found: error.message))
        }
        return try result.get()
    }
}
