import Foundation
import ObjectMapping
import Testing

@testable import ObjectStore

private final class Deck: ManagedObject {
    @Stored(.identity) var number = 0
    @ToMany(inverse: \Card.deck, isOrdered: true) var cards: [Card]
    @ToOne(inverse: \Cover.deck) var cover: Cover?
}

private final class Card: ManagedObject {
    @Stored(.identity) var number = 0
    @ToOne var deck: Deck?
}

private final class Cover: ManagedObject {
    @Stored(.identity) var number = 0
    @ToOne var deck: Deck?
}

/// Two contexts that change the same relationship, each from its own side.
@Suite struct `Relationships that two contexts change` {
    private let store: ManagedObjectStore
    private let first: ObjectContext
    private let second: ObjectContext

    init() throws {
        store = try ManagedObjectStore(inMemory: ObjectModel(Deck.self, Card.self, Cover.self))
        first = ObjectContext(store)
        second = ObjectContext(store)
        for number in 1...2 {
            Deck(in: first).number = number
            Cover(in: first).number = number
        }
        for number in 1...9 { Card(in: first).number = number }
        try first.save()
    }

    private func deck(_ number: Int, in context: ObjectContext) throws -> Deck {
        try #require(try context.find(Deck.self, number))
    }

    private func cover(_ number: Int, in context: ObjectContext) throws -> Cover {
        try #require(try context.find(Cover.self, number))
    }

