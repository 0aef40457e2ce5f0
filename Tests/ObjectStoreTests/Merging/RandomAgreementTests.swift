import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// What properties return, as texts by property.
private typealias View = [String: String]

/// A context, and the objects that it uses.
private final class Side {
    let context: ObjectContext
    let name: String
    var boxes: [Box] = []
    var items: [Item] = []
    /// What the properties returned after the last step.
    var last: View = [:]

    init(_ store: ManagedObjectStore, _ name: String, _ policy: MergePolicy = .throwConflict) {
        context = ObjectContext(store)
        context.mergePolicy = policy
        self.name = name
    }

    func load() throws {
        boxes = try context.fetch(Box.all).sorted { $0.id < $1.id }
        items = try context.fetch(Item.all).sorted { $0.id < $1.id }
    }

    func isAlive(_ object: some ManagedObject) -> Bool {
        object.managed.context != nil && object.managed.state != .deleted
    }

    func view() -> View {
        var view: View = [:]
        for box in boxes where isAlive(box) {
            let lists = [box.items, box.sorted, box.marks]
            let sets = [box.bag, box.likes, box.loose].map { $0.map(\.id).sorted() }
            view["box \(box.id)"] = "\(lists.map { $0.map(\.id) }) \(sets) \(box.key?.id ?? 0)"
        }
        for item in items where isAlive(item) {
            let sets = [item.labels, item.fans].map { $0.map(\.id).sorted() }
            let targets = [item.box, item.shelf, item.row, item.keyOf].map { $0?.id ?? 0 }
            view["item \(item.id)"] = "\(item.n) \(sets) \(targets)"
        }
        return view
    }

    /// Expects that both sides of the relationships of unchanged objects agree.
    func checkInverses(_ step: String) {
        func isClean(_ box: Box, _ item: Item) -> Bool {
            isAlive(box) && isAlive(item) && box.managed.state == .unchanged && item.managed.state == .unchanged
        }
        for box in boxes {
            for item in items where isClean(box, item) {
                let sides = [
                    (box.items.contains(item), item.box === box), (box.bag.contains(item), item.shelf === box),
                    (box.sorted.contains(item), item.row === box),
                    (box.marks.contains(item), item.labels.contains(box)),
                    (box.likes.contains(item), item.fans.contains(box)), (box.key === item, item.keyOf === box),
                ]
                for (index, side) in sides.enumerated() where side.0 != side.1 {
                    Issue.record("\(step): relationship \(index) of box \(box.id) and item \(item.id) is \(side)")
                }
            }
        }
    }
}

/// Contexts that change the same objects in any order: the file never contradicts itself, and every context agrees with it
/// after a merge.
@Suite struct RandomAgreementTests {
    private struct Program {
        var random: SeededGenerator
        let store: ManagedObjectStore
        let sides: [Side]
        var lastID = 6

        init(seed: Int, in folder: TemporaryDirectory) throws {
            var random = SeededGenerator(seed: seed)
            let url = folder.file("agreement.sqlite")
            let stores = try (0..<2).map { _ in try ManagedObjectStore(at: url, model: Boxes.model()) }
            store = stores[0]
            // The last one is like another process.
            sides = (0..<3).map { Side(stores[$0 / 2], "context \($0)", random.pick(Boxes.policies)) }
            self.random = random
            for id in 1...3 { _ = Box(id, in: sides[0].context) }
            for id in 1...6 { Item(id, in: sides[0].context).n = 6 - id }
            try sides[0].context.save()
            for side in sides {
                try side.load()
                side.last = side.view()
            }
        }

        mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

        private mutating func change(_ list: inout [Item], _ item: Item) {
            switch number(6) {
            case 0, 1: if !list.contains(item) { list.insert(item, at: number(list.count + 1)) }
            case 2: if !list.isEmpty { list.remove(at: number(list.count)) }
            case 3: list.shuffle(using: &random)
            case 4: if number(4) == 0 { list = [] }
            default:
                if let place = list.firstIndex(of: item) { list.remove(at: place) } else { list.append(item) }
            }
        }

