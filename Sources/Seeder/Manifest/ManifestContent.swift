import ObjectMapping
import ObjectStore

/// The entities and sources of a manifest.
struct ManifestContent {
    var entities: [EntityDraft] = []
    var sources: [SourceDraft] = []

    static let mapping = Mapping(ManifestContent.init) {
        Relationship("model", \.entities, each: .member).required.whenNull(.keep)
        Relationship("sources", \.sources).required.whenNull(.keep)
    }
}

/// An entity of a manifest.
struct EntityDraft: Mappable {
    var name = ""
    var identity: [String] = []
    var attributes: [AttributeDraft] = []
    var relationships: [RelationshipDraft] = []
    var elementName: String?
    var indexes: [ObjectIndex] = []

    static let mapping = Mapping(EntityDraft.init) {
        Attribute(.key, \.name)
        Attribute("identifiedBy", \.identity).using(.strict).readOnly
        Attribute("identifiedBy", \.identity.ifAny, using: .names).writeOnly
        Attribute("elementName", \.elementName).using(.strict)
        Relationship("attributes", \.attributes, each: .member)
        Relationship("relationships", \.relationships.ifAny, each: .member)
        Relationship("indexes", \.indexes.ifAny, ObjectIndex.mapping)
    }

    /// The names of wrappers of its elements.
    ///
    /// Defaults to its name with a lowercase first letter, and in snake case.
    var elementNames: [String] { elementName.map { [$0] } ?? Seeder.elementNames(of: name) }
}

/// An attribute of a manifest.
struct AttributeDraft: Mappable {
    var stored = AttributeDescription("", AttributeType(.string))
    /// The elements of `from`, or its value.
    var parts: [PartDraft] = []
    var isJoined = false
    var separator: String?
    var pattern: String?
    var format: String?

    static let mapping = Mapping(AttributeDraft.init) {
        Attribute(.key, \.stored.name)
        Attribute("from", \.isJoined, using: .isArray).readOnly
        Relationship("from", \.parts).readOnly
        Attribute("from", \.from).writeOnly
        Attribute("match", \.pattern).using(.strict)
        Attribute("type", \.stored.type, using: .attributeType).required
        Attribute("format", \.format).using(.strict)
        Attribute("optional", \.stored.isOptional.ifFalse).using(.strict)
        Attribute("unique", \.stored.isUnique.ifTrue).using(.strict)
        Attribute("searchable", \.stored.isSearchable.ifTrue).using(.strict)
        Attribute("default", \.stored.defaultValue)
        Attribute("join", \.separator).using(.strict)
    }

    /// The key path, if there is only one.
    var from: String? {
        get { isJoined ? nil : parts.first?.path }
        set { parts = newValue.map { [PartDraft(path: $0)] } ?? [] }
    }

    var source: RowSource {
        if isJoined { return .joined(parts.map(\.part), separator: separator ?? "") }
        guard let path = parts.first?.path else { return .path(JSONKeyPath(components: [stored.name])) }
        return path == "@key" ? .memberName : .path(JSONKeyPath(path))
    }
}

/// A key path of an attribute, or one of several key paths whose values are joined.
struct PartDraft: Mappable {
    var path: String?
    var pattern: String?
    var isObject = false

    static let mapping = Mapping<PartDraft>(matching: {
        Match(
            .value, isA: .object,
            Mapping({ PartDraft(isObject: true) }) {
                Attribute("from", \.path).using(.strict).required
                Attribute("match", \.pattern).using(.strict)
            })
        Otherwise(Mapping(PartDraft.init) { Attribute(.value, \.path).using(.strict) })
    })

    var part: RowPart { RowPart(JSONKeyPath(path ?? ""), pattern: pattern) }
}

/// A relationship of a manifest.
struct RelationshipDraft: Mappable {
    var stored = RelationshipDescription("", to: "")
    var path: JSONKeyPath?
    /// Where its objects are; `nil` for an object, or the elements of an array.
    var each: ElementShape?
    /// Whether its targets are in the dumps.
    var isFed = false

