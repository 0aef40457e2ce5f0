extension Mapping {
    /// Compiles the mapping, which its first use would do otherwise, and looks for mistakes in it.
    ///
    /// - Throws: `MappingError` with every mistake in it and in those that it refers to, such as an unknown operator;
    ///   also with those that no decode minds, such as two rules for one property, a forced unwrapping (`\.author!.name`),
    ///   and keys that cannot be written as they are read.
    public func validate() throws(MappingError) {
        // What a session makes of the mapping is checked, too; most mappings have one plan for decodes with and without.
        let compiled = try storage.compiled(registering: true)
        let mistakes = compiled.doubts + compiled.plan.destinationMistakes + outputDoubts
        guard mistakes.isEmpty else { throw MappingError(mistakes) }
        _ = try storage.compiled(registering: false)
    }

    /// Mistakes with which models are written all the same; none for a mapping that only reads.
    private var outputDoubts: [MappingIssue] { (try? storage.output())?.doubts ?? [] }
}

/// What a mapping is used for.
public enum MappingUse: Sendable {
    /// Objects become models.
    case models
    /// Objects become rows of a database, without models.
    case rows
}

extension Mapping {
    /// Compiles the mapping for a use, and checks it.
    ///
    /// - Throws: `MappingError` with every mistake. For `.rows` these include each rule that rows cannot follow: a property
    ///   or an argument without a name, `validated` for a model that is not an object, and a case whose closure returns
    ///   the mapping. Rules that need an object, as the closure of a connection, are evaluated on one that is reused.
    public func validate(for use: MappingUse) throws(MappingError) {
        try validate()
        if case .rows = use { _ = try RowPlan(self) }
    }
}

extension Mapping {
    /// Checks the mapping, writes a model, reads it again, and compares each property that rules read and write.
    ///
    /// Finds parameters of one type that are in another order than the arguments of the initializer, and conversions
    /// that do not read what they write:
    ///
    /// ```swift
    /// try Person.mapping.validate(roundTripping: Person(id: 1, name: "Ada", nickname: "Countess"))
    /// ```
    ///
    /// - Parameter sample: A model whose properties have different values.
    /// - Throws: `MappingError` with one issue for each property that differs, with every mistake that `validate()` finds,
    ///   or with what prevents the sample from being written or read.
    public func validate(roundTripping sample: Model) throws(MappingError) {
        try validate()
        let written = try json(of: sample)
        let copy = try map(written)
        let again = try json(of: copy)
        var issues = withMemory(of: sample) { sample in
            withMemory(of: copy) { copy in
                (storage.rules?.rules ?? []).compactMap { rule -> MappingIssue? in
                    guard rule.options.direction == .both, rule.source.isWritten, let property = rule.property,
                        let source = rule.source(storage.traits.keys), source.kind != .key(name: nil)
                    else { return nil }
                    let keyPath: JSONKeyPath? = if case .path(let path) = source.kind { path } else { nil }
                    let isSame =
                        rule.plan.areEqual(property, of: sample, copy)
                        ?? keyPath.map { written[at: $0] == again[at: $0] } ?? true
                    let hint =
                        if case .argument = rule.target { "; are two parameters in the wrong order?" } else { "" }
                    return isSame ? nil : .changed("\(source) -> \(rule.destination)", property.name, hint)
                }
            }
        }
        if issues.isEmpty, written != again { issues = [.changed(nil, "\(Model.self)")] }
        if !issues.isEmpty { throw MappingError(issues) }
    }
}

extension MappingIssue {
    fileprivate static func changed(_ rule: String?, _ name: String, _ hint: String = "") -> MappingIssue {
        mapping("the value of \(name) that was written", "another value after reading it\(hint)", rule: rule)
    }
}

extension Plan {
    /// Mistakes in what rules set.
    ///
    /// Found by `validate()` only, because describing key paths takes time.
    var destinationMistakes: [MappingIssue] { repeatedDestinations + trappingDestinations }

    /// The rules whose key paths trap where a model does not hold what they lead through.
    private var trappingDestinations: [MappingIssue] {
        rules.compactMap { rule in
            guard case .rule(let storage) = rule.target, let property = storage.property else { return nil }
            return property.trap.map {
                .mapping(
                    "a property of the model (behind an optional: `Relationship(.value, \\.a, Mapping(…) { … })`)",
                    $0, rule: rule.description)
            }
        }
    }

    /// The rules that set a property which another rule of the same mapping sets already, or sets together with what
    /// holds it; of both the one whose value comes later in a payload would win.
    private var repeatedDestinations: [MappingIssue] {
        outlines.flatMap { outline in
            var first: [String: Rule] = [:]
            // By the properties that hold what a rule sets.
            var inner: [String: Rule] = [:]
            return outline.compactMap { number -> MappingIssue? in
                let rule = rules[Int(number)]
                let destination = rule.destination
                // Computed properties cannot be told apart.
                guard !destination.hasPrefix(Property.nameOfComputed) else { return nil }
                if let known = first[destination] {
                    return .mapping(
                        "one rule for \(destination) (.first reads one of several sources)", "another one, \(known)",
                        rule: rule.description)
                }
                first[destination] = rule
                let names = destination.split(separator: ".")
                let holders = (2..<max(2, names.count)).map { names[..<$0].joined(separator: ".") }
                for holder in holders { inner[holder] = inner[holder] ?? rule }
                guard let known = inner[destination] ?? holders.lazy.compactMap({ first[$0] }).first else { return nil }
                return .mapping(
                    "a rule for a property or rules for what it holds, of which the later value would win",
                    "both, \(known)", rule: rule.description)
            }
        }
    }
}

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
