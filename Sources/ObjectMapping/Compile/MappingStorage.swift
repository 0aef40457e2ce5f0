import Synchronization

/// How a mapping reads objects, and the plans made of it.
final class MappingStorage<Model>: Sendable {
    /// Whether models are made empty and then filled, so that one that is there can be filled as well.
    let isFilled: Bool
    let traits: MappingTraits<Model>
    /// The rules for properties of the model; nil if models are created from other values.
    let rules: MappingRules?
    private let makeBox: @Sendable (ObjectIdentifier, MappingTraits<Model>, PlanBuilder) -> ObjectBox
    private let makeOutput: Output?
    private let known = Mutex(CompiledPlans())

    /// How models are written.
    typealias Output = @Sendable (ObjectIdentifier, MappingTraits<Model>, OutputBuilder) -> OutputBox

    /// - Parameters:
    ///   - rules: The rules for properties of the model. Defaults to `nil`, for models created from other values.
    ///   - output: How models are written; nil if there is no way back.
    ///   - makeBox: How they are read.
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

    /// The same with other traits.
    func with(_ change: (inout MappingTraits<Model>) -> Void) -> MappingStorage {
        var traits = traits
        change(&traits)
        return MappingStorage(isFilled: isFilled, rules: rules, output: makeOutput, traits, makeBox)
    }

    /// Whether there is a way back.
    var isWritten: Bool { makeOutput != nil }

    /// Whether a session has anything to do with the models.
    var isRegistered: Bool { traits.isRegistered }

    /// The mapping compiled, at the first call.
    ///
    /// - Parameter registering: Whether models are to be known to a session; those of a mapping with connections, or that
    ///   leads to one, always are.
    func compiled(registering: Bool) throws(MappingError) -> CompiledMapping {
        let made = known.withLock { registering ? $0.registering : $0.plain }
        if let made { return try made.get() }
        // Two threads may both compile: that costs time, never correctness, and no lock is held meanwhile.
        let (result, new) = compile(registering: registering)
        known.withLock { plans in
            plans.plain = new.plain ?? plans.plain
            plans.registering = new.registering ?? plans.registering
        }
        return try result.get()
    }

    /// The plan that was requested, and the kinds of decodes that it serves.
    private func compile(registering: Bool) -> (Result<CompiledMapping, MappingError>, CompiledPlans) {
        let builder = PlanBuilder(isRegistering: registering)
        let result = Result { () throws(MappingError) in try compiled(by: builder) }
        if builder.registration.isNeeded {
            guard registering else { return compile(registering: true) }
            return (result, CompiledPlans(plain: result, registering: result))
        }
        if builder.registration.isOfUse {
            return (result, registering ? CompiledPlans(registering: result) : CompiledPlans(plain: result))
        }
        // Only what closures choose may have to do with a session.
        let plain = result.map { $0.with(registering: false) }
        return (result, CompiledPlans(plain: plain, registering: result.map { $0.with(registering: true) }))
    }

    /// The mapping compiled anew, to a plan that tells a trace what it does.
    func compiledForTracing() throws(MappingError) -> CompiledMapping {
        let builder = PlanBuilder(isTraced: true)
        let compiled = try compiled(by: builder)
        guard builder.registration.isNeeded else { return compiled }
        return try self.compiled(by: PlanBuilder(isTraced: true, isRegistering: true))
    }

    /// The mapping compiled anew.
    func compiled(by builder: PlanBuilder) throws(MappingError) -> CompiledMapping {
        let objects = objects(ObjectIdentifier(self), builder)
        return CompiledMapping(
            plan: try builder.plan(root: objects.node), objects: objects, doubts: builder.doubts,
            lateIdentities: builder.registration.lateIdentities, isRegistering: builder.registration.isWanted)
    }

    /// How objects are read by this mapping.
    ///
    /// - Parameter identity: What all relationships of one plan that read by the mapping share, so that cycles end.
    func objects(_ identity: ObjectIdentifier, _ builder: PlanBuilder) -> ObjectBox {
        let objects = builder.registered(self, identity) { kept(makeBox(identity, traits, builder), builder) }
        // An object that a session knows is checked as it is once everything was read into it.
        return kept(builder.traced(checked(kept(objects, builder), builder), Model.self), builder)
    }

    /// What the mapping asks of every model, laid around what makes it.
    private func checked(_ box: ObjectBox, _ builder: PlanBuilder) -> ObjectBox {
        guard traits.hasChecks, builder.rows == nil else { return box }
        return traits.checks.reduce(box) { box, check in
            kept(box.rewrapped(Model.self, builder) { ValidatedObjectBox(kept($0, builder), check) }, builder)
        }
    }

    private func kept(_ box: ObjectBox, _ builder: PlanBuilder) -> ObjectBox {
        _ = builder.keep(box)
        return box
    }

    /// How models are written, compiled at the first call.
    func output() throws(MappingError) -> OutputPlan {
        if let made = known.withLock({ $0.output }) { return try made.get() }
        let builder = OutputBuilder()
        let root = output(ObjectIdentifier(self), builder)
        let result = Result { () throws(MappingError) in try builder.plan(root: root) }
        known.withLock { $0.output = result }
        return try result.get()
    }

    /// How models are written, as a part of a plan.
    ///
    /// - Parameter identity: What all relationships of one plan that write by the mapping share, so that cycles end.
    func output(_ identity: ObjectIdentifier, _ builder: OutputBuilder) -> OutputBox {
        if let makeOutput { return makeOutput(identity, traits, builder) }
        builder.note(
            "a way back from \(Model.self) to what it is made of, or rules that are read-only",
            "a mapping that only makes its models")
        return OutputBox()
    }
}

/// What compiling one mapping gave so far.
///
/// Not nested, because types in generic types are made at run time.
private struct CompiledPlans {
    /// One that registers nothing, unless the mapping needs it.
    var plain: Result<CompiledMapping, MappingError>?
    var registering: Result<CompiledMapping, MappingError>?
    var output: Result<OutputPlan, MappingError>?
}

/// A mapping compiled: the plan, and how an object becomes a model by it.
struct CompiledMapping: @unchecked Sendable {  // guarded by never changing
    let plan: Plan
    let objects: ObjectBox
    /// Mistakes in the mapping with which decodes run all the same.
    let doubts: [MappingIssue]
    /// Mistakes for data sources that require identities.
    let lateIdentities: [MappingIssue]
    /// Whether the plan uses a data source.
    let isRegistering: Bool

    /// Makes sure that each object is identified before it is made.
    func checkIdentities() throws(MappingError) {
        if !lateIdentities.isEmpty { throw MappingError(lateIdentities) }
    }

    /// The same, for decodes with a data source or without.
    func with(registering: Bool) -> CompiledMapping {
        CompiledMapping(
            plan: plan, objects: objects, doubts: doubts, lateIdentities: lateIdentities, isRegistering: registering)
    }
}
