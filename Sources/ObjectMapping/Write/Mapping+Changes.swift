extension Mapping {
    /// Returns the changes of a model as a merge patch (RFC 7396); `nil` if it is unchanged.
    ///
    /// ```swift
    /// var user = try User.mapping.map(data)
    /// let old = user
    /// user.name = "Grace"
    /// user.phone = nil
    /// let patch = try User.mapping.changes(of: user, from: old)   // {"name":"Grace","phone":null}
    /// ```
    ///
    /// The patch contains changed members with their values; members that became `nil` are null, regardless of options
    /// and rules for `nil`; to-one objects are included with their changes only. Arrays are complete; sets are compared
    /// without regard to order. In the standard, null and absent are equal: a change from one to the other is not a
    /// change.
    ///
    /// - Parameters:
    ///   - model: The current model.
    ///   - old: The earlier model, which must be a copy; for objects of a class, use `changes(of:from:)` with a `JSON`.
    ///   - includingIdentity: Whether the patch includes unchanged properties of the mapping's identity. Defaults to
    ///     `false`.
    /// - Throws: `MappingError` with all values that JSON cannot represent, such as NaN, or an error in the mapping.
    public func changes(
        of model: Model, from old: Model, includingIdentity: Bool = false
    ) throws(MappingError) -> JSON? {
        try changes(of: model, from: try json(of: old), includingIdentity: includingIdentity)
    }

    /// Returns the changes of a model since it was written to a JSON value, as a merge patch (RFC 7396); `nil` if it is
    /// unchanged.
    ///
    /// For objects of a class, which cannot be copied:
    ///
    /// ```swift
    /// let old = try User.mapping.json(of: user)
    /// user.name = "Grace"
    /// let patch = try User.mapping.changes(of: user, from: old)
    /// ```
    ///
    /// - Parameters:
    ///   - model: The current model.
    ///   - old: The earlier result of `json(of:)` without a root key. Keys that the mapping does not write are ignored.
    ///   - includingIdentity: Whether the patch includes unchanged properties of the mapping's identity. Defaults to
    ///     `false`.
    /// - Throws: `MappingError` with all values that JSON cannot represent, such as NaN, or an error in the mapping.
    public func changes(
        of model: Model, from old: JSON, includingIdentity: Bool = false
    ) throws(MappingError) -> JSON? {
        let plan = try storage.output()
        let included = includingIdentity ? plan.identity.union(storage.traits.identity.map(\.keyPath)) : []
        var patch = MergePatch(plan: plan, included: included)
        let old = storage.traits.omitted.reduce(old) { $0.removing(($1.plainKeys ?? [])[...]) }
        return try patch.patch(from: old, to: try json(of: model))
    }

    /// Writes the changes of a model as a merge patch (RFC 7396); `{}` if it is unchanged.
    ///
    /// - Parameters:
    ///   - model: The current model.
    ///   - old: The earlier model.
    ///   - includingIdentity: Whether the patch includes unchanged properties of the mapping's identity. Defaults to
    ///     `false`.
    ///   - rootKey: The key path of the patch in the text, plain keys joined by dots. Defaults to the text itself.
    ///   - options: The layout of the text.
    /// - Throws: `MappingError` with all values that JSON cannot represent, such as NaN, or an error in the mapping.
    public func serialize(
        _ model: Model, changedFrom old: Model, includingIdentity: Bool = false, rootKey: JSONKeyPath = "",
        options: WritingOptions = WritingOptions()
    ) throws(MappingError) -> Data {
        try written(try changes(of: model, from: old, includingIdentity: includingIdentity), rootKey, options)
    }

    /// Writes the changes of a model since it was written to a JSON value, as a merge patch (RFC 7396); `{}` if it is
    /// unchanged.
    ///
    /// - Parameters:
    ///   - model: The current model.
    ///   - old: The earlier result of `json(of:)` without a root key.
    ///   - includingIdentity: Whether the patch includes unchanged properties of the mapping's identity. Defaults to
    ///     `false`.
    ///   - rootKey: The key path of the patch in the text, plain keys joined by dots. Defaults to the text itself.
    ///   - options: The layout of the text.
    /// - Throws: `MappingError` with all values that JSON cannot represent, such as NaN, or an error in the mapping.
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
    /// Applies a merge patch (RFC 7396) to a model, such as the result of `changes(of:from:)`.
    ///
    /// Members of objects and dictionaries are merged, null removes or clears them, and arrays are replaced.
    ///
    /// ```swift
    /// try User.mapping.apply(#"{"phone": null, "address": {"city": "Paris"}}"#, to: &user)   // keeps the street
    /// ```
    ///
    /// A nested object that the patch changes is created again from its written form, so properties that the mapping
    /// does not write get their initial values; so do those that a new object in the patch does not contain. Nested
    /// managed objects are found by their identity and updated instead.
    ///
    /// - Parameters:
    ///   - patch: An object, as `Data`, `[UInt8]`, `String` or `JSON`.
    ///   - model: The model to change.
    ///   - session: The session that this payload shares with others. Defaults to a separate one.
    ///   - options: Metadata, limits and the log.
    /// - Throws: `MappingError` with all issues of the patched members; then a struct is unchanged. An issue has the
    ///   kind `mapping` if the mapping cannot write its models, or creates them with an initializer.
    public func apply(
        _ patch: some JSONInput, to model: inout Model, in session: MappingSession? = nil,
        options: MappingOptions = MappingOptions()
    ) throws(MappingError) {
        try apply(patch, to: &model, dataSource: session, options: options)
    }

    /// Applies a merge patch to a model of a data source; see `apply(_:to:in:options:)` for the other parameters.
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
        // Null for `nil`: a nested object that is created again may have other initial values.
        let payload = try patching.update(
            of: try json(of: model, options: WritingOptions(whenNil: .null)), by: members)
        try update(&model, from: payload, dataSource: dataSource, options: options, patch: patch, report: &report)
    }
}

extension Mapping where Model: AnyObject {
    /// Applies a merge patch (RFC 7396) to an object; see `apply(_:to:in:options:)` for an `inout` model for details.
    ///
    /// - Throws: `MappingError` with all issues of the patched members; then some properties may be set.
    public func apply(
        _ patch: some JSONInput, to object: Model, in session: MappingSession? = nil,
        options: MappingOptions = MappingOptions()
    ) throws(MappingError) {
        var object = object
        try apply(patch, to: &object, in: session, options: options)
    }
}
