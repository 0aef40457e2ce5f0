extension Mapping {
    /// What has changed in a model, as a merge patch (RFC 7396); nil if nothing has.
    ///
    /// ```swift
    /// var user = try User.mapping.map(data)
    /// let old = user
    /// user.name = "Grace"
    /// user.phone = nil
    /// let patch = try User.mapping.changes(of: user, from: old)   // {"name":"Grace","phone":null}
    /// ```
    ///
    /// Members that have changed stand in it with their values, those that became nil as null whatever the options
    /// and rules say of nil, and of objects to one only their own changes. Arrays are whole; sets are compared
    /// without regard to order. The standard takes null for absent: a change from one to the other is none.
    ///
    /// - Parameters:
    ///   - model: The model as it is.
    ///   - old: The model as it was; a copy, so for objects of a class see `changes(of:from:)` with a `JSON`.
    ///   - includingIdentity: Whether the properties by which the mapping is identified are in the patch though they
    ///     are the same; not by default.
    /// - Throws: `MappingError` with everything that JSON cannot hold, such as NaN, or a mistake in the mapping.
    public func changes(
        of model: Model, from old: Model, includingIdentity: Bool = false
    ) throws(MappingError) -> JSON? {
        try changes(of: model, from: try json(of: old), includingIdentity: includingIdentity)
    }

    /// What has changed in a model since it was written to a JSON value, as a merge patch (RFC 7396); nil if nothing
    /// has.
    ///
    /// For objects of a class, of which there is no copy:
    ///
    /// ```swift
    /// let old = try User.mapping.json(of: user)
    /// user.name = "Grace"
    /// let patch = try User.mapping.changes(of: user, from: old)
    /// ```
    ///
    /// - Parameters:
    ///   - model: The model as it is.
    ///   - old: What `json(of:)` said of it without a root key. Keys that the mapping does not write stay out of it.
    ///   - includingIdentity: Whether the properties by which the mapping is identified are in the patch though they
    ///     are the same; not by default.
    /// - Throws: `MappingError` with everything that JSON cannot hold, such as NaN, or a mistake in the mapping.
    public func changes(
        of model: Model, from old: JSON, includingIdentity: Bool = false
    ) throws(MappingError) -> JSON? {
        let plan = try storage.output()
        let included = includingIdentity ? plan.identity.union(storage.traits.identity.map(\.keyPath)) : []
        var patch = MergePatch(plan: plan, included: included)
        return try patch.patch(from: old, to: try json(of: model))
    }

    /// Writes what has changed in a model, as a merge patch (RFC 7396); `{}` if nothing has.
    ///
    /// - Parameters:
    ///   - model: The model as it is.
    ///   - old: The model as it was.
    ///   - includingIdentity: Whether the properties by which the mapping is identified are in the patch though they
    ///     are the same; not by default.
    ///   - rootKey: Where in the text the patch goes, plain keys joined by dots; by default it is the text.
    ///   - options: How the text is laid out.
    /// - Throws: `MappingError` with everything that JSON cannot hold, such as NaN, or a mistake in the mapping.
    public func serialize(
        _ model: Model, changedFrom old: Model, includingIdentity: Bool = false, rootKey: JSONKeyPath = "",
        options: WritingOptions = WritingOptions()
    ) throws(MappingError) -> Data {
        try written(try changes(of: model, from: old, includingIdentity: includingIdentity), rootKey, options)
    }

    /// Writes what has changed in a model since it was written to a JSON value, as a merge patch (RFC 7396); `{}` if
    /// nothing has.
    ///
    /// - Parameters:
    ///   - model: The model as it is.
    ///   - old: What `json(of:)` said of it without a root key.
    ///   - includingIdentity: Whether the properties by which the mapping is identified are in the patch though they
    ///     are the same; not by default.
    ///   - rootKey: Where in the text the patch goes, plain keys joined by dots; by default it is the text.
    ///   - options: How the text is laid out.
    /// - Throws: `MappingError` with everything that JSON cannot hold, such as NaN, or a mistake in the mapping.
    public func serialize(
        _ model: Model, changedFrom old: JSON, includingIdentity: Bool = false, rootKey: JSONKeyPath = "",
        options: WritingOptions = WritingOptions()
    ) throws(MappingError) -> Data {
        try written(try changes(of: model, from: old, includingIdentity: includingIdentity), rootKey, options)
    }

    private func written(_ patch: JSON?, _ rootKey: JSONKeyPath, _ options: WritingOptions) throws(MappingError) -> Data
    {
        try written(rootKey, options, { $0.out.tree(patch ?? [:]) }, { $0.data })
    }
}

extension Mapping {
    /// Applies a merge patch (RFC 7396) to a model, such as one that `changes(of:from:)` made.
    ///
    /// Members of objects and dictionaries are merged, null removes or clears them, and arrays are replaced.
    ///
    /// ```swift
    /// try User.mapping.apply(#"{"phone": null, "address": {"city": "Paris"}}"#, to: &user)   // keeps the street
    /// ```
    ///
    /// A nested object that the patch changes is created again from its written form, so properties that the mapping does
    /// not write get their initial values; so do those that a new object in the patch does not mention. Nested objects of
    /// a store are found by their identity and updated instead.
    ///
    /// - Parameters:
    ///   - patch: An object, as `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - model: The model to change.
    ///   - session: The session that this payload shares with others. Defaults to a separate one.
    ///   - options: Metadata, limits and the log.
    /// - Throws: `MappingError` with every issue of the patched members; a struct is then unchanged. One of kind `mapping`
    ///   if the mapping cannot write its models, or creates them with an initializer.
    public func apply(
        _ patch: some JSONInput, to model: inout Model, in session: MappingSession? = nil,
        options: MappingOptions = MappingOptions()
    ) throws(MappingError) {
        try apply(patch, to: &model, dataSource: session, options: options)
    }

    /// Applies a merge patch to a model that belongs to a data source; `apply(_:to:in:options:)` describes the other
    /// parameters.
    package func apply(
        _ patch: some JSONInput, to model: inout Model, dataSource: (any MappingDataSource)?,
        options: MappingOptions = MappingOptions()
    ) throws(MappingError) {
        let patch = try JSON(patch, maximumDepth: options.limits.depth)
        var report = MappingReport()
        guard let members = patch.object else {
            return try update(&model, from: patch, dataSource: dataSource, options: options, report: &report)
        }
        var patching = MergePatch(plan: try storage.output(), included: [])
        patching.findsObjects = dataSource?.requiresIdentity ?? false
        // Nil as null: a nested object that is created again may have other initial values.
        let payload = try patching.update(
            of: try json(of: model, options: WritingOptions(whenNil: .null)), by: members)
        try update(&model, from: payload, dataSource: dataSource, options: options, patch: patch, report: &report)
    }
}

extension Mapping where Model: AnyObject {
    /// Applies a merge patch (RFC 7396) to an object; `apply(_:to:in:options:)` for an `inout` model has the details.
    ///
    /// - Throws: `MappingError` with every issue of the patched members; some properties may be set then.
    public func apply(
        _ patch: some JSONInput, to object: Model, in session: MappingSession? = nil,
        options: MappingOptions = MappingOptions()
    ) throws(MappingError) {
        var object = object
        try apply(patch, to: &object, in: session, options: options)
    }
}
