/// The source of an initializer's argument, for types whose properties are constants.
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
/// A missing or surplus `Parameter`, or one of another type, does not compile. An absent key or null is `nil` for an
/// optional; for any other argument it is an issue, and the model is not created. Values of `Mappable` types are read
/// by their mappings; other values are converted as in an `Attribute`.
@dynamicMemberLookup public struct Parameter<Model, Value>: Sendable {
    let source: MappingSource
    var options = RuleOptions()
    /// The property from which the argument is written.
    let property: Property?
    let plan: ValuePlan<Value>
    /// Returns the argument if the payload has no value for it.
    var absent: (@Sendable () -> Value)?

    /// Creates a parameter for a value, an object, or a list of objects.
    ///
    /// - Parameters:
    ///   - source: The key path of the value, or a source around the object.
    ///   - property: The property from which the argument is written; `nil` for a model that is only read.
    public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>? = nil
    ) where Value: ParameterValue { self.init(source, property, ValuePlan(Value.typePlan(each: .element))) }

    // The compiler's own error names `ParameterValue`.
    /// Rejects arguments whose types have no conversion.
    @available(
        *, unavailable,
        message:
            "no conversion from JSON to the type of the argument: for an enum with raw values or a `Codable` type, declare the conformance to `JSONConvertible`; for an object, the conformance to `Mappable`"
    )
    @_disfavoredOverload public init(
        _ source: MappingSource, _ property: @autoclosure @escaping @Sendable () -> KeyPath<Model, Value>? = nil
    ) { self.init(source, property, ValuePlan(TypedValuePlan())) }

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
    /// Returns the rule that reads the argument into its slot.
    ///
    /// - Parameter number: The number of the argument, starting with 1.
    func rule(at offset: Int, number: Int) -> RuleStorage {
        var options = options
        options.isRequired = absent == nil
        let target = ArgumentTarget(offset: offset, number: number, property: property) { "\(Model.self)" }
        return RuleStorage(source, .argument(target), plan.typed, options)
    }
}

/// The slot of an argument of an initializer.
struct ArgumentTarget: Sendable {
    /// The offset in the block of all arguments.
    let offset: Int
    let number: Int
    let property: Property?
    let modelName: @Sendable () -> String

    var name: String { property?.name ?? "argument \(number) of \(modelName())" }
}

extension Parameter {
    /// Returns the parameter with a default value for an absent key, or for null if the argument is not optional.
    ///
    /// - Parameter value: The default; evaluated for each object, and not validated.
    public func `default`(_ value: @autoclosure @escaping @Sendable () -> Value) -> Parameter {
        var copy = self
        copy.absent = value
        return copy
    }

    /// Returns the parameter with a validation; an invalid value is an issue of kind `invalidValue`.
    ///
    /// - Parameters:
    ///   - message: The requirement that an invalid value does not meet, for the issue.
    ///   - isValid: Returns whether a value is valid.
    public func validate(_ message: String, _ isValid: @escaping @Sendable (Value) -> Bool) -> Parameter {
        validate { value in guard isValid(value) else { throw ValidationFailure(message) } }
    }

    /// Returns the parameter with a validation; an invalid value is an issue of kind `invalidValue`, without the
    /// requirement.
    ///
    /// - Parameter isValid: Returns whether a value is valid.
    public func validate(_ isValid: @escaping @Sendable (Value) -> Bool) -> Parameter {
        validate(ValidationFailure.noMessage, isValid)
    }

    /// Returns the parameter with a validation that can change the value, or throw; an error is an issue of kind
    /// `invalidValue`.
    ///
    /// - Parameter check: Receives the value to read or change; not called for null. The message of a thrown
    ///   `ValidationFailure` becomes a part of the issue; for another error, the name of its type.
    public func validate(_ check: @escaping @Sendable (inout Value) throws -> Void) -> Parameter {
        var copy = self
        copy.options.wrappers.append { box, _ in ValidatedBox<Value>(box, check) }
        return copy
    }
}

extension Parameter {
    // Reduces the errors for a misspelled modifier to one.
    /// Rejects modifiers that do not exist.
    @available(
        *, unavailable,
        message:
            "no such modifier; use `default` or `validate`. Non-optional parameters without a default are required."
    )
    public subscript(dynamicMember modifier: String) -> Parameter { self }

    /// Rejects modifiers that do not exist, with an argument.
    @available(
        *, unavailable,
        message:
            "no such modifier; use `default` or `validate`. Non-optional parameters without a default are required."
    )
    public subscript(dynamicMember modifier: String) -> (Any) -> Parameter { { _ in self } }
}