    static let mapping = Mapping(RelationshipDraft.init) {
        Attribute(.key, \.stored.name)
        Attribute("from", \.path, using: .keyPath)
        Attribute("to", \.stored.destination).using(.strict).required
        Attribute("many", \.stored.isToMany.ifTrue).using(.strict)
        Attribute("each", \.each, using: .oneOf(["element": .element, "member": .member]))
        Attribute("ordered", \.stored.isOrdered.ifTrue).using(.strict)
        Attribute(.first("from", "by"), \.isFed, using: .isPresent).readOnly
        Attribute("by", \.stored.by).using(.strict).readOnly
        Attribute("by", \.stored.by.ifAny, using: .names).writeOnly
        Attribute("matching", \.stored.matching).using(.strict).readOnly
        Attribute("matching", \.stored.matching.ifAny, using: .names).writeOnly
        Attribute("any", \.stored.any.ifTrue).using(.strict)
        Attribute("when", \.stored.when).readOnly
        Attribute("inverse", \.stored.inverse).using(.strict)
    }
}

/// A source of a manifest.
struct SourceDraft: Mappable {
    /// `nil` outside of an array.
    var index: Int?
    var file = ""
    var entity: String?
    var keyPath: JSONKeyPath = ""
    /// `nil` for the shape that the name of the file implies.
    var each: ElementShape?
    /// The extension or the media type of a format; `nil` for the format that the name of the file implies.
    var format: String?

    static let mapping = Mapping(SourceDraft.init) {
        Attribute(.index, \.index)
        Attribute("file", \.file).using(.strict).required
        Attribute("entity", \.entity).using(.strict)
        Attribute("at", \.keyPath.ifAny, using: .keyPath)
        Attribute("each", \.each, using: .oneOf(["element": .element, "member": .member, "line": .line]))
        Attribute("format", \.format).using(.strict)
    }

    var shape: ElementShape { each ?? usualShape(of: file) }

    /// Returns the format; `nil` for JSON.
    func format(in formats: PayloadFormats) -> (any PayloadFormat)? {
        guard let format else { return usualFormat(of: file, in: formats) }
        return formats.format(named: format).flatMap { $0 is JSONFormat ? nil : $0 }
    }
}

extension Conversion where Value == JSONKeyPath {
    fileprivate static var keyPath: Conversion {
        Conversion("a string") {
            $0.string.map { JSONKeyPath($0) }
        } write: {
            .string($0.description)
        }
    }
}

// Default values are not written.

extension JSONKeyPath {
    fileprivate var ifAny: JSONKeyPath? {
        get { components.isEmpty ? nil : self }
        set { self = newValue ?? "" }
    }
}

extension Conversion where Value == Bool {
    fileprivate static var isArray: Conversion {
        Conversion {
            $0.array != nil
        } write: {
            .bool($0)
        }
    }
}

/// Returns the default names of wrappers of an entity's elements.
func elementNames(of entity: String) -> [String] {
    let names = [entity, entity.prefix(1).lowercased() + entity.dropFirst(), KeyNaming.snakeCase.key(of: entity)]
    return names.reduce(into: []) { names, name in
        if !names.contains(name) { names.append(name) }
    }
}

/// Returns how the elements of a file are arranged, by its name without `.gz`.
func usualShape(of name: String) -> ElementShape {
    let name = Gzip.innerName(name).lowercased()
    return name.hasSuffix(".ndjson") || name.hasSuffix(".jsonl") ? .line : .element
}

/// Returns the format of a file by the extension of its name without `.gz`; `nil` for JSON.
func usualFormat(of name: String, in formats: PayloadFormats) -> (any PayloadFormat)? {
    let name = Gzip.innerName(name)
    guard let dot = name.lastIndex(of: "."), !name[dot...].contains("/"),
        let format = formats.format(pathExtension: String(name[dot...].dropFirst())), !(format is JSONFormat)
    else { return nil }
    return format
}
