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
    var cartons: [Carton] = []
    var sundries: [Sundry] = []
    /// What the properties returned after the last step.
    var last: View = [:]

    init(_ store: ManagedObjectStore, _ name: String, _ policy: MergePolicy = .throwConflict) {
        context = ObjectContext(store)
        context.mergePolicy = policy
        self.name = name
    }

    func load() throws {
        cartons = try context.fetch(Carton.all).sorted { $0.id < $1.id }
        sundries = try context.fetch(Sundry.all).sorted { $0.id < $1.id }
    }

    func isAlive(_ object: some ManagedObject) -> Bool {
        object.managed.context != nil && object.managed.state != .deleted
    }

    func view() -> View {
        var view: View = [:]
        for carton in cartons where isAlive(carton) {
            let lists = [carton.sundries, carton.sorted, carton.marks]
            let sets = [carton.bag, carton.likes, carton.loose].map { $0.map(\.id).sorted() }
            view["carton \(carton.id)"] = "\(lists.map { $0.map(\.id) }) \(sets) \(carton.key?.id ?? 0)"
        }
        for sundry in sundries where isAlive(sundry) {
            let sets = [sundry.labels, sundry.fans].map { $0.map(\.id).sorted() }
            let targets = [sundry.carton, sundry.shelf, sundry.row, sundry.keyOf].map { $0?.id ?? 0 }
            view["sundry \(sundry.id)"] = "\(sundry.n) \(sets) \(targets)"
        }
        return view
    }

    /// Expects that both sides of the relationships of unchanged objects agree.
    func checkInverses(_ step: String) {
        func isClean(_ carton: Carton, _ sundry: Sundry) -> Bool {
            isAlive(carton) && isAlive(sundry) && carton.managed.state == .unchanged
                && sundry.managed.state == .unchanged
        }
        for carton in cartons {
            for sundry in sundries where isClean(carton, sundry) {
                let sides = [
                    (carton.sundries.contains(sundry), sundry.carton === carton),
                    (carton.bag.contains(sundry), sundry.shelf === carton),
                    (carton.sorted.contains(sundry), sundry.row === carton),
                    (carton.marks.contains(sundry), sundry.labels.contains(carton)),
                    (carton.likes.contains(sundry), sundry.fans.contains(carton)),
                    (carton.key === sundry, sundry.keyOf === carton),
                ]
                for (index, side) in sides.enumerated() where side.0 != side.1 {
                    Testing.Issue.record(
                        "\(step): relationship \(index) of carton \(carton.id) and sundry \(sundry.id) is \(side)")
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
            let stores = try (0..<2).map { _ in try ManagedObjectStore(at: url, model: Cartons.model()) }
            store = stores[0]
            // The last one is like another process.
            sides = (0..<3).map { Side(stores[$0 / 2], "context \($0)", random.pick(Cartons.policies)) }
            self.random = random
            for id in 1...3 { _ = Carton(id, in: sides[0].context) }
            for id in 1...6 { Sundry(id, in: sides[0].context).n = 6 - id }
            try sides[0].context.save()
            for side in sides {
                try side.load()
                side.last = side.view()
            }
        }

        mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

        private mutating func change(_ list: inout [Sundry], _ sundry: Sundry) {
            switch number(6) {
            case 0, 1: if !list.contains(sundry) { list.insert(sundry, at: number(list.count + 1)) }
            case 2: if !list.isEmpty { list.remove(at: number(list.count)) }
            case 3: list.shuffle(using: &random)
            case 4: if number(4) == 0 { list = [] }
            default:
                if let place = list.firstIndex(of: sundry) { list.remove(at: place) } else { list.append(sundry) }
            }
        }

        private mutating func mutate(_ side: Side) {
            let (cartons, sundries) = (side.cartons.filter(side.isAlive), side.sundries.filter(side.isAlive))
            guard !cartons.isEmpty, !sundries.isEmpty else { return }
            let (carton, sundry) = (random.pick(cartons), random.pick(sundries))
            switch number(22) {
            case 0...3: change(&carton.sundries, sundry)
            case 4: change(&carton.bag, sundry)
            case 5: change(&carton.sorted, sundry)
            case 6...8: change(&carton.marks, sundry)
            case 9: change(&carton.likes, sundry)
            case 10: change(&carton.loose, sundry)
            case 11: carton.key = sundry
            case 12: sundry.keyOf = carton
            case 13: carton.key = nil
            case 14, 15: sundry.carton = carton
            case 16: sundry.carton = nil
            case 17: sundry.row = carton
            case 18: sundry.n = number(9)
            case 19:
                if sundry.labels.contains(carton) {
                    sundry.labels.removeAll { $0 === carton }
                } else {
                    sundry.labels.append(carton)
                }
            case 20:
                if sundry.fans.contains(carton) {
                    sundry.fans.removeAll { $0 === carton }
                } else {
                    sundry.fans.append(carton)
                }
            default: sundry.shelf = carton
            }
        }

        private mutating func delete(_ side: Side, isCarton: Bool) {
            let objects: [ManagedObject] = isCarton ? side.cartons : side.sundries
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
                side.sundries.append(Sundry(lastID, in: side.context))
            case 66:
                lastID += 1
                side.cartons.append(Carton(lastID, in: side.context))
            case 67, 68: delete(side, isCarton: false)
            case 69: delete(side, isCarton: true)
            case 70..<75:
                side.context.rollback()
                isClean = true
            case 75..<82: try side.load()
            case 82, 83: try side.context.write(sql: #"UPDATE "Sundry" SET "n" = \#(number(9)) WHERE "id" % 3 = 0"#)
            case 84, 85:
                let saved = side.cartons.filter { side.isAlive($0) && !$0.managed.id.isTemporary }
                if !saved.isEmpty {
                    let carton = random.pick(saved)
                    // Others may have deleted it.
                    _ = try? side.context.update(Sundry.where { $0.n < 3 }) { $0.set(\.carton, to: carton) }
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
            let contradictions = try Cartons.contradictions(in: store)
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
