import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

private final class Node: ManagedObject {
    @Stored(.identity) var number = 0
    @Stored var a = 0
    @Stored var b = 0
    @ToOne var owner: Node?
    @ToOne var boss: Node?
    @ToMany(inverse: \Node.owner) var items: [Node]
    @ToMany(inverse: \Node.boss, isOrdered: true) var queue: [Node]

    static let mapping = Mapping(Node.self) {
        Attribute("number", \.number)
        Attribute("a", \.a)
    }
}

/// A property of a node in the model.
private enum Field: CaseIterable, Hashable {
    case a, b, owner, boss

    var isRelationship: Bool { self == .owner || self == .boss }
}

/// A row: numbers for attributes, identities for relationships.
private typealias Values = [Field: Int]

/// A naive context: the rows as they were merged, with what was assigned.
private struct View {
    var rows: [Int: Values] = [:]
    /// The earlier values of assigned properties.
    var bases: [Int: Values] = [:]
    var inserted: Set<Int> = []

    func value(_ number: Int, _ field: Field) -> Int? { rows[number]?[field] }

    /// What the property of an object returns.
    func shown(_ number: Int, _ field: Field) -> Int? {
        let value = value(number, field)
        return field.isRelationship ? value.flatMap { rows[$0] == nil ? nil : $0 } : value
    }

    mutating func assign(_ value: Int?, _ field: Field, of number: Int) {
        let old = self.value(number, field)
        if field.isRelationship, old == value { return }
        if !inserted.contains(number), !isAssigned(number, field) {
            bases[number, default: [:]][field] = old ?? Self.none
        }
        rows[number]?[field] = value
    }

    static let none = -1

    func isAssigned(_ number: Int, _ field: Field) -> Bool { bases[number]?[field] != nil }

    mutating func merge(_ file: [Int: Values]) {
        for number in rows.keys where !inserted.contains(number) {
            guard let stored = file[number] else {
                guard bases[number] != nil else {
                    rows[number] = nil
                    continue
                }
                for field in [Field.owner, .boss] where !isAssigned(number, field) { rows[number]?[field] = nil }
                continue
            }
            for field in Field.allCases where !isAssigned(number, field) { rows[number]?[field] = stored[field] }
        }
        for (number, stored) in file where rows[number] == nil { rows[number] = stored }
    }

    /// Whether a value is the earlier one of an assigned property, which a save does not write.
    func isEarlier(_ value: Int?, _ field: Field, of number: Int) -> Bool {
        (bases[number]?[field] ?? self.value(number, field) ?? Self.none) == value ?? Self.none
    }

    /// The changes that a save writes.
    var changes: [(number: Int, field: Field, base: Int?, value: Int?)] {
        bases.flatMap { number, fields in
            fields.map { field, base in (number, field, base == Self.none ? nil : base, value(number, field)) }
        }.filter { $0.base != $0.value }
    }

    /// Whether a save succeeds.
    func canSave(_ file: [Int: Values]) -> Bool {
        func exists(_ number: Int?) -> Bool { number.map { file[$0] != nil || inserted.contains($0) } ?? true }
        return changes.allSatisfy { change in
            guard let stored = file[change.number] else { return false }
            guard change.field.isRelationship else { return stored[change.field] == change.base }
            // The same target that others have assigned is no conflict.
            return [change.base, change.value].contains(stored[change.field] ?? nil) && exists(change.value)
        } && inserted.allSatisfy { exists(value($0, .owner)) && exists(value($0, .boss)) }
    }

    mutating func save(to file: inout [Int: Values]) {
        for number in inserted { file[number] = rows[number] }
        for change in changes { file[change.number]?[change.field] = change.value }
        (bases, inserted) = ([:], [])
    }

    mutating func rollback(_ file: [Int: Values]) {
        self = View(rows: file)
    }
}

/// A context, the nodes that it references, and its model.
private final class Side {
    let context: ObjectContext
    var nodes: [Int: Node] = [:]
    var view = View()
    let index: Int

    init(_ store: ManagedObjectStore, _ index: Int) {
        context = ObjectContext(store)
        self.index = index
    }

