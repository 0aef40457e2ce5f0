import ObjectMapping

extension ManagedAttribute {
    /// Creates the attribute of an object without a class.
    ///
    /// Its property cannot be `nil` if the attribute is not optional and has a default.
    static func of(
        _ description: AttributeDescription, isIdentity: Bool, in layout: inout MemoryLayoutBuilder
    ) -> ManagedAttribute {
        switch description.type.scalar {
        case .string: coded(String.self, description, isIdentity, &layout)
        case .integer: coded(Int.self, description, isIdentity, &layout)
        case .double: coded(Double.self, description, isIdentity, &layout)
        case .boolean: coded(Bool.self, description, isIdentity, &layout)
        case .date: coded(Date.self, description, isIdentity, &layout)
        case .decimal: coded(Decimal.self, description, isIdentity, &layout)
        case .uuid: coded(UUID.self, description, isIdentity, &layout)
        case .url: coded(URL.self, description, isIdentity, &layout)
        case .data: coded(Data.self, description, isIdentity, &layout)
        case .json: coded(JSON.self, description, isIdentity, &layout)
        }
    }

    private static func coded<Value: AttributeValue & JSONConvertible>(
        _: Value.Type, _ description: AttributeDescription, _ isIdentity: Bool, _ layout: inout MemoryLayoutBuilder
    ) -> ManagedAttribute {
        // Elements can be null, because imports accept that.
        description.type.isList
            ? plain([Value?].self, description, isIdentity, &layout)
            : plain(Value.self, description, isIdentity, &layout)
    }

    private static func plain<Value: AttributeValue>(
        _: Value.Type, _ description: AttributeDescription, _ isIdentity: Bool, _ layout: inout MemoryLayoutBuilder
    ) -> ManagedAttribute {
        var options: [StoredOption.Kind] = isIdentity ? [.identity] : []
        if description.isUnique { options.append(.unique) }
        let initial = description.storedDefault.flatMap { $0.isNull ? nil : PlainCoding<Value>.decode($0) }
        if let initial, !description.isOptional {
            return CodedAttribute<PlainCoding<Value>>(
                description.name, at: layout.add(Value.self), options, initial: initial)
        }
        if !description.isOptional { options.append(.required) }
        return CodedAttribute<OptionalCoding<PlainCoding<Value>>>(
            description.name, at: layout.add(Value?.self), options, initial: initial)
    }
}
