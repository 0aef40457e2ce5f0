/// What a mapping says of all its rules, and of its models.
struct MappingTraits<Model>: Sendable {
    /// The keys of rules without a source.
    var keys = KeyNaming.asIs
    /// What absence does where a rule does not say so itself.
    var whenAbsent = AbsencePolicy.keep
    /// Relationships wired by key.
    var connections: [ConnectionRule] = []
    /// What the mapping says of its models; nil for most mappings, which need no generic types at run time then.
    private var models: ModelTraits<Model>?
    // Whether `models` says something, for code that is not specialized for the type.
    private var isIdentified = false
    private(set) var hasChecks = false

    init(keys: KeyNaming = .asIs, connections: [ConnectionRule] = []) {
        self.keys = keys
        self.connections = connections
    }

    /// Whether a session has anything to do with the models.
    var isRegistered: Bool { isIdentified || !connections.isEmpty }

    /// What every model must pass, in the order written.
    var checks: [@Sendable (Model) throws -> Void] {
        get { models?.checks ?? [] }
        set {
            models = ModelTraits(newValue, identity, stamp)
            hasChecks = !newValue.isEmpty
        }
    }

    /// The properties that tell one model from another, in the order given.
    var identity: [KeyProperty<Model>] {
        get { models?.identity ?? [] }
        set {
            models = ModelTraits(checks, newValue, stamp)
            isIdentified = !newValue.isEmpty || stamp != nil
        }
    }

    /// What tells how recent a model is.
    var stamp: ModificationStamp<Model>? {
        get { models?.stamp }
        set {
            models = ModelTraits(checks, identity, newValue)
            isIdentified = newValue != nil || !identity.isEmpty
        }
    }
}

private final class ModelTraits<Model>: Sendable {
    let checks: [@Sendable (Model) throws -> Void]
    let identity: [KeyProperty<Model>]
    let stamp: ModificationStamp<Model>?

    init(
        _ checks: [@Sendable (Model) throws -> Void], _ identity: [KeyProperty<Model>],
        _ stamp: ModificationStamp<Model>?
    ) {
        self.checks = checks
        self.identity = identity
        self.stamp = stamp
    }
}