    /// Reads every property, and compares it with the model.
    func check(_ step: String) {
        for (number, node) in nodes {
            guard view.rows[number] != nil else { continue }
            #expect(node.managed.context === context, "\(step): \(number)")
            #expect([node.a, node.b] == [view.value(number, .a), view.value(number, .b)], "\(step): \(number)")
            for (target, field) in [(node.owner, Field.owner), (node.boss, .boss)] {
                #expect(target?.number == view.shown(number, field), "\(step): \(number).\(field)")
                #expect(target == nil || target === nodes[target?.number ?? 0], "\(step): \(number).\(field)")
            }
            for (list, field) in [(node.items, Field.owner), (node.queue, .boss)] {
                let expected = view.rows.keys.filter { view.shown($0, field) == number }.sorted()
                #expect(list.map(\.number).sorted() == expected, "\(step): members of \(number).\(field)")
            }
        }
        for (number, node) in nodes where view.rows[number] == nil {
            #expect(node.managed.context == nil && node.managed.state != .updated, "\(step): \(number) is gone")
        }
        nodes = nodes.filter { view.rows[$0.key] != nil }
    }

    func merge(_ file: [Int: Values]) throws {
        let found = try context.fetch(Node.all)
        view.merge(file)
        for node in found { nodes[node.number] = node }
    }
}

@Suite struct RandomMergeTests {
    private struct Program {
        var random: SeededGenerator
        let store: ManagedObjectStore
        var sides: [Side]
        var file: [Int: Values] = [:]
        var last = 0
        var (saves, refused) = (0, 0)

        init(seed: Int, contexts: Int, in folder: TemporaryDirectory?) throws {
            random = SeededGenerator(seed: seed)
            let model = try ObjectModel(Node.self)
            store =
                try folder.map { try ManagedObjectStore(at: $0.file("random.sqlite"), model: model) }
                ?? ManagedObjectStore(inMemory: model)
            let store = store
            sides = (0..<contexts).map { Side(store, $0) }
        }

        mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

        mutating func step(_ number: Int) async throws {
            let side = random.pick(sides)
            let kind = self.number(24)
            let text = "step \(number), context \(side.index), action \(kind)"
            if kind == 20 { try await importRows() } else { try act(kind, side, number, text) }
            for side in sides { side.check(text) }
        }

