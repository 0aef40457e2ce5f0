/// Where one argument of an initialiser comes from, for types whose properties are constants.
///
/// ```swift
/// struct Person: Mappable {
///     let id: Int
///     let name: String
///     let nickname: String?
///     let friends: [Person]
///     static let mapping = Mapping(
///         Person.self, Person.init(id:name:nickname:friends:),
///         Parameter("id", \.id), Parameter("name", \.name).default("nobody"), Parameter("nickname", \.nickname),
///         Parameter("friends", \.friends))
/// }
/// ```
///
/// A missing `Parameter`, one too many or one of another type does not compile. An absent key or null is nil for an
/// optional; for any other argument it is an issue, and the model is not made. Values of `Mappable` types are read by
/// their mappings, all others are converted as an `Attribute` converts them.
@dynamicMemberLookup public struct Parameter<Model, Value>: Sendable {
    let source: MappingSource
    var options = RuleOptions()
    /// What the argument is written from.
    let property: Property?
    let plan: ValuePlan<Value>
    /// What the argument is if the payload has no value for it.
    var absent: (@Sendable () -> Value)?

    /// An argument that is one value of the payload, an object or a list of them.
    ///
    /// - Parameters:
    ///   - source: Where the value stands.
    ///   - property: What the argument is written from; nil where the model is never written.
    public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>? = nil
    ) where Value: ParameterValue { self.init(source, property, ValuePlan(Value.parameterPlan)) }

    init(
        _ source: MappingSource, _ property: @escaping @Sendable () -> KeyPath<Model, Value>?,
        _ plan: ValuePlan<Value>
    ) {
        self.source = source
        self.property = Property(of: Model.self, readingIfAny: property)
        self.plan = plan
        absent = plan.typed.makeNil
    }
}

extension Parameter {
    /// The rule that reads the argument into its slot.
    ///
    /// - Parameter number: Which argument it is, from 1.
    func rule(at offset: Int, number: Int) -> RuleStorage {
        var options = options
        options.isRequired = absent == nil
        let target = ArgumentTarget(offset: offset, number: number, property: property) { "\(Model.self)" }
        return RuleStorage(source, .argument(target), plan.typed, options)
    }
}

/// The slot of an argument of an initializer.
struct ArgumentTarget: Sendable {
    /// Bytes from the start of the block of all arguments.
    let offset: Int
    let number: Int
    let property: Property?
    let modelName: @Sendable () -> String

    var name: String { property?.name ?? "argument \(number) of \(modelName())" }
}

extension Parameter {
    /// The same, for an argument that has a value where the payload has none: the key is absent, or null stands there
    /// and the argument is no optional.
    ///
    /// - Parameter value: What the argument is then; asked for at each object, and not validated.
    public func `default`(_ value: @autoclosure @escaping @Sendable () -> Value) -> Parameter {
        var copy = self
        copy.absent = value
        return copy
    }

    /// The same for values that pass a test; any other is an issue of kind `invalidValue`.
    ///
    /// - Parameters:
    ///   - message: What is wrong with a value that fails, for the issue.
    ///   - isValid: The test.
    public func validate(_ message: String, _ isValid: @escaping @Sendable (Value) -> Bool) -> Parameter {
        validate { value in guard isValid(value) else { throw ValidationFailure(message) } }
    }

    /// The same with a check that may change the value, or throw: then it is an issue of kind `invalidValue`.
    ///
    /// - Parameter check: Gets the value to read or to change; it is not called for null. The message of the
    ///   `ValidationFailure` that it throws becomes part of the issue; of another error, the name of its type.
    public func validate(_ check: @escaping @Sendable (inout Value) throws -> Void) -> Parameter {
        var copy = self
        copy.options.wrappers.append { box, _ in ValidatedBox<Value>(box, check) }
        return copy
    }
}

extension Parameter {
    // Reduces the errors for a misspelt modifier to one.
    /// Rejects modifiers that do not exist.
    @available(
        *, unavailable,
        message:
            "no such modifier: parameters have `default` and `validate`; without a default they are required unless they are optional"
    )
    public subscript(dynamicMember modifier: String) -> Parameter { self }

    /// Rejects modifiers that do not exist, with an argument.
    @available(
        *, unavailable,
        message:
            "no such modifier: parameters have `default` and `validate`; without a default they are required unless they are optional"
    )
    public subscript(dynamicMember modifier: String) -> (Any) -> Parameter { { _ in self } }
}
