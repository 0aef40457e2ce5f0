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

    /// The objects; reads them from the store if they are not in memory.
    public static subscript<Object: ManagedObject>(
        _enclosingInstance object: Object, wrapped property: ReferenceWritableKeyPath<Object, [Target]>,
        storage storage: ReferenceWritableKeyPath<Object, Self>
    ) -> [Target] {
        get {
            let offset = offset(of: storage, in: object)
            if object.access != .direct { object.willRead(at: offset) }
            if object[keyPath: storage].objects == nil || object.core?.hasPendingLists == true {
                object.loadTargets(at: offset)
            }
            return object[keyPath: storage].objects ?? []
        }
        set {
            let offset = offset(of: storage, in: object)
            if object.access != .direct { object.willRead(at: offset) }
            object.willNotify(at: offset)
            object.willChangeTargets(at: offset)
            object[keyPath: storage].objects = newValue
            object.didChangeTargets(newValue)
            object.didChange(at: offset)
        }
        _modify {
            let offset = offset(of: storage, in: object)
            if object.access != .direct { object.willRead(at: offset) }
            object.willNotify(at: offset)
            object.willChangeTargets(at: offset)
            // The array is moved out, so that it is changed in place; by its offset, which costs less than the key path.
            let memory = ObjectMemory(object)
            var objects = memory[offset, as: Self.self].objects.take() ?? []
            defer {
                memory[offset, as: Self.self].objects = objects
                object.didChangeTargets(objects)
                object.didChange(at: offset)
            }
            yield &objects
        }
    }
}

extension ToMany: ManagedWrapper {}
