import Synchronization

/// How a mapping reads objects, and the plans made of it.
final class MappingStorage<Model>: Sendable {
    /// Whether models are made empty and then filled, so that one that is there can be filled as well.
    let isFilled: Bool
    /// The properties that tell one model from another, in the order given.
    let identity: [KeyProperty<Model>]
    let stamp: ModificationStamp<Model>?
    let connections: [ConnectionRule]
    private let makeBox: @Sendable (ObjectIdentifier, PlanBuilder) -> ObjectBox
    private let known = Mutex(Plans())

    private struct Plans {
        /// One that registers nothing, unless the mapping needs it.
        var plain: Result<CompiledMapping, MappingError>?
        var registering: Result<CompiledMapping, MappingError>?
    }

    init(
        isFilled: Bool, identity: [KeyProperty<Model>] = [], stamp: ModificationStamp<Model>? = nil,
        connections: [ConnectionRule] = [], _ makeBox: @escaping @Sendable (ObjectIdentifier, PlanBuilder) -> ObjectBox
    ) {
        self.isFilled = isFilled
        self.identity = identity
        self.stamp = stamp
        self.connections = connections
        self.makeBox = makeBox
    }

    func with(identity: [KeyProperty<Model>]) -> MappingStorage {
        MappingStorage(isFilled: isFilled, identity: identity, stamp: stamp, connections: connections, makeBox)
    }

    func with(stamp: ModificationStamp<Model>) -> MappingStorage {
        MappingStorage(isFilled: isFilled, identity: identity, stamp: stamp, connections: connections, makeBox)
    }

    /// Whether a session has anything to do with the models.
    var isRegistered: Bool { !identity.isEmpty || stamp != nil || !connections.isEmpty }

    /// The mapping compiled, at the first call.
    ///
    /// - Parameter registering: Whether models are to be known to a session; those of a mapping with connections, or that
    ///   leads to one, always are.
    func compiled(registering: Bool) throws(MappingError) -> CompiledMapping {
        let made = known.withLock { registering ? $0.registering : $0.plain }
        if let made { return try made.get() }
        // Two threads may both compile: that costs time, never correctness, and no lock is held meanwhile.
        let result = compile(registering: registering)
        known.withLock {
            if registering { $0.registering = result } else { $0.plain = result }
        }
        return try result.get()
    }

    private func compile(registering: Bool) -> Result<CompiledMapping, MappingError> {
        let builder = PlanBuilder(isRegistering: registering)
        let result = Result { () throws(MappingError) in try compiled(by: builder) }
        return builder.registration.isNeeded && !registering ? compile(registering: true) : result
    }

    /// The mapping compiled anew.
    func compiled(by builder: PlanBuilder) throws(MappingError) -> CompiledMapping {
        let objects = objects(ObjectIdentifier(self), builder)
        return CompiledMapping(
            plan: try builder.plan(root: objects.node), objects: objects, doubts: builder.doubts,
            isRegistering: builder.registration.isWanted)
    }

    /// How objects are read by this mapping.
    ///
    /// - Parameter identity: What all relationships of one plan that read by the mapping share, so that cycles end.
    func objects(_ identity: ObjectIdentifier, _ builder: PlanBuilder) -> ObjectBox {
        let box = builder.registered(self) { builder.traced(makeBox(identity, builder), Model.self) }
        _ = builder.keep(box)
        return box
    }
}

/// A mapping compiled: the plan, and how an object becomes a model by it.
struct CompiledMapping: @unchecked Sendable {  // guarded by never changing
    let plan: Plan
    let objects: ObjectBox
    /// Mistakes in the mapping with which decodes run all the same.
    let doubts: [MappingIssue]
    /// Whether the plan wants a session.
    let isRegistering: Bool
}
