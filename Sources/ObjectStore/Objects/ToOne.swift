/// What happens to the objects of a relationship when the object is deleted.
public enum DeleteRule: Sendable, Hashable {
    /// They stay, and no longer lead to the object.
    case nullify
    /// They are deleted, too.
    case cascade
    /// The object cannot be deleted while there are any: saving throws.
    case deny
}

/// A relationship to at most one object.
///
/// ```swift
/// final class ProjectTask: ManagedObject {
///     @ToOne var project: Project?
///     @ToOne(deleteRule: .cascade) var reminder: Reminder?
/// }
/// ```
///
/// The object is read from the store when the property is read. If it has an inverse, the other side follows every
/// assignment. Only the row number is kept: the object lives as long as the program holds it.
@propertyWrapper public struct ToOne<Target: ManagedObject> {
    @usableFromInline var row: Int64 = 0

    /// Declares a relationship to one object; its inverse is the property of `Target` that names it.
    ///
    /// - Parameters:
    ///   - isRequired: Whether an object cannot be saved while the property is nil. Defaults to `false`.
    ///   - deleteRule: What happens to the other object when this one is deleted. Defaults to `.nullify`.
    public init(isRequired: Bool = false, deleteRule: DeleteRule = .nullify) {
        if ClassProbe.isActive {
            ClassProbe.note(toOne: Target.self, inverse: nil, isRequired: isRequired, deleteRule)
        }
    }

    /// Declares a relationship to one object that is the inverse of another relationship to one.
    ///
    /// - Parameters:
    ///   - inverse: The relationship that leads back; named on one side only.
    ///   - isRequired: Whether an object cannot be saved while the property is nil. Defaults to `false`.
    ///   - deleteRule: What happens to the other object when this one is deleted. Defaults to `.nullify`.
    public init<Source: ManagedObject>(
        inverse: @autoclosure @escaping @Sendable () -> KeyPath<Target, Source?>, isRequired: Bool = false,
        deleteRule: DeleteRule = .nullify
    ) {
        if ClassProbe.isActive {
            ClassProbe.note(toOne: Target.self, inverse: { inverse() }, isRequired: isRequired, deleteRule)
        }
    }

    /// Not available: only classes that inherit from `ManagedObject` have relationships.
    @available(*, unavailable, message: "@ToOne is for properties of classes that inherit from ManagedObject")
    public var wrappedValue: Target? {
        get { nil }
        set { _ = newValue }
    }

    // Inlinable: a key path that the compiler does not see takes longer than the rest of an access.
    /// The object; reads it from the store if it is not in memory.
    @inlinable
    public static subscript<Object: ManagedObject>(
        _enclosingInstance object: Object, wrapped property: ReferenceWritableKeyPath<Object, Target?>,
        storage storage: ReferenceWritableKeyPath<Object, Self>
    ) -> Target? {
        get {
            let offset = offset(of: storage, in: object)
            if object.access != .direct { object.willRead(at: offset) }
            if ClassProbe.isActive, object.access.contains(.probe) { return ClassProbe.nested(Target.self) }
            object.reconcile()
            return object.target(as: Target.self, row: object[keyPath: storage].row, at: offset)
        }
        set {
            let offset = offset(of: storage, in: object)
            if object.access != .direct {
                object.willRead(at: offset)
                object.willNotify(at: offset)
            }
            object.setTarget(newValue, at: offset)
            object.didChange(at: offset)
        }
    }
}

extension ToOne: ManagedWrapper {}
