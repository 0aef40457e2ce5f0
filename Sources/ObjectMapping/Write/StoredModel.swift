/// A class of managed objects, whose properties are read from a store when they are used.
///
/// A decode with a data source adds every new object to it, also objects without an identity.
package protocol StoredModel: AnyObject {
    /// The names of the properties that identify objects of the class; empty for a class without identity.
    static var identityNames: [String] { get }

    /// Reads the targets of a relationship for several objects together.
    ///
    /// - Returns: The objects of the relationship, in any order.
    static func read(_ property: AnyKeyPath, of objects: [AnyObject]) -> [AnyObject]

    /// Returns the reason why the properties of an object could not be read, without values; `nil` after a success.
    static func readFailure(of object: AnyObject) -> String?

    /// Calls a closure while the properties of an object have their saved values.
    static func withSavedValues(of object: AnyObject, _ body: () -> Void)
}

/// The objects of classes that are being written.
struct WrittenObjects {
    /// The objects that contain each other, with the nodes that write them and their offsets in the text.
    fileprivate var open: [(object: ObjectIdentifier, node: Int, offset: Int)] = []
    /// Managed objects, which must not be released before they are written.
    fileprivate var kept: [AnyObject] = []
    /// Whether the saved values of the objects were read.
    fileprivate var areRead = false
    /// Whether saved values are written, instead of assigned ones.
    var areSaved = false
}

/// An object of a class, which can contain itself, or be a managed object.
final class ReferenceOutput: ObjectOutput {
    private let model: (any StoredModel.Type)?

    init(_ rules: Ref<OutputNode>, _ stored: (any StoredModel.Type)?) {
        model = stored
        super.init(rules)
    }

    override var stored: (any StoredModel.Type)? { model }

    override func write(_ value: Memory, _ writer: inout PlanWriter) -> Outcome {
        guard model != nil || rules.pointee.isRecursive else { return super.write(value, &writer) }
        return write(value[as: AnyObject.self], asMembers: false, &writer) { super.write(value, &$0) }
    }

    override func writeMembers(_ value: Memory, _ writer: inout PlanWriter) {
        guard model != nil || rules.pointee.isRecursive else { return super.writeMembers(value, &writer) }
        _ = write(value[as: AnyObject.self], asMembers: true, &writer) { writer in
            super.writeMembers(value, &writer)
            return .written
        }
    }

    /// - Parameter asMembers: Whether the members are written into the open object.
    private func write(
        _ object: AnyObject, asMembers: Bool, _ writer: inout PlanWriter, _ body: (inout PlanWriter) -> Outcome
    ) -> Outcome {
        writer.within(object, rules.pointee, asMembers: asMembers) { writer in
            guard let model else { return body(&writer) }
            return writer.reading(CollectionOfOne(object), self) { writer in
                if let failure = model.readFailure(of: object) {
                    if asMembers { writer.out.comma() }
                    writer.note(.dataSource, "an object that can be read from its store", failure)
                    return .written
                }
                guard writer.objects.areSaved else { return body(&writer) }
                var outcome = Outcome.absent
                model.withSavedValues(of: object) { outcome = body(&writer) }
                return outcome
            }
        }
    }
}

extension PlanWriter {
    /// Calls a closure that writes an object, unless the object contains itself.
    fileprivate mutating func within(
        _ object: AnyObject, _ node: OutputNode, asMembers: Bool, _ body: (inout PlanWriter) -> OutputBox.Outcome
    ) -> OutputBox.Outcome {
        guard node.isRecursive else { return body(&self) }
        let id = ObjectIdentifier(object)
        if let container = objects.open.last(where: { $0.object == id && $0.node == node.id }) {
            if asMembers { out.comma() }
            return noteCycle(from: container.offset)
        }
        objects.open.append((id, node.id, out.count))
        defer { objects.open.removeLast() }
        return body(&self)
    }

    /// Reads managed objects and their targets, and calls a closure that writes them.
    mutating func reading<Model, Result>(
        _ models: some Sequence<Model>, _ box: OutputBox, _ body: (inout PlanWriter) -> Result
    ) -> Result {
        guard box.stored != nil, let node = box.node, !objects.areRead else { return body(&self) }
        plan.read(models.map { $0 as AnyObject }, node.pointee.id, &objects.kept)
        objects.areRead = true
        defer {
            objects.areRead = false
            objects.kept = []
        }
        return body(&self)
    }
}

extension OutputPlan {
    /// Reads the relationships of the objects that a node writes, and those of their targets, level by level.
    ///
    /// - Parameter kept: Receives the targets.
    fileprivate func read(_ objects: [AnyObject], _ node: Int, _ kept: inout [AnyObject]) {
        var level = [node: objects]
        var known: Set<Int> = []
        while !level.isEmpty {
            var next: [Int: [AnyObject]] = [:]
            for (node, objects) in level.sorted(by: { $0.key < $1.key }) {
                // If objects contain each other, the inner ones are read when they are written.
                guard let stored = stored[node], !stored.isRecursive || known.insert(node).inserted else { continue }
                for relationship in stored.relationships {
                    let targets = stored.type.read(relationship.property, of: objects)
                    kept += targets
                    for inner in relationship.nodes { next[inner, default: []] += targets }
                }
            }
            level = next
        }
    }
}
