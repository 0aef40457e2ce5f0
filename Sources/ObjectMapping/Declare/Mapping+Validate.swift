extension Mapping {
    /// Compiles the mapping in advance, instead of at its first use, and validates it.
    ///
    /// - Throws: `MappingError` with all errors in the mapping and in those that it refers to, such as an unknown
    ///   operator or a key path that can trap (`\.author!.name`). It also reports errors that do not affect decoding,
    ///   such as two rules for one property, and keys that cannot be written as they are read.
    public func validate() throws(MappingError) {
        // The plan for sessions is checked, too; most mappings use the same plan with and without a session.
        let compiled = try storage.compiled(registering: true)
        let ofOutput = try outputWarnings()
        let mistakes = compiled.warnings + compiled.plan.repeatedDestinations + ofOutput
        guard mistakes.isEmpty else { throw MappingError(mistakes) }
        _ = try storage.compiled(registering: false)
    }

    /// Errors that do not prevent writing models; empty for a mapping that only reads.
    private func outputWarnings() throws(MappingError) -> [MappingIssue] {
        do throws(MappingError) { return try storage.output().warnings } catch {
            // Only a mapping that writes omits members.
            if storage.traits.omitted.isEmpty { return [] }
            throw error
        }
    }
}

/// The use of a mapping.
public enum MappingUse: Sendable {
    /// Objects are mapped to models.
    case models
    /// Objects are mapped to rows of a database, without models.
    case rows
}

extension Mapping {
    /// Compiles the mapping for a use, and validates it.
    ///
    /// - Throws: `MappingError` with all errors. For `.rows` these include each rule that rows do not support: a
    ///   property or an argument without a name, `validated` for a model that is not an object, and a case whose
    ///   closure returns the mapping. Rules that need an object, such as the closure of a connection, are evaluated
    ///   with a reused object.
    public func validate(for use: MappingUse) throws(MappingError) {
        try validate()
        if case .rows = use { _ = try rowPlan() }
    }
}

extension Mapping {
    /// Validates the mapping, writes a model, reads it again, and compares each property that rules read and write.
    ///
    /// It finds parameters of the same type in the wrong order, and conversions that do not read what they write:
    ///
    /// ```swift
    /// try Person.mapping.validate(roundTripping: Person(id: 1, name: "Ada", nickname: "Countess"))
    /// ```
    ///
    /// - Parameter sample: A model whose properties have different values.
    /// - Throws: `MappingError` with one issue for each property that differs, with all errors that `validate()` finds,
    ///   or with the issues of writing or reading the sample.
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
                    let keyPath = source.isAround ? nil : source.keyPath
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
    /// The rules for a property that another rule of the mapping already sets, directly or with an enclosing value; the
    /// later value in a payload would be used.
    ///
    /// They are found by `validate()` only, because describing key paths takes time.
    var repeatedDestinations: [MappingIssue] {
        outlines.flatMap { outline in
            var first: [String: Rule] = [:]
            // By the properties that contain the destination of a rule.
            var inner: [String: Rule] = [:]
            return outline.compactMap { number -> MappingIssue? in
                let rule = rules[Int(number)]
                let destination = rule.destination
                // Computed properties have no distinguishing name.
                guard !destination.hasPrefix(Property.nameOfComputed) else { return nil }
                if let known = first[destination] {
                    return .mapping(
                        "one rule for \(destination)",
                        "an earlier rule, \(known); use .first to read one of several sources",
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

/// Settings of a mapping for all its rules, and for its models.
struct MappingTraits<Model>: Sendable {
    /// The keys of rules without a source.
    var keys = KeyNaming.asIs
    /// The default policy for absent keys.
    var whenAbsent = AbsencePolicy.keep
    /// The connections.
    var connections: [ConnectionRule] = []
    /// The members that are not written.
    var omitted: [JSONKeyPath] = []
    /// Whether objects in relationships are written with their identity in any case.
    var writesIdentities = false
    /// The settings for models; `nil` for most mappings, which then avoid generic metadata at run time.
    private var models: ModelTraits<Model>?
    // Whether `models` has an identity, for code that is not specialized for the type.
    private var isIdentified = false
    private(set) var hasChecks = false

    init(keys: KeyNaming = .asIs, connections: [ConnectionRule] = []) {
        self.keys = keys
        self.connections = connections
    }

    /// Whether a session handles the models.
    var isRegistered: Bool { isIdentified || !connections.isEmpty }

    /// The validations of each model, in the order written.
    var checks: [@Sendable (Model) throws -> Void] {
        get { models?.checks ?? [] }
        set {
            models = ModelTraits(newValue, identity, stamp)
            hasChecks = !newValue.isEmpty
        }
    }

    /// The properties that identify a model, in order.
    var identity: [KeyProperty<Model>] {
        get { models?.identity ?? [] }
        set {
            models = ModelTraits(checks, newValue, stamp)
            isIdentified = !newValue.isEmpty || stamp != nil
        }
    }

    /// The modification stamp of a model.
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
