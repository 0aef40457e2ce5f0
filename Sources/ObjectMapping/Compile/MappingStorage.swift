import Synchronization

/// The definition of a mapping, and its compiled plans.
final class MappingStorage<Model>: Sendable {
    /// Whether models are created empty and then filled, so that existing models can be filled as well.
    let isFilled: Bool
    let traits: MappingTraits<Model>
    /// The rules for properties of the model; `nil` if models are created from other values.
    let rules: MappingRules?
    private let makeBox: @Sendable (ObjectIdentifier, MappingTraits<Model>, PlanBuilder) -> ObjectBox
    private let makeOutput: Output?
    private let known = Mutex(CompiledPlans())

    /// Creates the box that writes models.
    typealias Output = @Sendable (ObjectIdentifier, MappingTraits<Model>, OutputBuilder) -> OutputBox

    /// - Parameters:
    ///   - rules: The rules for properties of the model. Defaults to `nil`, for models created from other values.
    ///   - output: Creates the box that writes models; `nil` if they cannot be serialized.
    ///   - makeBox: Creates the box that reads models.
    init(
        isFilled: Bool, rules: MappingRules? = nil, output: Output? = nil,
        _ traits: MappingTraits<Model> = MappingTraits(),
        _ makeBox: @escaping @Sendable (ObjectIdentifier, MappingTraits<Model>, PlanBuilder) -> ObjectBox
    ) {
        self.isFilled = isFilled
        self.rules = rules
        self.traits = traits
        self.makeBox = makeBox
        makeOutput = output
    }

    /// Returns a copy with changed traits.
    func with(_ change: (inout MappingTraits<Model>) -> Void) -> MappingStorage {
        var traits = traits
        change(&traits)
        return MappingStorage(isFilled: isFilled, rules: rules, output: makeOutput, traits, makeBox)
    }

    /// Returns a copy that does not write some members; the same copy for equal key paths, whose plan is compiled once.
    func omitting(_ keyPaths: [JSONKeyPath]) -> MappingStorage {
        if let copy = known.withLock({ $0.omitting[keyPaths] }) as? MappingStorage { return copy }
        let new = with { $0.omitted += keyPaths }
        return known.withLock { plans in
            let copy = plans.omitting[keyPaths] as? MappingStorage ?? new
            plans.omitting[keyPaths] = copy
            return copy
        }
    }

    /// Whether models can be serialized.
    var isWritten: Bool { makeOutput != nil }

    /// Whether a data source handles the models.
    var isRegistered: Bool { traits.isRegistered || isStored }

    /// Whether each decode uses a session, to create one object for each identity and to set connections.
    var needsSession: Bool {
        !traits.connections.isEmpty || Model.self is AnyClass && !traits.identity.isEmpty
    }

    /// Whether the models are objects of a store, which belong to a data source even without an identity.
    var isStored: Bool { Model.self is AnyClass && Model.self is any StoredModel.Type }

    /// Returns the compiled mapping; compiles it at the first call.
    ///
    /// - Parameter registering: Whether models are registered in a session; always true for mappings of classes with an
    ///   identity or connections, and for those that use one.
    func compiled(registering: Bool) throws(MappingError) -> CompiledMapping {
        let made = known.withLock { registering ? $0.registering : $0.plain }
        if let made { return try made.get() }
        // Two threads can compile at the same time: that costs time, but is correct, and no lock is held meanwhile.
        let (result, new) = compile(registering: registering)
        known.withLock { plans in
            plans.plain = new.plain ?? plans.plain
            plans.registering = new.registering ?? plans.registering
        }
        return try result.get()
    }

    /// Returns the requested plan, and the kinds of decodes that it supports.
    private func compile(registering: Bool) -> (Result<CompiledMapping, MappingError>, CompiledPlans) {
        let builder = PlanBuilder(isRegistering: registering)
        let result = Result { () throws(MappingError) in try compiled(by: builder) }
        if builder.registration.isNeeded {
            guard registering else { return compile(registering: true) }
            return (result, CompiledPlans(plain: result, registering: result))
        }
        if builder.registration.isUsable {
            return (result, registering ? CompiledPlans(registering: result) : CompiledPlans(plain: result))
        }
        // Only mappings returned by closures can use a session.
        let plain = result.map { $0.with(registering: false) }
        return (result, CompiledPlans(plain: plain, registering: result.map { $0.with(registering: true) }))
    }

    /// Returns the mapping compiled for rows; compiles it at the first call.
    func rowPlan() throws(MappingError) -> RowPlan {
        if let made = known.withLock({ $0.rows }) { return try made.get() }
        let new = Result { () throws(MappingError) in try RowPlan(Mapping(self)) }
        return try known.withLock { plans in
            let kept = plans.rows ?? new
            plans.rows = kept
            return kept
        }.get()
    }

