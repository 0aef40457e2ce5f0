import ObjectMapping

/// The property and the rule of an attribute.
struct AttributeSource {
    let attribute: ModelOutline.Attribute
    let outline: ModelOutline
    private var types: SwiftTypes { outline.types }

    init(_ attribute: ModelOutline.Attribute, in outline: ModelOutline) {
        self.attribute = attribute
        self.outline = outline
    }

    /// The declaration: `var name: String?`.
    var declaration: [String] {
        let start = "\(wrapper)var \(SwiftName.declared(attribute.property))"
        guard !isOptional else {
            let hasEmpty = attribute.type.isList || SwiftLiteral.empty(attribute.type, types) != nil
            let comment =
                hasEmpty
                ? "/// Required; optional because no other value means that it is missing."
                : "/// Required; optional only because \(typeName) has no default value."
            let value = defaultValue ?? (outline.kind == .managed ? "nil" : nil)
            return (isPromised ? [comment] : []) + ["\(start): \(typeName)?" + (value.map { " = \($0)" } ?? "")]
        }
        let value = defaultValue ?? SwiftLiteral.empty(attribute.type, types) ?? ""
        return ["\(start)\(attribute.type.isList ? ": \(typeName)" : "") = \(value)"]
    }

    /// The rule: `Attribute("id", \.taskID).required`.
    var rule: [String] {
        var modifiers = [conversion].compactMap(\.self)
        if let format = attribute.format { modifiers.append(SourceLines.Call(".using", [format.conversion])) }
        if isRequired {
            modifiers.append(".required")
            if isOptional || attribute.type.scalar == .json { modifiers.append(".whenNull(.fail)") }
        } else if isNeeded {
            // A payload with some of the keys updates an object.
            if !attribute.row.source.isJoined { modifiers.append(".whenNull(.fail)") }
        } else if !attribute.isOptional, isOptional {
            modifiers.append(".whenNull(.keep)")
        }
        if keepsIfAbsent { modifiers.append(".whenInvalid(.keep)") }
        // A part of a string cannot be written back.
        if conversion != nil { modifiers.append(".readOnly") }
        return SourceLines.rule(
            SourceLines.Call(types.name("Attribute"), [source, "\\.\(attribute.property)"]), modifiers)
    }

    /// The text conversions that it uses.
    var textConversions: TextConversions {
        guard conversion != nil else { return [] }
        guard attribute.row.source.isJoined else { return isNeeded ? .match : .matchOrAbsent }
        return isNeeded || keepsIfAbsent ? .joined : .joinedOrAbsent
    }

    var needsFoundation: Bool { SwiftTypes.isOfFoundation(attribute.type.scalar) }

    private var defaultValue: String? {
        attribute.defaultValue.flatMap { SwiftLiteral.value($0, as: attribute.type, types, orNil: isOptional) }
    }

    /// Whether each row has a value.
    private var isNeeded: Bool { attribute.row.isRequired }

    /// Whether each payload has a value.
    private var isRequired: Bool {
        guard isNeeded, attribute.isUpdated, !attribute.isIdentity else { return isNeeded }
        return attribute.row.source.isJoined && attribute.type.scalar != .string
    }

    /// Whether it is optional only because its type has no empty value.
    private var isPromised: Bool { isOptional && !attribute.isOptional && attribute.defaultValue == nil }

    /// The property wrapper in a managed class: `@Stored(.identity) `.
    private var wrapper: String {
        guard outline.kind == .managed else { return "" }
        let isGenerated = attribute.isIdentity && !isOptional && defaultValue == nil && isUUID
        let options =
            (attribute.isIdentity ? [".identity"] : []) + (isGenerated ? [".generated"] : [])
            + (attribute.isUnique ? [".unique"] : []) + (attribute.isSearchable ? [".searchable"] : [])
            + (isPromised ? [".required"] : [])
        let arguments = options.isEmpty ? "" : "(\(options.joined(separator: ", ")))"
        return "@\(types.name("Stored"))\(arguments) "
    }

