import ObjectMapping

/// Records which attributes and nested relationships of each entity had a value in any element of any source.
final class RuleUse {
    private let entities: [RowEntity]
    /// The indexes of the attributes and relationships of each entity that had no value so far.
    private var unusedAttributes: [[Int]]
    private var unusedRelationships: [[Int]]
    private var counts: [Int]
    /// The starts of the first objects of each entity.
    private var samples: [[[UInt8]]]

    private static let mostSamples = 8
    private static let longestSample = 16 << 10

    init(_ entities: [RowEntity]) {
        self.entities = entities
        unusedAttributes = entities.map { Array($0.attributes.indices) }
        unusedRelationships = entities.map { entity in
            entity.relationships.indices.filter { entity.relationships[$0].path != nil }
        }
        counts = entities.map { _ in 0 }
        samples = entities.map { _ in [] }
    }

    /// Records the rows of an element.
    ///
    /// - Parameters:
    ///   - raw: The element's text.
    ///   - offset: The offset of the text in the dump.
    func observe(_ rows: ElementRows, _ raw: ByteView, at offset: Int) {
        for index in 0..<rows.rows.count {
            let row = rows.rows[index]
            if row.parent >= 0, row.relationship >= 0 {
                let holder = Int(rows.rows[Int(row.parent)].entity)
                unusedRelationships[holder].removeAll { $0 == row.relationship }
            }
            // Without an entity, the row represents null.
            guard row.entity >= 0 else { continue }
            let entity = Int(row.entity)
            counts[entity] += 1
            guard !unusedAttributes[entity].isEmpty || !unusedRelationships[entity].isEmpty else { continue }
            let object = row.offset >= offset ? raw.dropFirst(row.offset - offset) : raw.prefix(0)
            unusedAttributes[entity].removeAll { attribute in
                switch rows.slots[Int(row.firstSlot) + attribute].tag {
                case .absent: false
                case .null: entities[entity].attributes[attribute].hasKey(in: object)
                default: true
                }
            }
            if samples[entity].count < Self.mostSamples, row.offset >= offset {
                samples[entity].append(Array(object.prefix(Self.longestSample)))
            }
        }
    }

    /// The rules without a value in any element, in the order of the model; rules of entities without objects are not
    /// included.
    var unused: [SeedCheck.UnusedRule] {
        entities.indices.flatMap { index -> [SeedCheck.UnusedRule] in
            let entity = entities[index]
            guard counts[index] > 0 else { return [] }
            let attributes = unusedAttributes[index].map { entity.attributes[$0] }.map { attribute in
                rule(of: index, attribute.name, attribute.paths, pattern: attribute.pattern)
            }
            return attributes
                + unusedRelationships[index].map { entity.relationships[$0] }.map { relationship in
                    rule(of: index, relationship.name, relationship.path.map { [$0] } ?? [])
                }
        }
    }

    private func rule(
        of entity: Int, _ name: String, _ paths: [JSONKeyPath], pattern: String? = nil
    ) -> SeedCheck.UnusedRule {
        let near = paths.lazy.flatMap { path in
            self.samples[entity].lazy.map { sample in
                sample.withView { path.similarKeys(in: $0) }.filter { $0 != path.description }
            }
        }.first { !$0.isEmpty }
        return SeedCheck.UnusedRule(
            name: "\(entities[entity].name).\(name)", keyPaths: paths.map(\.description),
            elementCount: counts[entity], hasPattern: pattern != nil, suggestions: near ?? [])
    }
}

extension RowAttribute {
    /// Whether null in an object is the value of the attribute's key, and not that of an object on the way to it.
    fileprivate func hasKey(in object: ByteView) -> Bool {
        guard case .path(let path) = source, path.components.count == 2 else { return true }
        return path.similarKeys(in: object).contains(path.description)
    }

    /// The key paths of its values; empty for the names of members.
    fileprivate var paths: [JSONKeyPath] {
        switch source {
        case .path(let path): [path]
        case .memberName: []
        case .joined(let parts, _): parts.map(\.path)
        }
    }
}

extension SeedCheck {
    /// An attribute or nested relationship that has no value in any element, so that its column is NULL.
    public struct UnusedRule: Sendable, Hashable, CustomStringConvertible {
        /// The attribute or relationship, such as `Task.dueDate`.
        public let name: String
        /// The key paths from which it is read; several are joined.
        public let keyPaths: [String]
        /// The number of objects of the entity.
        public let elementCount: Int
        /// Whether a regular expression (`match`) selects a part of the value.
        public let hasPattern: Bool
        /// Similar keys of the objects, best first.
        public let suggestions: [String]

        /// The rule and the suggestion: `Task.dueDate: none of 3 objects has 'due_dat'; did you mean 'due_date'?`.
        public var description: String {
            let objects = elementCount == 1 ? "the only object has no" : "none of \(elementCount) objects has"
            let value = keyPaths.isEmpty ? "a name" : keyPaths.map { "'\($0)'" }.joined(separator: " and ")
            let match = hasPattern ? " that matches" : ""
            let hint = suggestionText(suggestions)
            return "\(name): \(objects) \(value)\(match)\(hint)"
        }
    }
}