    /// Compiles the mapping again, to a plan that reports its steps to a trace.
    func compiledForTracing() throws(MappingError) -> CompiledMapping {
        let builder = PlanBuilder(isTraced: true)
        let compiled = try compiled(by: builder)
        guard builder.registration.isNeeded else { return compiled }
        return try self.compiled(by: PlanBuilder(isTraced: true, isRegistering: true))
    }

    /// Compiles the mapping again.
    func compiled(by builder: PlanBuilder) throws(MappingError) -> CompiledMapping {
        let objects = objects(ObjectIdentifier(self), builder)
        return CompiledMapping(
            plan: try builder.plan(root: objects.node), objects: objects, warnings: builder.warnings,
            lateIdentities: builder.registration.lateIdentities, isRegistering: builder.registration.isUsed)
    }

    /// Returns the box that reads objects.
    ///
    /// - Parameter identity: Identifies the mapping in all relationships of a plan, so that cycles end.
    func objects(_ identity: ObjectIdentifier, _ builder: PlanBuilder) -> ObjectBox {
        let objects = builder.registered(self, identity) { builder.keep(makeBox(identity, traits, builder)).object }
        // An object of a session is validated after everything was read into it.
        let checked = received(checked(builder.keep(objects).object, builder), builder)
        return builder.keep(builder.traced(checked, Model.self)).object
    }

    /// Wraps the validations of the mapping around a box.
    private func checked(_ box: ObjectBox, _ builder: PlanBuilder) -> ObjectBox {
        guard traits.hasChecks, builder.rows == nil else { return box }
        return traits.checks.reduce(box) { box, check in
            builder.keep(
                box.rewrapped(Model.self, builder) { ValidatedObjectBox(builder.keep($0).object, check) }
            ).object
        }
    }

    /// Wraps the notification of models that request it around a box.
    private func received(_ box: ObjectBox, _ builder: PlanBuilder) -> ObjectBox {
        guard builder.rows == nil, let model = Model.self as? any PayloadReceiving.Type else { return box }
        func wrapped<Receiver: PayloadReceiving>(_: Receiver.Type) -> ObjectBox {
            box.rewrapped(Model.self, builder) { ReceivedObjectBox<Receiver>(builder.keep($0).object) }
        }
        return builder.keep(wrapped(model)).object
    }

    /// Returns the compiled plan for writing; compiles it at the first call.
    func output() throws(MappingError) -> OutputPlan {
        if let made = known.withLock({ $0.output }) { return try made.get() }
        let builder = OutputBuilder()
        builder.writesIdentities = traits.writesIdentities
        let root = output(ObjectIdentifier(self), builder)
        let result = Result { () throws(MappingError) in try builder.plan(root: root) }
        known.withLock { $0.output = result }
        return try result.get()
    }

    /// Returns the box that writes models, as a part of a plan.
    ///
    /// - Parameter identity: Identifies the mapping in all relationships of a plan, so that cycles end.
    func output(_ identity: ObjectIdentifier, _ builder: OutputBuilder) -> OutputBox {
        if let makeOutput {
            return builder.omitting(traits.omitted, of: identity) { makeOutput(identity, traits, builder) }
        }
        builder.note(
            "a closure that returns the values of \(Model.self), or rules that are read-only",
            "a mapping that only creates its models")
        return OutputBox()
    }
}

/// The compilation results of one mapping.
///
/// Not nested, because types nested in generic types are created at run time.
private struct CompiledPlans {
    /// Does not register models, unless the mapping requires it.
    var plain: Result<CompiledMapping, MappingError>?
    var registering: Result<CompiledMapping, MappingError>?
    var rows: Result<RowPlan, MappingError>?
    var output: Result<OutputPlan, MappingError>?
    /// The storages of copies that do not write some members.
    var omitting: [[JSONKeyPath]: any Sendable] = [:]
}

/// A compiled mapping: the plan, and the box that reads objects with it.
struct CompiledMapping: @unchecked Sendable {  // immutable
    let plan: Plan
    let objects: ObjectBox
    /// Errors in the mapping that do not prevent decoding.
    let warnings: [MappingIssue]
    /// Errors for data sources that require identities.
    let lateIdentities: [MappingIssue]
    /// Whether the plan uses a data source.
    private(set) var isRegistering: Bool

    /// Throws unless each object can be identified before it is created.
    func checkIdentities() throws(MappingError) {
        if !lateIdentities.isEmpty { throw MappingError(lateIdentities) }
    }

    /// Returns the same plan for decodes with or without a data source.
    func with(registering: Bool) -> CompiledMapping {
        var copy = self
        copy.isRegistering = registering
        return copy
    }
}