    /// Whether the initial value, `UUID()`, differs from object to object.
    private var isUUID: Bool { attribute.type.scalar == .uuid && !attribute.type.isList }

    /// Whether an object without one of the strings to join leaves the value unchanged, because another object may have
    /// set it.
    ///
    /// For strings only: for other types, invalid values would be ignored as well.
    private var keepsIfAbsent: Bool {
        attribute.row.source.isJoined && !isRequired && attribute.type.scalar == .string
    }

    /// A URL cannot be empty, and an empty key in a store would be that of an unknown object, or of several objects.
    private var isOptional: Bool {
        if attribute.isOptional { return true }
        let isRead = attribute.row.pattern == nil && !attribute.row.source.isJoined
        let isSearched = outline.kind == .managed && (attribute.isKey || attribute.isUnique)
        let isKey = isSearched && isNeeded && !isRequired && isRead
        return !attribute.type.isList && (isKey || SwiftLiteral.empty(attribute.type, types) == nil)
    }

    private var typeName: String {
        let name = types.name(attribute.type.scalar)
        return attribute.type.isList ? "[\(name)\(hasGaps ? "?" : "")]" : name
    }

    /// Whether an element of the list can be `nil`: a key path through objects keeps the positions of elements without
    /// the key.
    private var hasGaps: Bool {
        if attribute.type.isList, attribute.defaultValue?.array?.contains(where: \.isNull) == true { return true }
        guard case .path(let path) = attribute.row.source, let keys = path.plainKeys else { return false }
        return attribute.type.isList && attribute.type.scalar != .json && keys.count > 1
    }

    private var source: String {
        switch attribute.row.source {
        case .path(let path): outline.source(path)
        case .memberName: ".key"
        case .joined: ".value"
        }
    }

    /// The conversion that extracts or joins strings; `nil` if the value is read directly.
    private var conversion: SourceLines.Call? {
        let match = attribute.row.pattern.map(SwiftLiteral.string)
        switch attribute.row.source {
        case .joined(let parts, let separator):
            let parts = "[\(parts.map(part).joined(separator: ", "))]"
            let match = match.map { ["match: \($0)"] } ?? []
            return using("joined", [parts, "separator: \(SwiftLiteral.string(separator))"] + match)
        case .path, .memberName: return match.map { using("match", [$0]) }
        }
    }

    private func part(_ part: RowPart) -> String {
        let path = SwiftLiteral.string(part.path.description)
        return part.pattern.map { "\(outline.textPartType)(\(path), match: \(SwiftLiteral.string($0)))" } ?? path
    }

    private func using(_ function: String, _ arguments: [String]) -> SourceLines.Call {
        if isNeeded || keepsIfAbsent {
            // Otherwise the conversion could apply to the wrapped type.
            let type = isOptional ? "\(types.name("Conversion"))<\(typeName)?>" : ""
            return SourceLines.Call(".using", SourceLines.Call("\(type).\(function)", arguments))
        }
        let absent = isOptional ? defaultValue.map { ".some(\($0))" } ?? "nil" : defaultValue ?? ""
        return SourceLines.Call(".using", SourceLines.Call(".\(function)", arguments + ["absent: \(absent)"]))
    }
}

extension ModelOutline {
    /// Returns a key path as the source of a rule.
    func source(_ path: JSONKeyPath) -> String {
        let literal = SwiftLiteral.string(path.description)
        // Some strings have a special meaning in a rule, but not in a manifest.
        guard MappingSource(stringLiteral: path.description) != MappingSource(path) else { return literal }
        return "\(types.name("MappingSource"))(\(types.name("JSONKeyPath"))(\(literal)))"
    }
}

extension RowSource {
    fileprivate var isJoined: Bool { if case .joined = self { true } else { false } }
}
