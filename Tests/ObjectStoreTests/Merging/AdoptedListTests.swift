import ObjectMapping
import Testing

@testable import ObjectStore

private final class Tray: ManagedObject {
    @Stored(.identity) var number = 0
    @ToMany(inverse: \Letter.tray) var letters: [Letter]
    @ToMany(inverse: \Letter.queue, isOrdered: true) var queued: [Letter]
    @ToMany(inverse: \Letter.tags, isOrdered: true) var tagged: [Letter]
    @ToMany(inverse: nil, isOrdered: true) var favorites: [Letter]
}

private final class Letter: ManagedObject {
    @Stored(.identity) var number = 0
    @ToOne var tray: Tray?
    @ToOne var queue: Tray?
    @ToMany var tags: [Tray]
}

/// The lists of a new object that takes over an existing row.
@Suite struct `Lists of objects that take over rows` {
    enum List: CaseIterable { case letters, queued, tagged, favorites }

    private let store: ManagedObjectStore
    private let context: ObjectContext

    /// A tray with the letters 1 to 3 in every list; the letters 4 to 6 are in none.
    init() throws {
        store = try ManagedObjectStore(inMemory: ObjectModel(Tray.self, Letter.self))
        let first = ObjectContext(store)
        let (tray, letters) = (Tray(in: first), (1...6).map { _ in Letter(in: first) })
        for (index, letter) in letters.enumerated() { letter.number = index + 1 }
        tray.number = 1
        let members = Array(letters[..<3])
        (tray.letters, tray.queued, tray.tagged, tray.favorites) = (members, members, members, members)
        try first.save()
        context = ObjectContext(store)
    }

    private static func path(_ list: List) -> ReferenceWritableKeyPath<Tray, [Letter]> {
        switch list {
        case .letters: \.letters
        case .queued: \.queued
        case .tagged: \.tagged
        case .favorites: \.favorites
        }
    }

    private func stored(_ list: List) throws -> [Int] {
        let context = ObjectContext(store)
        return try #require(try context.find(Tray.self, 1))[keyPath: Self.path(list)].map(\.number)
    }

    @Test(arguments: List.allCases, [[5, 2], [], [3, 1, 2], [4]])
    func `an assigned list replaces that of the row`(_ list: List, _ numbers: [Int]) throws {
        let letters = try numbers.map { try #require(try context.find(Letter.self, $0)) }
        let tray = Tray(in: context)
        tray.number = 1
        tray[keyPath: Self.path(list)] = letters
        try context.save()
        let expected = list == .letters ? numbers.sorted() : numbers
        #expect(try stored(list) == expected && tray[keyPath: Self.path(list)].map(\.number) == expected)
        for other in List.allCases where other != list { #expect(try stored(other) == [1, 2, 3], "\(other)") }
        #expect(try store.rows(sql: "PRAGMA foreign_key_check").isEmpty)
    }

    @Test(arguments: List.allCases.filter { $0 != .favorites })
    func `objects that are added by their own side follow those of the row`(_ list: List) throws {
        let letters = try [5, 4].map { try #require(try context.find(Letter.self, $0)) }
        let tray = Tray(in: context)
        tray.number = 1
        for letter in letters {
            switch list {
            case .letters: letter.tray = tray
            case .queued: letter.queue = tray
            default: letter.tags = [tray]
            }
        }
        try context.save()
        let expected = list == .letters ? [1, 2, 3, 4, 5] : [1, 2, 3, 5, 4]
        #expect(try stored(list) == expected && tray[keyPath: Self.path(list)].map(\.number) == expected)
    }
}
