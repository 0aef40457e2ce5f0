/// A relationship to any number of objects.
///
/// ```swift
/// final class User: ManagedObject {
///     @ToMany(inverse: \ProjectTask.assignedUser) var tasks: [ProjectTask]
/// }
/// ```
///
/// The objects are read from the store when the property is accessed. Every change is applied to the inverse. A
/// relationship is a set: an object that is added twice is contained once. It is in the order of the rows, or, with
/// `isOrdered`, in that of the property.
@propertyWrapper public struct ToMany<Target: ManagedObject> {
    /// The objects; `nil` until they are read.
    @usableFromInline var objects: [Target]?

    /// Declares a relationship whose inverse is to-one.
    ///
    /// - Parameters:
    ///   - inverse: The inverse relationship; named on one side only.
    ///   - isOrdered: Whether the order of the property is stored. Defaults to `false`.
    ///   - deleteRule: The effect on the other objects when this one is deleted. Defaults to `.nullify`.
    ///   - formerName: The name of the relationship in earlier versions of the class. Defaults to `nil`.
    public init<Source: ManagedObject>(
        inverse: @autoclosure @escaping @Sendable () -> KeyPath<Target, Source?>, isOrdered: Bool = false,
        deleteRule: DeleteRule = .nullify, was formerName: String? = nil
    ) {
        if ClassProbe.isActive {
            ClassProbe.note(
                toMany: Target.self, inverse: { inverse() }, isOrdered: isOrdered, sortedBy: nil, deleteRule,
                was: formerName)
        }
    }

    /// Declares a relationship whose inverse is to-one, sorted by an attribute when it is read.
    ///
    /// - Parameters:
    ///   - inverse: The inverse relationship; named on one side only.
    ///   - sortedBy: The attribute of the other objects by which they are sorted in ascending order.
    ///   - deleteRule: The effect on the other objects when this one is deleted. Defaults to `.nullify`.
    ///   - formerName: The name of the relationship in earlier versions of the class. Defaults to `nil`.
    public init<Source: ManagedObject, Value>(
        inverse: @autoclosure @escaping @Sendable () -> KeyPath<Target, Source?>,
        sortedBy: @autoclosure @escaping @Sendable () -> KeyPath<Target, Value>, deleteRule: DeleteRule = .nullify,
        was formerName: String? = nil
    ) {
        if ClassProbe.isActive {
            ClassProbe.note(
                toMany: Target.self, inverse: { inverse() }, isOrdered: false, sortedBy: { sortedBy() }, deleteRule,
                was: formerName)
        }
    }

    /// Declares a relationship whose inverse is to-many.
    ///
    /// The inverse is another property, for a symmetric relationship as well. Only one side can be ordered: its class is
    /// listed before the other one in the ``ObjectModel``.
    ///
    /// - Parameters:
    ///   - inverse: The inverse relationship; named on one side only.
    ///   - isOrdered: Whether the order of the property is stored. Defaults to `false`.
    ///   - deleteRule: The effect on the other objects when this one is deleted. Defaults to `.nullify`.
    ///   - formerName: The name of the relationship in earlier versions of the class. Defaults to `nil`.
    public init<Source: ManagedObject>(
        inverse: @autoclosure @escaping @Sendable () -> KeyPath<Target, [Source]>, isOrdered: Bool = false,
        deleteRule: DeleteRule = .nullify, was formerName: String? = nil
    ) {
        if ClassProbe.isActive {
            ClassProbe.note(
                toMany: Target.self, inverse: { inverse() }, isOrdered: isOrdered, sortedBy: nil, deleteRule,
                was: formerName)
        }
    }

    /// Declares a relationship without an inverse, also if the other class has a relationship to this one.
    ///
    /// ```swift
    /// @ToMany(inverse: nil) var suggestions: [Book]
    /// ```
    ///
    /// - Parameters:
    ///   - inverse: `nil`.
    ///   - isOrdered: Whether the order of the property is stored. Defaults to `false`.
    ///   - deleteRule: The effect on the other objects when this one is deleted. Defaults to `.nullify`.
    ///   - formerName: The name of the relationship in earlier versions of the class. Defaults to `nil`.
    public init(
        inverse: Never?, isOrdered: Bool = false, deleteRule: DeleteRule = .nullify, was formerName: String? = nil
    ) {
        if ClassProbe.isActive {
            ClassProbe.note(
                toMany: Target.self, inverse: nil, isOneSided: true, isOrdered: isOrdered, sortedBy: nil, deleteRule,
                was: formerName)
        }
    }

    /// Declares a relationship without an inverse, or whose inverse is named by the other side.
    ///
    /// If the other class has a relationship to this one that is not the inverse of another relationship, the model is
    /// invalid: name it as the inverse, or write `inverse: nil`.
    ///
    /// - Parameters:
    ///   - isOrdered: Whether the order of the property is stored. Defaults to `false`.
    ///   - deleteRule: The effect on the other objects when this one is deleted. Defaults to `.nullify`.
    ///   - formerName: The name of the relationship in earlier versions of the class. Defaults to `nil`.
    public init(isOrdered: Bool = false, deleteRule: DeleteRule = .nullify, was formerName: String? = nil) {
        if ClassProbe.isActive {
            ClassProbe.note(
                toMany: Target.self, inverse: nil, isOrdered: isOrdered, sortedBy: nil, deleteRule,
                was: formerName)
        }
    }

    /// Rejects other classes: only classes that inherit from `ManagedObject` have relationships.
    @available(
        *, unavailable,
        message:
            "@ToMany requires a class that inherits from ManagedObject; if it does, fix the other errors of the declaration first"
    )
    public var wrappedValue: [Target] {
        get { [] }
        set { _ = newValue }
    }

    // Inlinable: a key path that the compiler cannot see takes longer than the rest of an access.
    /// The objects; reads them from the store if they are not in memory.
    @inlinable
    public static subscript<Object: ManagedObject>(
        _enclosingInstance object: Object, wrapped property: ReferenceWritableKeyPath<Object, [Target]>,
        storage storage: ReferenceWritableKeyPath<Object, Self>
    ) -> [Target] {
        get {
            let offset = offset(of: storage, in: object)
            if object.access != .direct { object.willRead(at: offset) }
            if object[keyPath: storage].objects == nil || object.hasPendingLists { object.loadTargets(at: offset) }
            return object[keyPath: storage].objects ?? []
        }
        set {
            let offset = offset(of: storage, in: object)
            object.willChangeTargets(at: offset)
            object[keyPath: storage].objects = newValue
            object.didChangeTargets(at: offset, haveNew: hasNew(newValue))
        }
        _modify {
            let offset = offset(of: storage, in: object)
            object.willChangeTargets(at: offset)
            // The array is moved out, so that it can be changed in place.
            var objects = object[keyPath: storage].objects.take() ?? []
            defer {
                object[keyPath: storage].objects = objects
                object.didChangeTargets(at: offset, haveNew: hasNew(objects))
            }
            yield &objects
        }
    }

    /// Whether there are targets without a context.
    ///
    /// Only the ends of a long list are checked, so that appending to it stays cheap.
    @inlinable static func hasNew(_ targets: [Target]) -> Bool {
        guard let first = targets.first, let last = targets.last else { return false }
        return targets.count <= 64 ? targets.contains { $0.isDetached } : first.isDetached || last.isDetached
    }
}

extension ToMany: ManagedWrapper {}