        private mutating func act(_ kind: Int, _ side: Side, _ number: Int, _ text: String) throws {
            let known = side.view.rows.keys.sorted()
            switch kind {
            case 0...4 where !known.isEmpty: assign(side, known)
            case 5...9 where !known.isEmpty: connect(side, known)
            case 10, 11: insert(side)
            case 12, 13: try side.merge(file)
            case 14...16: try save(side, text)
            case 17:
                side.context.rollback()
                side.view.rollback(file)
                try side.merge(file)
            case 18:
                let part = self.number(3)
                try side.context.update(Node.where { $0.a >= part }) { $0.set(\.b, to: number) }
                for (row, values) in file where values[.a] ?? 0 >= part { file[row]?[.b] = number }
                try side.merge(file)
            case 19:
                try store.write(sql: #"UPDATE "Node" SET "b" = "b" + 1 WHERE "number" % 2 = 0"#)
                for row in file.keys where row % 2 == 0 { file[row]?[.b]? += 1 }
            case 21, 22: try delete(side)
            default:
                side.context.refresh()
                try side.merge(file)
            }
        }

        private mutating func assign(_ side: Side, _ known: [Int]) {
            let row = random.pick(known)
            let value = number(6)
            guard let node = side.nodes[row], !side.view.isEarlier(value, .a, of: row),
                !side.view.isEarlier(value, .b, of: row)
            else { return }
            if number(2) == 0 {
                node.a = value
                side.view.assign(value, .a, of: row)
            } else {
                node.b = value
                side.view.assign(value, .b, of: row)
            }
        }

        private mutating func connect(_ side: Side, _ known: [Int]) {
            let (row, target) = (random.pick(known), number(4) == 0 ? nil : random.pick(known))
            guard let node = side.nodes[row], !side.view.isEarlier(target, .owner, of: row),
                !side.view.isEarlier(target, .boss, of: row)
            else { return }
            switch number(3) {
            case 0:
                node.owner = target.flatMap { side.nodes[$0] }
                side.view.assign(target, .owner, of: row)
            case 1:
                node.boss = target.flatMap { side.nodes[$0] }
                side.view.assign(target, .boss, of: row)
            default:
                guard let target, let owner = side.nodes[target], !owner.items.contains(node) else { return }
                owner.items.append(node)
                side.view.assign(target, .owner, of: row)
            }
        }

        private mutating func insert(_ side: Side) {
            last += 1
            let node = Node(in: side.context)
            node.number = last
            node.a = number(6)
            side.nodes[last] = node
            side.view.inserted.insert(last)
            side.view.rows[last] = [.a: node.a, .b: 0]
        }

        private mutating func save(_ side: Side, _ text: String) throws {
            side.view.merge(file)
            let isPossible = side.view.canSave(file)
            do throws(StoreError) {
                try side.context.save()
                saves += 1
                #expect(isPossible, "\(text): the save must fail")
                side.view.save(to: &file)
            } catch {
                refused += 1
                #expect(!isPossible, "\(text): \(error)")
                #expect([.conflict, .missingObject].contains(error.kind), "\(text): \(error)")
                side.context.rollback()
                side.view.rollback(file)
            }
            try side.merge(file)
        }

        private mutating func importRows() async throws {
            var rows: [Int] = []
            for _ in 0..<3 {
                if number(4) == 0 {
                    // Numbers of deleted rows are not used again.
                    last += 1
                    rows.append(last)
                } else {
                    let row = number(last + 1)
                    if file[row] != nil, !rows.contains(row) { rows.append(row) }
                }
            }
            let value = number(6)
            let json = rows.map { #"{"number": \#($0), "a": \#(value)}"# }.joined(separator: ", ")
            _ = try await store.importJSON(Data("[\(json)]".utf8), with: Node.mapping)
            for row in rows {
                file[row, default: [.b: 0]][.a] = value
            }
        }

        private mutating func delete(_ side: Side) throws {
            guard side.view.bases.isEmpty, side.view.inserted.isEmpty else { return }
            try side.merge(file)
            guard let row = file.keys.sorted().randomElement(using: &random), let node = side.nodes[row] else { return }
            if number(2) == 0 {
                side.context.delete(node)
                try side.context.save()
            } else {
                try side.context.delete(Node.where { $0.number == row })
            }
            file[row] = nil
            for (other, values) in file {
                for field in [Field.owner, .boss] where values[field] == row { file[other]?[field] = nil }
            }
            try side.merge(file)
        }

        /// Compares the file with the model.
        func checkFile() throws {
            let rows = try store.rows(
                sql: """
                    SELECT n."number", n."a", n."b", o."number", p."number" FROM "Node" AS n \
                    LEFT JOIN "Node" AS o ON n."owner" = o."_id" LEFT JOIN "Node" AS p ON n."boss" = p."_id" ORDER BY 1
                    """
            ).map { $0.values.map { $0.integer.map { Int($0) } } }
            let expected = file.sorted { $0.key < $1.key }.map { number, values in
                [number, values[.a], values[.b], values[.owner], values[.boss]]
            }
            #expect(rows == expected)
            #expect(try store.rows(sql: "PRAGMA foreign_key_check").isEmpty)
            let stray = try store.rows(
                sql: """
                    SELECT "q".* FROM "Node_queue" AS "q" JOIN "Node" AS "n" ON "_id" = "target" WHERE "boss" IS NOT "q"."owner" UNION ALL \
                    SELECT "boss", "_id", 0 FROM "Node" WHERE "boss" IS NOT NULL AND "_id" NOT IN \
                    (SELECT "target" FROM "Node_queue") UNION ALL \
                    SELECT "owner", 0, 0 FROM "Node_queue" GROUP BY 1 HAVING count(*) > count(DISTINCT "position")
                    """)
            #expect(stray.isEmpty)
        }
    }

    @Test(arguments: 0..<40)
    func `contexts show what a naive model shows, and save what it saves`(_ seed: Int) async throws {
        let folder = seed % 4 == 0 ? try TemporaryDirectory() : nil
        var program = try Program(seed: seed, contexts: 2 + seed % 2, in: folder)
        for step in 0..<120 { try await program.step(step) }
        try program.checkFile()
        for side in program.sides {
            side.context.rollback()
            side.view.rollback(program.file)
            try side.merge(program.file)
            side.check("end")
        }
        #expect(program.saves > 3)
    }
}
