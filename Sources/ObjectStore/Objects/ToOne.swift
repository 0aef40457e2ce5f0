/// A relationship to at most one object.
///
/// ```swift
/// final class ProjectTask: ManagedObject {
///     @ToOne var project: Project?
///     @ToOne(deleteRule: .cascade) var reminder: Reminder?
/// }
/// ```
///
/// The object is read from the store when the property is accessed. Every assignment is applied to the inverse. Only
/// the row number is stored: the target lives as long as the program references it.
@propertyWrapper public struct ToOne<Target: ManagedObject> {
    @usableFromInline var row: Int64 = 0

    /// Declares a to-one relationship; its inverse is the property of `Target` that names it.
    ///
    /// - Parameters:
    ///   - isRequired: Whether an object with `nil` cannot be saved. Defaults to `false`.
    ///   - deleteRule: The effect on the other object when this one is deleted. Defaults to `.nullify`.
    ///   - formerName: The name of the relationship in earlier versions of the class. Defaults to `nil`.
    public init(isRequired: Bool = false, deleteRule: DeleteRule = .nullify, was formerName: String? = nil) {
        if ClassProbe.isActive {
            ClassProbe.note(toOne: Target.self, inverse: nil, isRequired: isRequired, deleteRule, was: formerName)
        }
    }

    /// Declares a to-one relationship that is the inverse of another to-one relationship.
    ///
    /// - Parameters:
    ///   - inverse: The inverse relationship; named on one side only.
    ///   - isRequired: Whether an object with `nil` cannot be saved. Defaults to `false`.
    ///   - deleteRule: The effect on the other object when this one is deleted. Defaults to `.nullify`.
    ///   - formerName: The name of the relationship in earlier versions of the class. Defaults to `nil`.
    public init<Source: ManagedObject>(
        inverse: @autoclosure @escaping @Sendable () -> KeyPath<Target, Source?>, isRequired: Bool = false,
        deleteRule: DeleteRule = .nullify, was formerName: String? = nil
    ) {
        if ClassProbe.isActive {
            ClassProbe.note(
                toOne: Target.self, inverse: { inverse() }, isRequired: isRequired, deleteRule, was: formerName)
        }
    }

    /// Rejects other classes: only classes that inherit from `ManagedObject` have relationships.
    @available(
        *, unavailable,
        message:
            "@ToOne requires a class that inherits from ManagedObject; if it does, fix the other errors of the declaration first"
    )
    public var wrappedValue: Target? {
        get { nil }
        set { _ = newValue }
    }

    // Inlinable: a key path that the compiler cannot see takes longer than the rest of an access.
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
            // First: an observer may save or roll back.
            if object.access != .direct { object.willNotify(at: offset) }
            object.setTarget(newValue, at: offset)
            object.didChange(at: offset)
        }
    }
}

extension ToOne: ManagedWrapper {}