        private mutating func mutate(_ side: Side) {
            let (boxes, items) = (side.boxes.filter(side.isAlive), side.items.filter(side.isAlive))
            guard !boxes.isEmpty, !items.isEmpty else { return }
            let (box, item) = (random.pick(boxes), random.pick(items))
            switch number(22) {
            case 0...3: change(&box.items, item)
            case 4: change(&box.bag, item)
            case 5: change(&box.sorted, item)
            case 6...8: change(&box.marks, item)
            case 9: change(&box.likes, item)
            case 10: change(&box.loose, item)
            case 11: box.key = item
            case 12: item.keyOf = box
            case 13: box.key = nil
            case 14, 15: item.box = box
            case 16: item.box = nil
            case 17: item.row = box
            case 18: item.n = number(9)
            case 19:
                if item.labels.contains(box) { item.labels.removeAll { $0 === box } } else { item.labels.append(box) }
            case 20: if item.fans.contains(box) { item.fans.removeAll { $0 === box } } else { item.fans.append(box) }
            default: item.shelf = box
            }
        }

        private mutating func delete(_ side: Side, isBox: Bool) {
            let objects: [ManagedObject] = isBox ? side.boxes : side.items
            let alive = objects.filter(side.isAlive)
            if !alive.isEmpty { side.context.delete(random.pick(alive)) }
        }

        mutating func step(_ step: Int) throws {
            let side = random.pick(sides)
            let kind = number(100)
            let text = "step \(step), \(side.name), action \(kind)"
            #expect(side.view() == side.last, "\(text): the properties changed between merge points")
            var isClean = false
            switch kind {
            case 0..<62: mutate(side)
            case 62..<66:
                lastID += 1
                side.items.append(Item(lastID, in: side.context))
            case 66:
                lastID += 1
                side.boxes.append(Box(lastID, in: side.context))
            case 67, 68: delete(side, isBox: false)
            case 69: delete(side, isBox: true)
            case 70..<75:
                side.context.rollback()
                isClean = true
            case 75..<82: try side.load()
            case 82, 83: try side.context.write(sql: #"UPDATE "Item" SET "n" = \#(number(9)) WHERE "id" % 3 = 0"#)
            case 84, 85:
                let saved = side.boxes.filter { side.isAlive($0) && !$0.managed.id.isTemporary }
                if !saved.isEmpty {
                    let box = random.pick(saved)
                    // Others may have deleted it.
                    _ = try? side.context.update(Item.where { $0.n < 3 }) { $0.set(\.box, to: box) }
                }
            default:
                try save(side, text)
                isClean = true
            }
            if isClean || kind >= 75 { try side.load() }
            if isClean {
                let file = Side(store, "file")
                try file.load()
                #expect(side.view() == file.view(), "\(text): it differs from the file")
                file.checkInverses("\(text), in the file")
                #expect(!side.context.hasChanges, "\(text)")
            }
            if kind >= 70 { side.checkInverses(text) }
            side.last = side.view()
        }

        private func save(_ side: Side, _ text: String) throws {
            do throws(StoreError) {
                try side.context.save()
            } catch {
                #expect([.conflict, .missingObject, .invalidObjects].contains(error.kind), "\(text): \(error)")
                side.context.rollback()
            }
            let contradictions = try Boxes.contradictions(in: store)
            #expect(contradictions == [], "\(text), \(side.context.mergePolicy)")
        }
    }

    @Test(arguments: 0..<6)
    func `the file agrees with itself and with every context`(_ seed: Int) throws {
        let folder = try TemporaryDirectory()
        var program = try Program(seed: seed, in: folder)
        for step in 0..<100 { try program.step(step) }
        #expect(try program.store.rows(sql: "PRAGMA foreign_key_check").isEmpty)
    }
}
