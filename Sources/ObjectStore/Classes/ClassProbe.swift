import Synchronization

/// Marks the property wrappers of managed classes among the stored properties of an object.
protocol ManagedWrapper {}

extension Stored: ManagedWrapper {}

/// Determines the declarations of a managed class from one of its objects.
///
/// The wrappers register their options while the object is created. For other objects, this costs one comparison.
@usableFromInline final class ClassProbe: @unchecked Sendable {  // used within one call of `withProbe`, by one thread
    /// The properties found in an object.
    struct Place {
        let name: String
        let offset: Int
        /// Two objects, because a default such as `UUID()` differs from object to object.
        let objects: (ManagedObject, ManagedObject)
    }

    typealias Declaration = (Place) -> Property

    enum Property {
        case attribute(ManagedAttribute)
        case relationship(ManagedRelationship)
    }

    private static let active = Atomic<Int>(0)
    @TaskLocal private static var current: ClassProbe?

    private var declarations: [Declaration] = []
    /// The objects on which key paths are evaluated, by class.
    private var objects: [ObjectIdentifier: ManagedObject] = [:]
    /// The properties that were read, in order.
    private(set) var reads: [Read] = []

    /// A property that was read while a key path was evaluated.
    struct Read {
        let type: ManagedObject.Type
        let offset: Int
    }

    /// Whether any thread examines a class.
    @usableFromInline static var isActive: Bool { active.load(ordering: .relaxed) > 0 }

    /// Calls a closure with a probe that registers wrappers.
    static func withProbe<Result>(_ body: (ClassProbe) throws -> Result) rethrows -> Result {
        let probe = ClassProbe()
        active.add(1, ordering: .relaxed)
        defer { active.subtract(1, ordering: .relaxed) }
        return try $current.withValue(probe) { try body(probe) }
    }

    // MARK: Declarations

    @usableFromInline static func note<Value: AttributeValue>(values: Value.Type, _ options: [StoredOption?]) {
        note(PlainCoding<Value>.self, options)
    }

    @usableFromInline static func note<Value: RawRepresentable>(
        rawValues: Value.Type, _ options: [StoredOption?]
    ) where Value.RawValue: AttributeValue {
        note(RawValueCoding<Value>.self, options)
    }

    @usableFromInline static func note<Value: RawRepresentable>(
        optionalRawValues: Value.Type, _ options: [StoredOption?]
    ) where Value.RawValue: AttributeValue {
        note(OptionalCoding<RawValueCoding<Value>>.self, options)
    }

    @usableFromInline static func note<Value: Codable>(codable: Value.Type, _ options: [StoredOption?]) {
        note(CodableCoding<Value>.self, options)
    }

    private static func note<Coding: AttributeCoding>(_ coding: Coding.Type, _ options: [StoredOption?]) {
        let options = options.compactMap { $0?.kind }
        current?.declarations.append { .attribute(CodedAttribute<Coding>($0, options)) }
    }

    static func note<Target: ManagedObject>(
        toOne target: Target.Type, inverse: (@Sendable () -> AnyKeyPath)?, isRequired: Bool, _ deleteRule: DeleteRule,
        was formerName: String?
    ) {
        let traits = ManagedRelationship.Traits(
            inverse: inverse, isRequired: isRequired, deleteRule: deleteRule, formerName: formerName)
        current?.declarations.append { .relationship(ManagedRelationship($0, to: target, traits)) }
    }

    static func note<Target: ManagedObject>(
        toMany target: Target.Type, inverse: (@Sendable () -> AnyKeyPath)?, isOneSided: Bool = false, isOrdered: Bool,
        sortedBy: (@Sendable () -> AnyKeyPath)?, _ deleteRule: DeleteRule, was formerName: String?
    ) {
        let traits = ManagedRelationship.Traits(
            inverse: inverse, isToMany: true, isOneSided: isOneSided, isOrdered: isOrdered, sortedBy: sortedBy,
            deleteRule: deleteRule, formerName: formerName)
        current?.declarations.append { .relationship(ManagedRelationship($0, to: target, traits)) }
    }

    /// Returns and removes the declarations so far.
    func takeDeclarations() -> [Declaration] {
        defer { declarations = [] }
        return declarations
    }

    // MARK: Key paths

    /// Returns the object on which key paths of a class are evaluated.
    func object(of type: ManagedObject.Type) -> ManagedObject {
        if let known = objects[ObjectIdentifier(type)] { return known }
        let object = type.init()
        object.access = .probe
        objects[ObjectIdentifier(type)] = object
        return object
    }

    /// Returns the target of a to-one relationship while a key path is evaluated.
    @usableFromInline static func nested<Object: ManagedObject>(_ type: Object.Type) -> Object? {
        current?.object(of: type) as? Object
    }

    /// Records that a key path includes a property.
    static func noteRead(of type: ManagedObject.Type, at offset: Int) {
        current?.reads.append(Read(type: type, offset: offset))
    }
}
