import ObjectMapping
import Synchronization

/// The declarations of a managed class by its property wrappers.
final class ManagedClass: Sendable {
    let type: ManagedObject.Type
    /// The name of the entity.
    let name: String
    /// The attributes in their order: the stored ones, then the transient ones.
    let attributes: [ManagedAttribute]
    let relationships: [ManagedRelationship]
    /// Whether it overrides hooks that are called when its objects are inserted or saved.
    let overridesSaveHooks: Bool
    /// What represents the properties for observers.
    let observed: ObservedProperties
    /// The properties by offset from the first one; `nil` in between.
    private let slots: [PropertyIndex?]
    private let firstOffset: Int
    private let names: [String: PropertyIndex]
    /// The initial memory of its objects, if they are dynamic.
    let template: MemoryTemplate
    private let paths = Mutex<[PathKey: [Step]]>([:])

    private static let classes = Mutex<[ObjectIdentifier: ManagedClass]>([:])

    /// Returns the description of a class, which is examined at the first call.
    ///
    /// - Throws: `ModelError` if a stored property cannot be examined.
    static func of(_ type: ManagedObject.Type) throws(ModelError) -> ManagedClass {
        if let known = classes.withLock({ $0[ObjectIdentifier(type)] }) { return known }
        // The initializer of the class is code of the user and runs without the lock; of two threads, the first result
        // is kept.
        let new = try ManagedClass(examining: type)
        return classes.withLock { classes in
            let kept = classes[ObjectIdentifier(type)] ?? new
            classes[ObjectIdentifier(type)] = kept
            return kept
        }
    }

    private convenience init(examining type: ManagedObject.Type) throws(ModelError) {
        let name = type.entityName
        let (object, declarations) = ClassProbe.withProbe { probe in (type.init(), probe.takeDeclarations()) }
        let second = ClassProbe.withProbe { _ in type.init() }
        let mirror = Mirror(reflecting: object)
        let offsets = fieldOffsets(
            of: type, inheritedCount: mirror.superclassMirror.map { Int($0.children.count) } ?? 0)
        let fields = zip(mirror.children, offsets).filter { $0.0.value is any ManagedWrapper }
        guard fields.count == declarations.count, offsets.count == mirror.children.count else {
            throw ModelError([
                ModelError.Problem(
                    [.key(name)],
                    """
                    cannot examine the class \(type): found \(fields.count) attributes and relationships, but \
                    \(declarations.count) were declared. Inherit directly from ManagedObject, do not create managed \
                    objects in initial values, and do not conform the class to CustomReflectable
                    """)
            ])
        }
        var (stored, transient): ([ManagedAttribute], [ManagedAttribute]) = ([], [])
        var relationships: [ManagedRelationship] = []
        for ((child, offset), declare) in zip(fields, declarations) {
            let name = Self.name(ofProperty: child.label ?? "")
            switch declare(ClassProbe.Place(name: name, offset: offset, objects: (object, second))) {
            case .attribute(let attribute):
                if attribute.isTransient { transient.append(attribute) } else { stored.append(attribute) }
            case .relationship(let relationship): relationships.append(relationship)
            }
        }
        self.init(type, name, stored + transient, relationships)
    }

    /// Lays out the properties of an entity without a class.
    ///
    /// An attribute is optional unless it is required and has a default, which then replaces null.
    convenience init(of entity: EntityDescription) {
        var layout = MemoryLayoutBuilder()
        let attributes = entity.attributes.map { attribute in
            ManagedAttribute.of(attribute, isIdentity: entity.identity.contains(attribute.name), in: &layout)
        }
        let relationships = entity.relationships.map { ManagedRelationship($0, in: &layout) }
        self.init(DynamicObject.self, entity.name, attributes, relationships, byteCount: layout.byteCount)
    }

    /// The class of dynamic objects without an entity: it has no properties.
    static let absent = ManagedClass(DynamicObject.self, "", [], [])

