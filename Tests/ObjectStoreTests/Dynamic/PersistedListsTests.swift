import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

private final class Ship: ManagedObject, Persistable {
    @Stored(.identity) var number = 0
    @Stored var name = ""
    @ToMany(inverse: \Hand.ranks, isOrdered: true) var ranked: [Hand]
    @ToMany(inverse: \Hand.visits) var guests: [Hand]
    @ToMany(inverse: \Hand.ship, isOrdered: true) var crew: [Hand]
    @ToMany(inverse: \Hand.owner) var staff: [Hand]
}

private final class Hand: ManagedObject, Persistable {
    @Stored(.identity) var number = 0
    @Stored var name = ""
    @ToMany var ranks: [Ship]
    @ToMany var visits: [Ship]
    @ToOne var ship: Ship?
    @ToOne var owner: Ship?
}

/// Lists in the file after `persist()` of single objects.
@Suite struct PersistedListsTests {
    private func makeContext() throws -> ObjectContext {
        try ObjectContext(ManagedObjectStore(inMemory: ObjectModel(Ship.self, Hand.self)))
    }

    private func makeHands(_ count: Int, in context: ObjectContext) -> [Hand] {
        (1...count).map { number in
            let hand = Hand(in: context)
            hand.number = number
            return hand
        }
    }

    @Test func `an assignment after both sides were persisted reaches the file`() async throws {
        let context = try makeContext()
        let (first, second) = (Ship(in: context), Ship(in: context))
        (first.number, second.number) = (1, 2)
        let hands = makeHands(2, in: context)
        try await context.save()
        second.guests = [hands[1], hands[0]]
        try await hands[1].persist()
        try await second.persist()
        #expect(!context.hasChanges)
        hands[0].visits = [first]
        #expect(second.guests == [hands[1]])
        try await hands[0].persist()
        let other = ObjectContext(context.store)
        #expect(try await other.fetch(Ship.all).map { $0.guests.map(\.number) } == [[1], [2]])
        #expect(try await other.fetch(Hand.all).map { $0.visits.map(\.number) } == [[1], [2]])
    }

    @Test(arguments: [true, false])
    func `an ordered list with new objects remains a change until they are persisted`(hasOneOwner: Bool) async throws {
        let context = try makeContext()
        let list: ReferenceWritableKeyPath<Ship, [Hand]> = hasOneOwner ? \.crew : \.ranked
        let ship = Ship(in: context)
        try await ship.persist()
        let hands = makeHands(3, in: context)
        for hand in hands.prefix(2) { try await hand.persist() }
        ship[keyPath: list] = [hands[2], hands[1], hands[0]]
        try await ship.persist()
        #expect(ship.persistenceState == .changed)
        for hand in hands { try await hand.persist() }
        #expect(ship[keyPath: list] == [hands[2], hands[1], hands[0]])
        try await ship.persist()
        #expect(ship.persistenceState == .existing)
        #expect(!context.hasChanges)
        let other = ObjectContext(context.store)
        #expect(try await other.fetch(Ship.all).first?[keyPath: list].map(\.number) == [3, 2, 1])
    }

    @Test func `an object that is deleted alone leaves lists without changes`() async throws {
        let context = try makeContext()
        let ship = Ship(in: context)
        let hands = makeHands(3, in: context)
        (ship.ranked, ship.crew) = (hands, hands)
        try await context.save()
        ship.ranked = hands.reversed()
        try await hands[1].delete()
        #expect(ship.persistenceState == .changed)
        try await ship.persist()
        #expect(!context.hasChanges)
        let other = ObjectContext(context.store)
        let stored = try #require(try await other.fetch(Ship.all).first)
        #expect([stored.ranked, stored.crew].map { $0.map(\.number) } == [[3, 1], [1, 3]])
    }

    @Test func `an object leaves an owner whose deletion is not saved yet`() async throws {
        let context = try makeContext()
        let ship = Ship(in: context)
        let hand = makeHands(1, in: context)[0]
        (hand.ship, hand.owner) = (ship, ship)
        try await context.save()
        (hand.ship, hand.owner) = (nil, nil)
        context.delete(ship)
        try await hand.persist()
        #expect(hand.persistenceState == .existing)
        #expect(ship.persistenceState == .deleted)
        let other = ObjectContext(context.store)
        #expect(try await other.count(Ship.all.where { $0.crew.isEmpty && $0.staff.isEmpty }) == 1)
    }

    @Test(arguments: 0..<40)
    func `lists in the file are those of persisted objects`(seed: Int) async throws {
        var run = try Run(seed: UInt64(seed), context: makeContext())
        for _ in 0..<25 where run.differences.isEmpty { await run.step() }
        #expect(run.differences.isEmpty, "\((run.log + run.differences).joined(separator: "\n"))")
    }
}

