/// A relationship to any number of objects.
///
/// ```swift
/// final class User: ManagedObject {
///     @ToMany(inverse: \ProjectTask.assignedUser) var tasks: [ProjectTask]
/// }
/// ```
///
/// The objects are read from the store when the property is read. The inverse follows every change. A relationship is a
/// set: an object that is added twice appears once. Its order is that of the rows, or, where `isOrdered`, that of the
/// property.
@propertyWrapper public struct ToMany<Target: ManagedObject> {
    /// The objects; nil until they are read.
    @usableFromInline var objects: [Target]?

    /// Declares a relationship whose inverse is to-one.
    ///
    /// - Parameters:
    ///   - inverse: The relationship that leads back; named on one side only.
    ///   - isOrdered: Whether the order of the property is stored. Defaults to `false`.
    ///   - deleteRule: What happens to the other objects when this one is deleted. Defaults to `.nullify`.
    public init<Source: ManagedObject>(
        inverse: @autoclosure @escaping @Sendable () -> KeyPath<Target, Source?>, isOrdered: Bool = false,
        deleteRule: DeleteRule = .nullify
    ) {
        if ClassProbe.isActive {
            ClassProbe.note(
                toMany: Target.self, inverse: { inverse() }, isOrdered: isOrdered, sortedBy: nil, deleteRule)
        }
    }

    /// Declares a relationship whose inverse is to-one, sorted by an attribute when it is read.
    ///
    /// - Parameters:
    ///   - inverse: The relationship that leads back; named on one side only.
    ///   - sortedBy: The attribute of the other objects that decides their order, the smallest first.
    ///   - deleteRule: What happens to the other objects when this one is deleted. Defaults to `.nullify`.
    public init<Source: ManagedObject, Value>(
        inverse: @autoclosure @escaping @Sendable () -> KeyPath<Target, Source?>,
        sortedBy: @autoclosure @escaping @Sendable () -> KeyPath<Target, Value>, deleteRule: DeleteRule = .nullify
    ) {
        if ClassProbe.isActive {
            ClassProbe.note(
                toMany: Target.self, inverse: { inverse() }, isOrdered: false, sortedBy: { sortedBy() }, deleteRule)
        }
    }

    /// Declares a relationship whose inverse is to-many.
    ///
    /// - Parameters:
    ///   - inverse: The relationship that leads back; named on one side only.
    ///   - isOrdered: Whether the order of the property is stored. Defaults to `false`.
    ///   - deleteRule: What happens to the other objects when this one is deleted. Defaults to `.nullify`.
    public init<Source: ManagedObject>(
        inverse: @autoclosure @escaping @Sendable () -> KeyPath<Target, [Source]>, isOrdered: Bool = false,
        deleteRule: DeleteRule = .nullify
    ) {
        if ClassProbe.isActive {
            ClassProbe.note(
                toMany: Target.self, inverse: { inverse() }, isOrdered: isOrdered, sortedBy: nil, deleteRule)
        }
    }

    /// Declares a relationship whose inverse, if it has one, is named by the other side.
    ///
    /// - Parameters:
    ///   - isOrdered: Whether the order of the property is stored. Defaults to `false`.
    ///   - deleteRule: What happens to the other objects when this one is deleted. Defaults to `.nullify`.
    public init(isOrdered: Bool = false, deleteRule: DeleteRule = .nullify) {
        if ClassProbe.isActive {
            ClassProbe.note(toMany: Target.self, inverse: nil, isOrdered: isOrdered, sortedBy: nil, deleteRule)
        }
    }

    /// Not available: only classes that inherit from `ManagedObject` have relationships.
    @available(*, unavailable, message: "@ToMany is for properties of classes that inherit from ManagedObject")
    public var wrappedValue: [Target] {
        get { [] }
        set { _ = newValue }
    }

    // Inlinable: a key path that the compiler does not see takes longer than the rest of an access.
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
            // The array is moved out, so that it is changed in place.
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
    /// Of a long list only the ends are looked at, so that appending to it stays cheap.
    @inlinable static func hasNew(_ targets: [Target]) -> Bool {
        guard let first = targets.first, let last = targets.last else { return false }
        return targets.count <= 64 ? targets.contains { $0.isDetached } : first.isDetached || last.isDetached
    }
}

extension ToMany: ManagedWrapper {}
