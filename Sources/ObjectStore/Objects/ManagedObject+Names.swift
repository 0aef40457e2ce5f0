/// Access to properties by their names, for objects of entities with and without classes.
extension ManagedObject {
    /// The value of an attribute or relationship, by its name; `nil` for null.
    ///
    /// ```swift
    /// person["name"] = "Roy"
    /// person["company"] = company
    /// let name = person["name"] as? String
    /// ```
    ///
    /// A value has the type of its attribute, such as `Int`, `Date` or `[String]`. A to-one relationship is a
    /// `ManagedObject`, a to-many relationship a `[ManagedObject]`. An unknown name is `nil`, and an assignment of an
    /// unknown name or of a value of another type has no effect; in both cases, the next save of the object throws.
    /// `value(for:)` and ``set(_:for:)`` throw immediately.
    public final subscript(name: String) -> Any? {
        get {
            do throws(StoreError) {
                guard let property = try property(name) else { return nil }
                return try get(property)
            } catch {
                noteProblem(error, of: name)
                return nil
            }
        }
        set {
            do throws(StoreError) {
                guard let property = try property(name) else { return }
                try assign(newValue, to: property)
                removeProblems(of: name)
            } catch {
                noteProblem(error, of: name)
            }
        }
    }

    /// The value of an attribute or relationship as a type, by its name; `nil` for null.
    ///
    /// ```swift
    /// let name: String? = person["name"]
    /// if person["age"] == 42 { … }
    /// ```
    ///
    /// An unknown name, and a value that is not of the type, is `nil`, and the next save of the object throws.
    @_disfavoredOverload public final subscript<Value>(name: String) -> Value? {
        get {
            do throws(StoreError) {
                return try typedValue(for: name)
            } catch {
                noteProblem(error, of: name)
                return nil
            }
        }
        set { self[name] = newValue.map { $0 as Any } }
    }

    /// Returns the value of an attribute or relationship, by its name; `nil` for null.
    ///
    /// - Parameter name: The name of the attribute or relationship.
    /// - Throws: `StoreError`, of kind `unknownProperty` with near names, or the error with which the object was read.
    public final func value(for name: String) throws(StoreError) -> Any? {
        guard let property = try property(name) else { return nil }
        let value = try get(property)
        if let error = state?.readError { throw error }
        return value
    }

    /// Returns the value of an attribute or relationship as a type, by its name; `nil` for null.
    ///
    /// ```swift
    /// let born: Date? = try person.value(for: "born")
    /// ```
    ///
    /// - Parameter name: The name of the attribute or relationship.
    /// - Throws: `StoreError`, of kind `unknownProperty` with near names, `invalidValue` if the value is of another type,
    ///   or the error with which the object was read.
    @_disfavoredOverload public final func value<Value>(for name: String) throws(StoreError) -> Value? {
        let value: Value? = try typedValue(for: name)
        if let error = state?.readError { throw error }
        return value
    }

    /// Sets an attribute or relationship, by its name.
    ///
    /// - Parameters:
    ///   - value: The value; `nil` for null. A to-many relationship is set to an array or set of objects.
    ///   - name: The name of the attribute or relationship.
    /// - Throws: `StoreError`, of kind `unknownProperty` with near names, `invalidValue` for a value of another type,
    ///   `missingObject` if the object, or an object of the value, was deleted, or `misuse` if it belongs to another
    ///   context. The object is unchanged.
    public final func set(_ value: Any?, for name: String) throws(StoreError) {
        guard let property = try property(name) else { return }
        guard state?.phase != .deleted else {
            throw StoreError(
                .missingObject, "cannot set '\(name)' of \(problemID): the object was deleted",
                advice: "insert it again first", entity: layoutName)
        }
        try assign(value, to: property)
        removeProblems(of: name)
    }

    // MARK: Names

    /// Returns the property with a name; `nil` while a key path is evaluated.
    private final func property(_ name: String) throws(StoreError) -> PropertyIndex? {
        guard let type = managedClass else { return nil }
        if type.name.isEmpty {
            if access.contains(.probe) { return nil }
            throw StoreError(
                .unknownEntity, "an object that was created with DynamicObject() has no entity",
                advice: "use insert(\"Entity\") of the context")
        }
        return try type.property(named: name)
    }

    private final var layoutName: String { managedClass?.name ?? "" }

    private final var problemID: ObjectID { core?.id(of: self) ?? .detached(layoutName) }

    /// Makes the next save throw an error.
    private final func noteProblem(_ error: StoreError, of name: String) {
        if let core { return core.noteProblem(error.description, of: name, on: self) }
        let state = state ?? ObjectState(.detached)
        self.state = state
        let problem = ObjectProblem(object: problemID, property: name, message: error.description)
        if !state.problems.contains(problem) { state.problems.append(problem) }
    }

    private final func removeProblems(of name: String) {
        if let state, !state.problems.isEmpty { state.removeProblems(of: name) }
    }

    // MARK: Values