/// Random changes of lists, which are persisted object by object, or together.
private struct Run {
    private var random: SeededGenerator
    private var context: ObjectContext
    private var ships: [Ship] = []
    private var hands: [Hand] = []
    private var count = 0
    /// The numbers of objects that are deleted and not saved.
    private var deleted: Set<Int> = []
    /// Whether all lists are read, so that a change is one of both sides.
    private let readsLists: Bool
    private(set) var log: [String] = []
    private(set) var differences: [String] = []

    init(seed: UInt64, context: ObjectContext) throws {
        random = SeededGenerator(seed: seed)
        readsLists = seed % 2 == 0
        self.context = context
        for _ in 0..<2 { add(Ship(in: context)) }
        for _ in 0..<3 { add(Hand(in: context)) }
        if Bool.random(using: &random) { try context.save() }
    }

    private mutating func add(_ ship: Ship) {
        count += 1
        ship.number = count
        ships.append(ship)
    }

    private mutating func add(_ hand: Hand) {
        count += 1
        hand.number = count
        hands.append(hand)
    }

    mutating func step() async {
        do {
            try await change()
        } catch {
            log.append("\(error) \((error as? StoreError)?.conflicts ?? [])")
            differences.append("\(error)")
        }
    }

    private mutating func change() async throws {
        for ship in ships where readsLists { _ = [ship.ranked, ship.guests, ship.crew, ship.staff] }
        for hand in hands where readsLists { _ = [hand.ranks, hand.visits] }
        switch Int.random(in: 0..<24, using: &random) {
        case 0..<6: changeList(of: ships.randomElement(using: &random))
        case 6..<9: changeList(of: hands.randomElement(using: &random))
        case 9..<12: try changeTarget()
        case 12..<15: try await persist(ships.randomElement(using: &random))
        case 15..<19: try await persist(hands.randomElement(using: &random))
        case 19:
            Bool.random(using: &random) ? add(Ship(in: context)) : add(Hand(in: context))
            log.append("new \(count)")
        case 20: try await remove()
        case 21:
            log.append("rollback")
            context.rollback()
            deleted = []
            ships.removeAll { $0.core == nil }
            hands.removeAll { $0.core == nil }
        case 22: try await changeInOther()
        default: try await save()
        }
    }