    private func cards(_ numbers: [Int], in context: ObjectContext) throws -> [Card] {
        try numbers.map { try #require(try context.find(Card.self, $0)) }
    }

    /// The decks of a context with their covers and cards, followed by the decks of the covers and cards.
    private func graph(_ context: ObjectContext) throws -> [String] {
        let decks = try context.fetch(Deck.all.sorted(by: \.number)).map { deck in
            "\(deck.number): \(deck.cover?.number ?? 0) \(deck.cards.map(\.number))"
        }
        let covers = try context.fetch(Cover.all.sorted(by: \.number)).map { $0.deck?.number ?? 0 }
        let cards = try context.fetch(Card.all.sorted(by: \.number)).map { $0.deck?.number ?? 0 }
        return decks + ["\(covers)", "\(cards.prefix(3))"]
    }

    private func expectGraph(_ expected: [String]) throws {
        #expect(try graph(second) == expected)
        #expect(try graph(ObjectContext(store)) == expected)
    }

    // MARK: One-to-one

    @Test(arguments: [MergePolicy.storeWins, .objectWins])
    func `both sides of a one-to-one relationship have the same winner`(_ policy: MergePolicy) throws {
        second.mergePolicy = policy
        let (mine, cover) = (try deck(2, in: second), try cover(1, in: second))
        try deck(1, in: first).cover = self.cover(1, in: first)
        mine.cover = cover
        try first.save()
        try second.save()
        let isStore = policy == .storeWins
        #expect(mine.cover === (isStore ? nil : cover))
        try expectGraph([
            isStore ? "1: 1 []" : "1: 0 []", isStore ? "2: 0 []" : "2: 1 []", isStore ? "[1, 0]" : "[2, 0]",
            "[0, 0, 0]",
        ])
    }

    @Test(arguments: [MergePolicy.storeWins, .objectWins])
    func `an object whose target was taken by others refers to nothing`(_ policy: MergePolicy) throws {
        second.mergePolicy = policy
        let mine = try deck(1, in: second)
        try deck(1, in: first).cover = self.cover(1, in: first)
        mine.cover = try cover(2, in: second)
        try first.save()
        try second.save()
        let isStore = policy == .storeWins
        try expectGraph([isStore ? "1: 1 []" : "1: 2 []", "2: 0 []", isStore ? "[1, 0]" : "[0, 1]", "[0, 0, 0]"])
    }

    @Test func `a new object that takes over a row leaves the former target of the row without an object`() throws {
        try deck(1, in: first).cover = cover(1, in: first)
        try first.save()
        let new = Deck(in: second)
        new.number = 1
        new.cover = Cover(in: second)
        new.cover?.number = 3
        try second.save()
        try expectGraph(["1: 3 []", "2: 0 []", "[0, 0, 1]", "[0, 0, 0]"])
    }

    // MARK: Ordered lists

    @Test(arguments: [MergePolicy.storeWins, .objectWins])
    func `an object that two contexts put into different lists is in one list`(_ policy: MergePolicy) throws {
        second.mergePolicy = policy
        let mine = try deck(2, in: second)
        let cards = try cards([1, 2], in: second)
        try deck(1, in: first).cards = self.cards([2, 1, 3], in: first)
        mine.cards = cards
        try first.save()
        try second.save()
        if policy == .storeWins {
            try expectGraph(["1: 0 [2, 1, 3]", "2: 0 []", "[0, 0]", "[1, 1, 1]"])
        } else {
            try expectGraph(["1: 0 [3]", "2: 0 [1, 2]", "[0, 0]", "[2, 2, 1]"])
        }
    }

    @Test(arguments: [MergePolicy.storeWins, .objectWins])
    func `an object that one context removes and the other one moves is in the list of the winner`(
        _ policy: MergePolicy
    ) throws {
        try deck(1, in: first).cards = cards([1, 2], in: first)
        try first.save()
        second.mergePolicy = policy
        let removed = try cards([1], in: second)[0]
        try deck(2, in: first).cards = cards([1], in: first)
        removed.deck = nil
        try first.save()
        try second.save()
        let isStore = policy == .storeWins
        try expectGraph([
            "1: 0 [2]", isStore ? "2: 0 [1]" : "2: 0 []", "[0, 0]", isStore ? "[2, 1, 0]" : "[0, 1, 0]",
        ])
    }

    @Test func `a list to which two contexts have appended keeps the order of a later change`() throws {
        let list = try deck(1, in: first)
        list.cards = try cards([1, 2], in: first)
        try first.save()
        let same = try deck(1, in: second)
        same.cards.append(try cards([4], in: second)[0])
        list.cards.append(try cards([3], in: first)[0])
        try first.save()
        try second.save()
        let third = ObjectContext(store)
        let changed = try deck(1, in: third)
        #expect(changed.cards.map(\.number) == [1, 2, 3, 4])
        changed.cards[2] = try cards([9], in: third)[0]
        try third.save()
        third.refresh()
        #expect(changed.cards.map(\.number) == [1, 2, 9, 4])
    }

    // MARK: Lists that are changed together

    @Test func `ordered lists that are swapped keep their order in the file`() throws {
        let (one, two) = (try deck(1, in: first), try deck(2, in: first))
        one.cards = try cards([3, 1, 2], in: first)
        two.cards = try cards([6, 4, 5, 7], in: first)
        try first.save()
        swap(&one.cards, &two.cards)
        one.cards.swapAt(0, 3)
        #expect(one.cards.map(\.number) == [7, 4, 5, 6] && two.cards.map(\.number) == [3, 1, 2])
        try first.save()
        try expectGraph(["1: 0 [7, 4, 5, 6]", "2: 0 [3, 1, 2]", "[0, 0]", "[2, 2, 2]"])
    }

    @Test func `lists that are swapped before the first one is cleared leave no rows`() throws {
        let (one, two) = (try deck(1, in: first), try deck(2, in: first))
        one.cards = try cards([1, 2, 3], in: first)
        two.cards = try cards([4, 5], in: first)
        try first.save()
        swap(&one.cards, &two.cards)
        two.cards = []
        try first.save()
        try expectGraph(["1: 0 [4, 5]", "2: 0 []", "[0, 0]", "[0, 0, 0]"])
        #expect(try store.rows(sql: "SELECT count(*) FROM Deck_cards").first?.values == [2])
    }

    @Test func `a new object of a deleted owner is saved without an owner`() throws {
        let owner = try deck(1, in: first)
        let new = Card(in: first)
        (new.number, new.deck) = (10, owner)
        first.delete(owner)
        #expect(new.deck == nil)
        try first.save()
        #expect(new.deck == nil && first.hasChanges == false)
        try expectGraph(["2: 0 []", "[0, 0]", "[0, 0, 0]"])
        #expect(try store.rows(sql: "SELECT deck FROM Card WHERE number = 10").first?.values == [.null])
    }

    @Test(arguments: [false, true])
    func `an object that leaves a list and returns has the position of the list`(isMoved: Bool) throws {
        let (one, two) = (try deck(1, in: first), try deck(2, in: first))
        one.cards = try cards([1, 2, 3], in: first)
        two.cards = try cards([4], in: first)
        try first.save()
        let card = one.cards[1]
        if isMoved { two.cards.append(card) } else { card.deck = nil }
        one.cards.insert(card, at: 1)
        #expect(one.cards.map(\.number) == [1, 2, 3])
        try first.save()
        try expectGraph(["1: 0 [1, 2, 3]", "2: 0 [4]", "[0, 0]", "[1, 1, 1]"])
    }
}