    private init(
        _ type: ManagedObject.Type, _ name: String, _ attributes: [ManagedAttribute],
        _ relationships: [ManagedRelationship], byteCount: Int = 0
    ) {
        self.type = type
        self.name = name
        overridesSaveHooks = SaveHooks.areOverridden(in: type)
        self.attributes = attributes
        self.relationships = relationships
        // Those of objects of a class are initialized by the class.
        let isDynamic = type == DynamicObject.self
        template = MemoryTemplate(
            isDynamic ? attributes : [], isDynamic ? relationships : [], byteCount: byteCount)
        var (properties, names): ([Int: PropertyIndex], [String: PropertyIndex]) = ([:], [:])
        for (index, attribute) in attributes.enumerated() {
            properties[attribute.offset] = .attribute(index)
            names[attribute.name] = .attribute(index)
        }
        for (index, relationship) in relationships.enumerated() {
            properties[relationship.offset] = .relationship(index)
            names[relationship.name] = .relationship(index)
        }
        self.names = names
        let first = properties.keys.min() ?? 0
        firstOffset = first
        slots = (first...(properties.keys.max() ?? first)).map { properties[$0] }
        observed = ObservedProperties(properties.keys)
    }

    /// Whether its objects are dynamic.
    var isDynamic: Bool { type == DynamicObject.self }

    /// Identifies the class of objects, or the layout of dynamic ones.
    var key: ObjectIdentifier { isDynamic ? ObjectIdentifier(self) : ObjectIdentifier(type) }

    /// Creates an object without a context.
    @inline(__always) func makeObject() -> ManagedObject { isDynamic ? DynamicObject(self) : type.init() }

    /// Returns the name of the property with a wrapper label such as `_name`, or, in backticks, `_first name`.
    private static func name(ofProperty label: String) -> String {
        // The runtime replaces spaces in backticks with no-break spaces.
        String(label.filter { $0 != "`" }.dropFirst().map { $0 == "\u{A0}" ? " " : $0 })
    }

    /// Returns the property at an offset.
    func property(at offset: Int) -> PropertyIndex? {
        let index = offset - firstOffset
        return slots.indices.contains(index) ? slots[index] : nil
    }

    /// Returns the name of the property at an offset.
    func name(of property: PropertyIndex) -> String {
        switch property {
        case .attribute(let index): attributes[index].name
        case .relationship(let index): relationships[index].name
        }
    }

    /// Returns the property with a name.
    ///
    /// - Throws: `StoreError` of kind `unknownProperty` with near names.
    func property(named name: String) throws(StoreError) -> PropertyIndex {
        guard let property = names[name] else {
            let near = nearestNames(to: name, among: names.keys.sorted()).prefix(3).map { "'\(printable($0))'" }
            throw StoreError(
                .unknownProperty, "unknown property '\(printable(name))' of '\(self.name)'",
                advice: near.isEmpty ? nil : "did you mean \(near.joined(separator: " or "))?", entity: self.name)
        }
        return property
    }

    // MARK: Key paths

    /// A property in a key path, and the class that declares it.
    struct Step: Sendable {
        let owner: ManagedClass
        let property: PropertyIndex
        var name: String { owner.name(of: property) }
    }

    /// A key path as a dictionary key that is shared between threads.
    private struct PathKey: Hashable, @unchecked Sendable {  // key paths are immutable
        let path: AnyKeyPath
    }

    /// Returns the properties in a key path; `nil` if it includes something else, such as a computed property.
    func steps(of path: AnyKeyPath) -> [Step]? {
        let key = PathKey(path: path)
        if let known = paths.withLock({ $0[key] }) { return known.isEmpty ? nil : known }
        let reads = ClassProbe.withProbe { probe in probe.reads(of: path, from: type) }
        var steps = reads.compactMap { read in
            (try? ManagedClass.of(read.type)).flatMap { owner in
                owner.property(at: read.offset).map { Step(owner: owner, property: $0) }
            }
        }
        // A computed property that reads a single stored one counts as another name of it if it can be set.
        let isProperty = reads.count == 1 ? Swift.type(of: path).isWritable : true
        if !isProperty || reads.first?.type != self.type || steps.count != reads.count { steps = [] }
        paths.withLock { $0[key] = steps }
        return steps.isEmpty ? nil : steps
    }
}

extension ClassProbe {
    /// Evaluates a key path on an object of a class.
    fileprivate func reads(of path: AnyKeyPath, from type: ManagedObject.Type) -> [Read] {
        _ = (object(of: type) as Any)[keyPath: path]
        return reads
    }
}

extension AnyKeyPath {
    /// Whether the property at the end can be set.
    fileprivate static var isWritable: Bool { self is any WritableObjectPath.Type }
}

/// Key paths that can set properties of objects.
private protocol WritableObjectPath {}

extension ReferenceWritableKeyPath: WritableObjectPath {}
