import ObjectMapping
import Testing

@testable import ObjectStore

private final class Bookcase: ManagedObject {
    @Stored(.identity) var number = 0
    @ToMany(inverse: \Volume.shelf, isOrdered: true) var volumes: [Volume]
    @ToMany(inverse: \Volume.readings, isOrdered: true) var read: [Volume]
    @ToOne(inverse: \Plate.shelf) var plate: Plate?
}

private final class Volume: ManagedObject {
    @Stored(.identity) var number = 0
    @ToOne var shelf: Bookcase?
    @ToMany var readings: [Bookcase]
}

private final class Plate: ManagedObject {
    @Stored(.identity) var number = 0
    @ToOne var shelf: Bookcase?
}

/// Changes of one side of a relationship whose other side is read, changed or refreshed later.
@Suite struct `Relationships that are changed from both sides` {
    private let context: ObjectContext

    /// Two shelves with the volumes 1 to 3 and 4 to 6, and two plates.
    init() throws {
        let store = try ManagedObjectStore(inMemory: ObjectModel(Bookcase.self, Volume.self, Plate.self))
        let new = ObjectContext(store)
        for number in 1...2 {
            let shelf = Bookcase(in: new)
            shelf.number = number
            Plate(in: new).number = number
            for volume in 1...3 {
                shelf.volumes.append(Volume(in: new))
                shelf.volumes[volume - 1].number = (number - 1) * 3 + volume
            }
        }
        try new.save()
        context = ObjectContext(store)
    }

    private func shelf(_ number: Int) throws -> Bookcase { try #require(try context.find(Bookcase.self, number)) }

    private func volume(_ number: Int) throws -> Volume { try #require(try context.find(Volume.self, number)) }

    private func plate(_ number: Int) throws -> Plate { try #require(try context.find(Plate.self, number)) }

    /// Saves, and expects the volumes of both shelves in memory and in the file, and one shelf for each volume.
    private func expectVolumes(_ first: [Int], _ second: [Int]) throws {
        let shelves = [try shelf(1), try shelf(2)]
        #expect(shelves.map { $0.volumes.map(\.number) } == [first, second])
        try context.save()
        context.refresh()
        #expect(shelves.map { $0.volumes.map(\.number) } == [first, second])
        let sql = """
            SELECT count(*) FROM "Volume" LEFT JOIN "Bookcase_volumes" ON "target" = "Volume"."_id" \
            WHERE "shelf" IS NOT "owner"
            """
        #expect(try context.store.rows(sql: sql).first?.values == [0])
    }

    @Test func `a list that is read after an object left it keeps its order when an object is inserted`() throws {
        try volume(1).shelf = try shelf(2)
        try shelf(1).volumes.insert(try volume(6), at: 1)
        try expectVolumes([2, 6, 3], [4, 5, 1])
    }

    @Test func `a list that is read after an object was deleted keeps its order when an object is inserted`() throws {
        context.delete(try volume(1))
        try shelf(1).volumes.insert(try volume(4), at: 1)
        try expectVolumes([2, 4, 3], [5, 6])
    }

    @Test func `a list that is read after an object was added has it at its position`() throws {
        try volume(4).shelf = try shelf(1)
        let shelf = try shelf(1)
        shelf.volumes.swapAt(0, 3)
        try expectVolumes([4, 2, 3, 1], [5, 6])
    }

    @Test func `an ordered list of many-to-many that is changed by both sides has the order of the list`() throws {
        let shelf = try shelf(1)
        shelf.read = [try volume(1), try volume(2)]
        try context.save()
        context.refresh()
        try volume(3).readings.append(shelf)
        shelf.read.insert(try volume(5), at: 0)
        shelf.read.swapAt(0, 3)
        #expect(shelf.read.map(\.number) == [3, 1, 2, 5])
        try context.save()
        context.refresh()
        #expect(shelf.read.map(\.number) == [3, 1, 2, 5])
    }

    // MARK: Refreshed objects

    @Test func `an object that was added to a list and is refreshed leaves the list`() throws {
        let volume = try volume(4)
        try shelf(1).volumes.insert(volume, at: 0)
        context.refresh(volume)
        try expectVolumes([1, 2, 3], [4, 5, 6])
    }

    @Test func `an object that was removed from a list and is refreshed returns to the list`() throws {
        let (shelf, volume) = (try shelf(1), try volume(3))
        shelf.volumes.removeLast()
        context.refresh(volume)
        try expectVolumes([1, 2, 3], [4, 5, 6])
    }

    @Test(arguments: [false, true])
    func `a one-to-one relationship is refreshed on both sides`(isOwner: Bool) throws {
        let (one, two) = (try shelf(1), try shelf(2))
        let (first, second) = (try plate(1), try plate(2))
        (one.plate, two.plate) = (first, second)
        try context.save()
        one.plate = nil
        two.plate = first
        context.refresh(isOwner ? two : first)
        try context.save()
        context.refresh()
        for shelf in [one, two] { if let plate = shelf.plate { #expect(plate.shelf === shelf) } }
        for plate in [first, second] { if let shelf = plate.shelf { #expect(shelf.plate === plate) } }
        #expect(isOwner ? two.plate === second : one.plate === first)
    }
}
