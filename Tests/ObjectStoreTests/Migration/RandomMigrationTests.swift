import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Random models with random rows, and random changes.
private struct RandomModels {
    var generator: SeededGenerator
    var entities: [EntityDescription] = []
    private var names = 0
    private static let types = ["integer", "string", "double", "boolean", "date", "decimal", "[string]", "json"]

    init(seed: Int) {
        generator = SeededGenerator(seed: seed)
        for _ in 0..<pick(2...3) { entities.append(EntityDescription(fresh("E"))) }
        for index in entities.indices { for _ in 0..<pick(1...3) { addAttribute(to: index) } }
        for _ in 0..<pick(1...4) { addRelationship() }
    }

    private mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    private mutating func fresh(_ prefix: String) -> String {
        names += 1
        return "\(prefix)\(names)"
    }

    private mutating func addAttribute(to index: Int) {
        let type = AttributeType(Self.types[pick(0...Self.types.count - 1)]) ?? AttributeType(.string)
        entities[index].attributes.append(AttributeDescription(fresh("a"), type, isIndexed: pick(0...3) == 0))
    }

    private mutating func addRelationship() {
        let (source, target) = (pick(0...entities.count - 1), pick(0...entities.count - 1))
        let (name, inverse) = (fresh("r"), pick(0...2) == 0 ? nil : fresh("i"))
        entities[source].relationships.append(
            RelationshipDescription(name, to: entities[target].name, isToMany: pick(0...1) == 0, inverse: inverse))
        guard let inverse else { return }
        entities[target].relationships.append(
            RelationshipDescription(inverse, to: entities[source].name, isToMany: pick(0...1) == 0, inverse: name))
    }

    /// Changes something.
    mutating func change() {
        let index = pick(0...entities.count - 1)
        let attribute = pick(0...entities[index].attributes.count - 1)
        let relationship = entities[index].relationships.indices.randomElement(using: &generator)
        switch pick(0...9) {
        case 0: addAttribute(to: index)
        case 1 where attribute > 0: entities[index].attributes.remove(at: attribute)
        case 2 where attribute > 0:
            entities[index].attributes[attribute].formerNames = [entities[index].attributes[attribute].name]
            entities[index].attributes[attribute].name = fresh("a")
        case 3 where attribute > 0:
            entities[index].attributes[attribute].type =
                AttributeType(Self.types[pick(0...7)]) ?? AttributeType(.string)
        case 4: entities[index].attributes[attribute].isIndexed.toggle()
        case 5:
            let (old, new) = (entities[index].name, fresh("E"))
            entities[index].formerNames = [old]
            entities[index].name = new
            for other in entities.indices {
                for place in entities[other].relationships.indices
                where entities[other].relationships[place].destination == old {
                    entities[other].relationships[place].destination = new
                }
            }
        case 6: addRelationship()
        case 7:
            guard let relationship else { break }
            entities[index].relationships[relationship].isToMany.toggle()
        case 8:
            guard let relationship else { break }
            entities[index].relationships[relationship].isOrdered.toggle()
        default:
            guard let relationship else { break }
            let removed = entities[index].relationships.remove(at: relationship)
            for other in entities.indices {
                for place in entities[other].relationships.indices
                where entities[other].relationships[place].inverse == removed.name {
                    entities[other].relationships[place].inverse = nil
                }
            }
        }
    }

    /// Returns statements that fill the tables of a model.
    mutating func rows(of model: ObjectModel) -> String {
        var statements = ""
        for (position, entity) in model.entities.enumerated() {
            for row in 1...3 { statements += "INSERT INTO \"\(entity.name)\"(_id, id) VALUES(\(row), \(row * 10));" }
            for attribute in entity.attributes.dropFirst() {
                let value =
                    switch (attribute.type.isList, attribute.type.scalar) {
                    case (true, _): "'[]'"
                    case (_, .integer): "7"
                    case (_, .boolean): "1"
                    case (_, .double): "1.5"
                    case (_, .date): "'2026-11-21T07:23:00.000Z'"
                    case (_, .json): "'{}'"
                    default: "'12'"
                    }
                statements += "UPDATE \"\(entity.name)\" SET \"\(attribute.name)\" = \(value) WHERE _id < 3;"
            }
            for (index, relationship) in entity.relationships.enumerated() {
                switch model.storage(ofEntityAt: position, relationship: index) {
                case .column where model.inverse(of: relationship)?.isToMany != false:
                    statements +=
                        "UPDATE \"\(entity.name)\" SET \"\(relationship.name)\" = \(pick(1...3)) WHERE _id < 3;"
                case .joinTable(let table, isOwner: true):
                    for source in 1...2 {
                        statements += "INSERT INTO \"\(table)\" VALUES(\(source), \(pick(1...3)), 0);"
                    }
                default: break
                }
            }
        }
        // Ordered lists repeat the columns of their inverses.
        for (position, entity) in model.entities.enumerated() {
            for (index, relationship) in entity.relationships.enumerated() {
                guard case .linkTable(let table, _) = model.storage(ofEntityAt: position, relationship: index) else {
                    continue
                }
                let column = Schema.quoted(relationship.inverse ?? "")
                statements +=
                    "INSERT INTO \"\(table)\" SELECT \(column), _id, _id FROM \"\(relationship.destination)\" "
                statements += "WHERE \(column) IS NOT NULL;"
            }
        }
        return statements
    }
}

extension ObjectModel {
    fileprivate func inverse(of relationship: RelationshipDescription) -> RelationshipDescription? {
        relationship.inverse.flatMap { entity(named: relationship.destination)?.relationship(named: $0) }
    }
}

@Suite struct `Random migrations` {
    @Test(arguments: 1...40) func `have the schema of a new file and all rows, or change nothing`(seed: Int) throws {
        var models = RandomModels(seed: seed)
        guard let old = try? ObjectModel(entities: models.entities) else { return }
        let file = try MigratedFile(old.entities, models.rows(of: old))
        for _ in 1...4 { models.change() }
        guard let new = try? ObjectModel(entities: models.entities) else { return }
        let before = try file.content()
        let plan = try self.plan(file.url, new)
        do {
            let store = try file.migrate(to: new.entities)
            #expect(plan.isPossible, "\(plan)")
            for entity in new.entities { #expect(try [3, 0].contains(store.count(of: entity.name))) }
            store.close()
            try file.expectComplete(new.entities)
        } catch let error as StoreError {
            #expect(error.kind == .modelMismatch && !plan.isPossible, "\(error)\n\(plan)")
            #expect(try file.content() == before)
        }
    }

    private func plan(_ url: URL, _ model: ObjectModel) throws -> MigrationPlan {
        let connection = try StoreFile(url, .init()).openReader()
        defer { connection.close() }
        let stored = try FileHeader.model(of: connection.database, path: url.path)
        return try Migration(from: stored, to: model, .init(), in: connection.database)
            .plan(in: connection.database, path: url.path)
    }
}