    private final func get(_ property: PropertyIndex) throws(StoreError) -> Any? {
        guard let type = managedClass else { return nil }
        switch property {
        case .attribute(let index):
            let attribute = type.attributes[index]
            if access != .direct { willRead(at: attribute.offset) }
            return attribute.value(of: self)
        case .relationship(let index):
            let relationship = type.relationships[index]
            if access != .direct { willRead(at: relationship.offset) }
            if access.contains(.probe) { return nil }
            if relationship.isToMany {
                if !relationship.hasObjects(self) || hasPendingLists { loadTargets(at: relationship.offset) }
                return relationship.objects(of: self) ?? []
            }
            reconcile()
            return target(as: ManagedObject.self, row: relationship.row(of: self), at: relationship.offset)
        }
    }

    private final func typedValue<Value>(for name: String) throws(StoreError) -> Value? {
        guard let property = try property(name), let value = try get(property) else { return nil }
        if let value = value as? Value { return value }
        guard case .attribute(let index) = property, let attribute = managedClass?.attributes[index] else {
            throw mismatch(name, "\(Value.self)", found: AnyValue(value).typeName)
        }
        // Another type of the same values, such as Int64 or an enumeration with raw values.
        if let type = Value.self as? any AttributeValue.Type, let stored = attribute.storedValue(of: self),
            type.attributeType == attribute.type, let value = type.init(storedValue: stored) as? Value
        {
            return value
        }
        throw mismatch(name, "\(Value.self)", found: AnyValue(value).typeName)
    }

    private final func assign(_ value: Any?, to property: PropertyIndex) throws(StoreError) {
        guard let type = managedClass else { return }
        let value = AnyValue(value)
        switch property {
        case .attribute(let index): try assign(value, to: type.attributes[index])
        case .relationship(let index):
            let relationship = type.relationships[index]
            relationship.isToMany
                ? try assignTargets(value, to: relationship) : try assignTarget(value, to: relationship)
        }
    }

    private final func assign(_ value: AnyValue, to attribute: ManagedAttribute) throws(StoreError) {
        guard let content = value.value else {
            guard attribute.isOptional else {
                throw StoreError(
                    .invalidValue,
                    "'\(attribute.name)' of '\(layoutName)' cannot be nil: a value of type \(attribute.typeName) is "
                        + "required", entity: layoutName)
            }
            return set(.null, attribute)
        }
        guard let stored = attribute.stored(content) else {
            throw mismatch(attribute.name, attribute.typeName, found: value.typeName)
        }
        set(stored, attribute)
    }

    /// Sets an attribute like its property wrapper does.
    private final func set(_ stored: StoredValue, _ attribute: ManagedAttribute) {
        let offset = attribute.offset
        if !isChanged(at: offset) { willChange(at: offset) }
        _ = attribute.load(stored, into: self)
        didChange(at: offset)
    }

    private final func assignTarget(_ value: AnyValue, to relationship: ManagedRelationship) throws(StoreError) {
        var target: ManagedObject?
        if let content = value.value {
            guard let object = content as? ManagedObject, relationship.accepts(object) else {
                throw mismatch(relationship.name, "an object of '\(relationship.destination)'", found: value.typeName)
            }
            try check(object, for: relationship)
            target = object
        }
        if access != .direct { willNotify(at: relationship.offset) }
        setTarget(target, at: relationship.offset)
        didChange(at: relationship.offset)
    }

    private final func assignTargets(_ value: AnyValue, to relationship: ManagedRelationship) throws(StoreError) {
        let content = value.value ?? [ManagedObject]()
        let list = content as? [ManagedObject] ?? (content as? Set<ManagedObject>).map { Array($0) }
        guard let list, list.allSatisfy(relationship.accepts) else {
            let other = list?.first { !relationship.accepts($0) }
            throw mismatch(
                relationship.name, "an array of objects of '\(relationship.destination)'",
                found: other.map { AnyValue($0).typeName } ?? value.typeName)
        }
        for object in list { try check(object, for: relationship) }
        willChangeTargets(at: relationship.offset)
        relationship.setObjects(list, of: self)
        didChangeTargets(at: relationship.offset, haveNew: list.contains(where: \.isDetached))
    }

    /// Rejects objects that a relationship cannot contain.
    private final func check(_ target: ManagedObject, for relationship: ManagedRelationship) throws(StoreError) {
        func failure(_ kind: StoreError.Kind, _ reason: String, _ advice: String) -> StoreError {
            StoreError(
                kind, "cannot set '\(relationship.name)' of \(problemID): \(reason)", advice: advice,
                entity: layoutName)
        }
        if target.state?.phase == .deleted {
            throw failure(.missingObject, "the object was deleted", "set it to another object or nil")
        }
        if let core, let other = target.core, other !== core {
            throw failure(.misuse, "the object belongs to another context", "fetch it in this context by its ID")
        }
    }

    private final func mismatch(_ name: String, _ expected: String, found: String) -> StoreError {
        StoreError(
            .invalidValue, "expected \(expected) for '\(name)' of '\(layoutName)', found \(found)",
            entity: layoutName)
    }
}
