import Synchronization

/// The location and the accessors of a property.
@usableFromInline final class Property: Sendable {
    /// The offset in the model, if the property is stored in a struct.
    let offset: Int?
    let keyPath: @Sendable () -> AnyKeyPath
    /// Moves a value from the second memory into the property of the model in the first.
    let assign: @Sendable (Memory, Memory) -> Void
    /// Copies the property of the model in the second memory to the model in the first.
    let reset: @Sendable (Memory, Memory) -> Void
    /// Copies the property of the model in the first memory into the second, which is empty.
    let load: @Sendable (Memory, Memory) -> Void
    /// Whether the key path is known not to trap.
    private let isSafe: Atomic<Bool>

    // The key path is wrapped in a closure, because only a literal in the closure that uses it becomes a direct access:
    // setting an object's property through a captured key path takes several times longer.
    @inlinable @inline(__always) convenience init<Model, Value>(
        _ property: @escaping @Sendable () -> WritableKeyPath<Model, Value>
    ) {
        self.init(
            offset: MemoryLayout<Model>.offset(of: property()), keyPath: { property() },
            assign: { model, value in
                model[as: Model.self][keyPath: property()] =
                    value.move(as: Value.self)
            },
            reset: { model, fresh in
                model[as: Model.self][keyPath: property()] =
                    fresh[as: Model.self][keyPath: property()]
            },
            load: { model, value in
                value.initialize(as: Value.self, to: model[as: Model.self][keyPath: property()])
            })
    }

    @usableFromInline init(
        offset: Int?, keyPath: @escaping @Sendable () -> AnyKeyPath,
        assign: @escaping @Sendable (Memory, Memory) -> Void, reset: @escaping @Sendable (Memory, Memory) -> Void,
        load: @escaping @Sendable (Memory, Memory) -> Void
    ) {
        self.offset = offset
        self.keyPath = keyPath
        self.assign = assign
        self.reset = reset
        self.load = load
        isSafe = Atomic(offset != nil)
    }

    /// Returns a copy of the property of a model.
    func value<Value>(_: Value.Type, of model: Memory) -> Value {
        withValueMemory(MemoryLayout<Value>.size, MemoryLayout<Value>.alignment) { space in
            load(model, space)
            return space.move(as: Value.self)
        }
    }

    /// Copies the property of a model; the returned closure restores it.
    func keep<Value>(_: Value.Type, of model: Memory) -> (Memory) -> Void {
        let value = value(Value.self, of: model)
        return { model in
            withValueMemory(MemoryLayout<Value>.size, MemoryLayout<Value>.alignment) { space in
                space.initialize(as: Value.self, to: value)
                self.assign(model, space)
            }
        }
    }

    /// The names in the key path, if all properties are stored; `nil` if one of them is computed, observed or a
    /// subscript.
    var storedNames: [String]? { Property.storedNames(of: keyPath()) }

    /// Returns the names in a key path, if all properties are stored.
    static func storedNames(of keyPath: AnyKeyPath) -> [String]? {
        if let name = givenName(of: keyPath) { return [name] }
        let root = "\\\(type(of: keyPath).rootType)."
        let text = String(describing: keyPath)
        guard text.hasPrefix(root), !text.contains("<") || root.contains("<") && !text.contains(".<") else {
            return nil
        }
        return text.dropFirst(root.count).split(separator: ".").map { $0.filter { $0 != "?" && $0 != "!" } }
    }

    /// The error in a key path that can trap; `nil` for most key paths.
    ///
    /// Describing a key path takes time: stored properties of structs cannot trap, and others are examined once.
    var trap: PlanMistake? {
        guard !isSafe.load(ordering: .relaxed) else { return nil }
        let trap = Property.trap(of: keyPath())
        if trap == nil { isSafe.store(true, ordering: .relaxed) }
        return trap
    }

    /// Returns the error in a key path that can trap.
    ///
    /// It is only visible in the description of a key path: `\\A.b!.c`, and a computed property by the address of its
    /// accessor, which for array elements belongs to the standard library.
    static func trap(of keyPath: AnyKeyPath) -> PlanMistake? {
        if givenName(of: keyPath) != nil { return nil }
        // Equal to `String(describing:)`, which takes longer: it searches the type's conformances first.
        let text = keyPath.debugDescription
        let found: String
        if text.utf8.contains(UInt8(ascii: "!")) {
            found = "a forced unwrap, which traps for nil"
        } else if text.utf8.contains(UInt8(ascii: "<")), let arrayAccessor,
            text.contains("<computed \(arrayAccessor)")
        {
            found = "an array subscript, which traps if the index is out of range"
        } else {
            return nil
        }
        return PlanMistake(
            expected:
                "a key path that cannot fail; for an optional, use `Relationship(.value, \\.a, Mapping(…) { … })`",
            found: found)
    }

    /// The address of the accessor for array elements in descriptions of key paths.
    private static let arrayAccessor = (\[Int].[0] as AnyKeyPath).debugDescription.split(separator: " ")
        .first { $0.hasPrefix("0x") }

    /// `Account.id` for the key path `\Account.id`; computed and observed properties have no name, only their type.
    var name: String { Property.name(of: keyPath()) }

    /// Returns the name of a key path.
    static func name(of keyPath: AnyKeyPath) -> String {
        let root = type(of: keyPath).rootType
        if let name = givenName(of: keyPath) { return "\(root).\(name)" }
        let text = String(describing: keyPath)
        if let start = text.lastIndex(of: "\\"), !text.contains("<computed") {
            return String(text[start...].dropFirst())
        }
        return "\(Property.nameOfComputed) of \(root)"
    }

    /// Returns the name that the type of the model gives a property; `nil` for most types.
    private static func givenName(of keyPath: AnyKeyPath) -> String? {
        (type(of: keyPath).rootType as? any PropertyNaming.Type)?.name(of: keyPath)
    }

    static var nameOfComputed: String { "a computed or observed property" }

    /// Returns the entry that stores a value at the property's offset or assigns it.
    ///
    /// - Parameters:
    ///   - value: Reads the value.
    ///   - assignment: Assigns a value that is not stored at an offset.
    ///   - isAdded: Whether the value is assigned even if the property has an offset.
    func entry(
        _ value: PlannedValue, _ assignment: @autoclosure () -> Assignment, isAdded: Bool = false,
        _ builder: PlanBuilder
    ) -> Entry {
        var entry = Entry(operation: value.operation, acceptsNull: value.acceptsNull)
        if let offset, !isAdded {
            entry.offset = offset
            entry.box = value.box.map { builder.keep($0) }
        } else {
            entry.operation = .assign
            if let box = value.box { _ = builder.keep(box) }
            entry.box = builder.keep(AssignBox(value, assignment()) as ValueBox)
        }
        return entry
    }
}

extension Property {
    /// Creates a property that is only read; `nil` without a key path.
    convenience init?<Model, Value>(
        of: Model.Type, readingIfAny property: @escaping @Sendable () -> KeyPath<Model, Value>?
    ) {
        guard let keyPath = property() else { return nil }
        self.init(
            offset: MemoryLayout<Model>.offset(of: keyPath), keyPath: { property() ?? \Model.self },
            assign: { _, _ in }, reset: { _, _ in },
            load: { model, value in
                guard let keyPath = property() else { return }
                value.initialize(as: Value.self, to: model[as: Model.self][keyPath: keyPath])
            })
    }
}