    /// Changes a list by an assignment, an appended object, a move or a removal.
    private mutating func change<Element>(_ list: [Element], from all: [Element]) -> [Element] {
        var list = list
        switch Int.random(in: 0..<4, using: &random) {
        case 0: list = Array(all.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)))
        case 1: if let element = all.randomElement(using: &random) { list.append(element) }
        case 2: list.shuffle(using: &random)
        default: if !list.isEmpty { list.remove(at: Int.random(in: list.indices, using: &random)) }
        }
        return list
    }

    private mutating func changeList(of ship: Ship?) {
        guard let ship else { return }
        let lists: [(String, ReferenceWritableKeyPath<Ship, [Hand]>)] = [
            ("ranked", \.ranked), ("guests", \.guests), ("crew", \.crew), ("staff", \.staff),
        ]
        let (name, list) = lists[Int.random(in: 0..<4, using: &random)]
        ship[keyPath: list] = change(ship[keyPath: list], from: hands)
        log.append("ship \(ship.number).\(name) = \(ship[keyPath: list].map(\.number))")
    }

    private mutating func changeList(of hand: Hand?) {
        guard let hand else { return }
        let isFirst = Bool.random(using: &random)
        let list: ReferenceWritableKeyPath<Hand, [Ship]> = isFirst ? \.ranks : \.visits
        hand[keyPath: list] = change(hand[keyPath: list], from: ships)
        log.append("hand \(hand.number).\(isFirst ? "ranks" : "visits") = \(hand[keyPath: list].map(\.number))")
    }

    private mutating func changeTarget() throws {
        guard let hand = hands.randomElement(using: &random) else { return }
        let ship = Int.random(in: 0..<4, using: &random) == 0 ? nil : ships.randomElement(using: &random)
        let isFirst = Bool.random(using: &random)
        if isFirst { hand.ship = ship } else { hand.owner = ship }
        log.append("hand \(hand.number).\(isFirst ? "ship" : "owner") = \(ship?.number ?? 0)")
    }

    private mutating func remove() async throws {
        guard ships.count > 1, hands.count > 1 else { return }
        let (isAlone, isShip) = (Bool.random(using: &random), Bool.random(using: &random))
        if isShip {
            let ship = ships.remove(at: Int.random(in: ships.indices, using: &random))
            log.append("delete ship \(ship.number) \(isAlone) \(ship.persistenceState)")
            let number = ship.number
            if isAlone, ship.hasRow { return try await ship.delete() }
            context.delete(ship)
            deleted.insert(number)
        } else {
            let hand = hands.remove(at: Int.random(in: hands.indices, using: &random))
            log.append("delete hand \(hand.number) \(isAlone) \(hand.persistenceState)")
            let number = hand.number
            if isAlone, hand.hasRow { return try await hand.delete() }
            context.delete(hand)
            deleted.insert(number)
        }
        try await compare()
    }

    /// Saves changes of another context while this one has none.
    private mutating func changeInOther() async throws {
        try await save()
        let other = ObjectContext(context.store)
        let (first, second) = (context, (ships, hands))
        context = other
        (ships, hands) = try await (other.fetch(Ship.all), other.fetch(Hand.all))
        log.append("other {")
        for _ in 0..<3 { changeList(of: ships.randomElement(using: &random)) }
        try changeTarget()
        try await save()
        log.append("}")
        if Bool.random(using: &random) { return }
        (context, ships, hands) = (first, second.0, second.1)
        _ = try await (context.fetch(Ship.all), context.fetch(Hand.all))
    }

    private mutating func save() async throws {
        log.append("save")
        try await context.save()
        deleted = []
        if context.hasChanges { differences.append("changes after save()") }
        try await compare()
        for object in ships as [ManagedObject] + hands where !object.hasRow { differences.append("no row") }
        for ship in ships { try await compare(ship) }
        for hand in hands { try await compare(hand) }
    }

    private mutating func persist(_ ship: Ship?) async throws {
        guard let ship else { return }
        log.append("persist ship \(ship.number)")
        try await ship.persist()
        try await compare()
        if readsLists { try await compare(ship) }
    }

    private mutating func persist(_ hand: Hand?) async throws {
        guard let hand, [hand.ship, hand.owner].allSatisfy({ $0?.hasRow ?? true }) else { return }
        log.append("persist hand \(hand.number)")
        try await hand.persist()
        try await compare()
        if readsLists { try await compare(hand) }
    }

    // MARK: Comparisons

    private mutating func expect(_ name: String, _ memory: [Int], _ file: [Int]?) {
        let file = file?.filter { !deleted.contains($0) }
        if memory != file { differences.append("\(name): \(memory), file \(file ?? [])") }
    }

    /// Compares a ship with the file; its hands with one owner are in the file as far as they were persisted.
    private mutating func compare(_ ship: Ship) async throws {
        let other = ObjectContext(context.store)
        let stored = try await Ship.find(oid: ship.oid, in: other)
        func saved(_ list: [Hand]) -> [Int] { list.filter(\.hasRow).map(\.number) }
        let name = "ship \(ship.number)"
        expect("\(name).ranked", saved(ship.ranked), stored?.ranked.map(\.number))
        expect("\(name).guests", saved(ship.guests).sorted(), stored?.guests.map(\.number).sorted())
        let crew = saved(ship.crew)
        let common = (stored?.crew.map(\.number) ?? []).filter(crew.contains)
        expect("\(name).crew", crew.filter(common.contains), common)
    }

    private mutating func compare(_ hand: Hand) async throws {
        let other = ObjectContext(context.store)
        let stored = try await Hand.find(oid: hand.oid, in: other)
        func saved(_ list: [Ship]) -> [Int] { list.filter(\.hasRow).map(\.number).sorted() }
        let name = "hand \(hand.number)"
        expect("\(name).ranks", saved(hand.ranks), stored?.ranks.map(\.number).sorted())
        expect("\(name).visits", saved(hand.visits), stored?.visits.map(\.number).sorted())
        expect("\(name).ship", [hand.ship?.number].compactMap(\.self), [stored?.ship?.number].compactMap(\.self))
        expect("\(name).owner", [hand.owner?.number].compactMap(\.self), [stored?.owner?.number].compactMap(\.self))
    }

    /// Compares both sides of all relationships, in memory and in the file; and everything if nothing is unsaved.
    private mutating func compare() async throws {
        let other = ObjectContext(context.store)
        compareSides(ships, hands, "memory")
        try await compareSides(other.fetch(Ship.all), other.fetch(Hand.all), "file")
        guard !context.hasChanges else { return }
        for ship in ships { try await compare(ship) }
        for hand in hands { try await compare(hand) }
    }

    private mutating func compareSides(_ ships: [Ship], _ hands: [Hand], _ name: String) {
        for ship in ships {
            for hand in hands {
                let sides = [
                    (ship.ranked.contains(hand), hand.ranks.contains(ship)),
                    (ship.guests.contains(hand), hand.visits.contains(ship)),
                    (ship.crew.contains(hand), hand.ship === ship), (ship.staff.contains(hand), hand.owner === ship),
                ]
                for (index, (first, second)) in sides.enumerated() where first != second {
                    expect(
                        "\(name) \(index) ship \(ship.number), hand \(hand.number)", first ? [1] : [], second ? [1] : []
                    )
                }
            }
        }
    }
}

extension ManagedObject {
    fileprivate var hasRow: Bool { core != nil && row > 0 }
}
