import Foundation
import ObjectMapping
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

final class LinkedMember: ManagedObject, Mappable {
    @Stored(.identity) var id = 0
    @Stored var name = ""
    @Stored var clubIDs: [Int] = []
    @ToMany var clubs: [LinkedClub]
    @ToOne var pass: LinkedPass?

    static let mapping = Mapping(LinkedMember.self) {
        Attribute("id", \.id)
        Attribute("name", \.name)
        Attribute("club_ids", \.clubIDs)
        Connection(\.clubs, by: \.clubIDs)
    }
}

final class LinkedClub: ManagedObject, Mappable {
    @Stored(.identity) var id = 0
    @Stored var name = ""
    @ToMany(inverse: \LinkedMember.clubs) var members: [LinkedMember]

    static let mapping = Mapping(LinkedClub.self) {
        Attribute("id", \.id)
        Attribute("name", \.name)
    }
}

final class LinkedPass: ManagedObject, Mappable {
    @Stored(.identity) var id = 0
    @Stored var code = ""
    @Stored var memberID: Int? = nil
    @ToOne(inverse: \LinkedMember.pass) var member: LinkedMember?

    static let mapping = Mapping(LinkedPass.self) {
        Attribute("id", \.id)
        Attribute("code", \.code)
        Attribute("member_id", \.memberID)
        Connection(\.member, by: \.memberID)
    }
}

@Suite struct `Relationships in a save through a remote` {
    private let remote = ScriptedRemote()

    init() {
        let last = Mutex(0)
        remote.onSave { change in
            guard change.operation == .insert else { return .saved() }
            let id = last.withLock { last in
                last += 1
                return last
            }
            let payload: JSON = ["id": .integer(id)]
            switch change.object.entity {
            case "LinkedMember": return .saved(RemoteObjects(payload, with: LinkedMember.mapping))
            case "LinkedClub": return .saved(RemoteObjects(payload, with: LinkedClub.mapping))
            default: return .saved(RemoteObjects(payload, with: LinkedPass.mapping))
            }
        }
    }

    private func store(_ file: URL = URL(filePath: ":memory:")) async throws -> ManagedObjectStore {
        try await remote.store(file, ObjectModel(LinkedMember.self, LinkedClub.self, LinkedPass.self))
    }

    @Test @MainActor func `sends the objects of a list with their identities, after they were saved`() async throws {
        let context = try await store().mainContext
        let member = LinkedMember(in: context)
        member.clubs = [LinkedClub(in: context), LinkedClub(in: context)]
        try await context.save()
        #expect(remote.journal == ["insert LinkedClub", "insert LinkedClub", "insert LinkedMember"])
        let change = try #require(remote.changes.last)
        #expect(change.members["clubs"]?.map { $0.identity["id"] } == [.integer(1), .integer(2)])
        #expect(change.values["clubIDs"] == .text("[1,2]"))
        #expect(!context.hasChanges && member.clubIDs == [1, 2])
        let other = ObjectContext(context.store)
        #expect(try await other.fetch(LinkedMember.all).first?.clubs.map(\.id) == [1, 2])
        #expect(try await other.fetch(LinkedClub.all).map { $0.members.count } == [1, 1])
    }

    @Test @MainActor func `sends a changed list with its owner only`() async throws {
        let context = try await store().mainContext
        let (member, first, second) = (LinkedMember(in: context), LinkedClub(in: context), LinkedClub(in: context))
        member.clubs = [first]
        try await context.save()
        let count = remote.changes.count
        _ = second.members
        member.clubs.append(second)
        try await context.save()
        #expect(remote.journal.suffix(from: count) == ["update LinkedMember"])
        #expect(remote.changes.last?.members["clubs"]?.count == 2)
        #expect(!context.hasChanges)
        member.clubs.removeAll { $0 === first }
        try await context.save()
        #expect(remote.changes.last?.members["clubs"]?.count == 1)
        let other = ObjectContext(context.store)
        #expect(try await other.fetch(LinkedMember.all).first?.clubs.map(\.id) == [second.id])
    }

    @Test @MainActor func `keeps a refused list out of the file, from either side`() async throws {
        let context = try await store().mainContext
        let (member, club) = (LinkedMember(in: context), LinkedClub(in: context))
        try await context.save()
        _ = club.members
        member.clubs = [club]
        remote.onSave { _ in .refused(RemoteRefusal("full")) }
        let error = await #expect(throws: StoreError.self) { try await context.save() }
        #expect(error?.outcomes.map(\.kind) == [.refused])
        let other = ObjectContext(context.store)
        #expect(try await other.fetch(LinkedMember.all).first?.clubs.isEmpty == true)
        #expect(member.clubs == [club] && context.hasChanges)
        remote.onSave { _ in .saved() }
        try await context.save()
        #expect(try await other.fetch(LinkedClub.all).first?.members.count == 1)
        #expect(!context.hasChanges)
    }

    @Test @MainActor func `sends both sides of a one-to-one relationship`() async throws {
        let context = try await store().mainContext
        let member = LinkedMember(in: context)
        member.pass = LinkedPass(in: context)
        try await context.save()
        #expect(remote.journal == ["insert LinkedMember", "insert LinkedPass", "update LinkedMember"])
        #expect(remote.changes[1].targets["member"]??.identity["id"] == .integer(1))
        #expect(remote.changes[1].values["memberID"] == .integer(1))
        #expect(remote.changes[2].targets["pass"]??.identity["id"] == .integer(2))
        #expect(!context.hasChanges && member.pass?.memberID == 1)
        let other = ObjectContext(context.store)
        let saved = try #require(try await other.fetch(LinkedMember.all).first)
        #expect(saved.pass?.member === saved)
        member.pass = nil
        try await context.save()
        #expect(remote.changes.suffix(2).map { $0.targets.values.map { $0 == nil } } == [[true], [true]])
        #expect(remote.changes.suffix(2).contains { $0.values["memberID"] == .null })
        #expect(!context.hasChanges)
    }

    @Test @MainActor func `accepts an answer that connects a one-to-one relationship itself`() async throws {
        let context = try await store().mainContext
        let (member, pass) = (LinkedMember(in: context), LinkedPass(in: context))
        try await context.save()
        remote.onSave { change in
            guard change.object.entity == "LinkedPass" else { return .saved() }
            return .saved(
                RemoteObjects(#"{"id": \#(card1(change)), "member_id": \#(member1(change))}"#, with: LinkedPass.mapping)
            )
        }
        pass.member = member
        try await context.save()
        #expect(!context.hasChanges && member.pass === pass && pass.memberID == member.id)
        let other = ObjectContext(context.store)
        #expect(try await other.fetch(LinkedMember.all).first?.pass != nil)
    }

    @Test @MainActor func `has a relationship that was sent in the file after a crash`() async throws {
        let folder = try TemporaryDirectory()
        var context = try await store(folder.file("store.sqlite")).mainContext
        let (member, club, late) = (LinkedMember(in: context), LinkedClub(in: context), LinkedMember(in: context))
        try await context.save()
        member.clubs = [club]
        late.name = "Late"
        let gate = Gate()
        remote.onSave { change in
            if change.values["name"] != nil { await gate.wait() }
            return .saved()
        }
        let saving = Task { @MainActor [context] in try? await context.save() }
        #expect(await eventually { gate.waiting == 1 })
        try releaseSaves(of: context.store)
        context.store.close()
        gate.open()
        await saving.value
        remote.onSave { _ in .saved() }
        context = try await store(folder.file("store.sqlite")).mainContext
        #expect(try await context.fetch(LinkedMember.all).map(\.clubs.count).sorted() == [0, 1])
        let save = try #require(try context.store.interruptedSaves.first)
        #expect(save.changes.map(\.values) == [["name": .text("Late")]])
        try context.restore(save)
        try await context.save()
        #expect(try await context.fetch(LinkedClub.all).first?.members.count == 1)
        #expect(try context.store.interruptedSaves.isEmpty)
    }

    @Test @MainActor func `an object of a list that is deleted while it is sent does not prevent later saves`()
        async throws
    {
        let context = try await store().mainContext
        let club = LinkedClub(in: context)
        try await context.save()
        let member = LinkedMember(in: context)
        (member.clubs, club.name) = ([club], "Chess")
        let (gate, remote) = (Gate(), remote)
        remote.onSave { change in
            guard change.operation == .insert else { return .saved() }
            await gate.wait()
            return .saved(RemoteObjects(#"{"id": 7}"#, with: LinkedMember.mapping))
        }
        let saving = Task { @MainActor in try await context.save() }
        #expect(await eventually { gate.waiting == 1 })
        context.delete(club)
        gate.open()
        try await saving.value
        try await context.save()
        #expect(!context.hasChanges && member.clubs.isEmpty && remote.journal.last == "delete LinkedClub")
        let other = ObjectContext(context.store)
        #expect(try await other.fetch(LinkedMember.all).map(\.clubs.count) == [0])
    }

    @Test @MainActor func `a removal remains after a fetch between two partial saves`() async throws {
        let context = try await store().mainContext
        let first = LinkedClub(in: context)
        first.id = 1
        remote.onSave { _ in .saved() }
        try await context.save()
        let (member, second) = (LinkedMember(in: context), LinkedClub(in: context))
        (member.id, second.id, member.clubs) = (7, 2, [first, second])
        remote.onSave { $0.object.identity["id"] == .integer(2) ? .refused(RemoteRefusal("full")) : .saved() }
        await #expect(throws: StoreError.self) { try await context.save() }
        #expect(remote.changes.last?.members["clubs"]?.map { $0.identity["id"] } == [.integer(1)])
        remote.onFetch { _ in RemoteObjects(#"[{"id": 7, "club_ids": [1]}]"#, with: LinkedMember.mapping) }
        _ = try await context.fetch(LinkedMember.all, policy: .remote)
        #expect(Set(member.clubs.map(\.id)) == [1, 2])
        member.clubs = [second]
        remote.onSave { _ in .saved() }
        try await context.save()
        #expect(remote.changes.last?.members["clubs"]?.map { $0.identity["id"] } == [.integer(2)])
        let other = ObjectContext(context.store)
        #expect(try await other.fetch(LinkedMember.all).first?.clubs.map(\.id) == [2] && !context.hasChanges)
    }

    @Test @MainActor func `calls willSave once`() async throws {
        let context = try await remote.store(
            URL(filePath: ":memory:"), ObjectModel(CountedMember.self, CountedNote.self)
        ).mainContext
        remote.onSave { _ in .saved() }
        let (member, note) = (CountedMember(in: context), CountedNote(in: context))
        (member.id, note.member) = (7, member)
        try await context.save()
        #expect(member.saves == 1 && note.saves == 1)
        #expect(remote.changes.map { $0.values["saves"] } == [.integer(1), .integer(1)])
    }
}

private func card1(_ change: RemoteChange) -> Int64 { change.object.identity["id"]?.integer ?? 0 }
private func member1(_ change: RemoteChange) -> Int64 { change.targets["member"]??.identity["id"]?.integer ?? 0 }

final class CountedMember: ManagedObject {
    @Stored(.identity) var id = 0
    @Stored var saves = 0
    override func willSave() { saves += 1 }
}

final class CountedNote: ManagedObject {
    @Stored var saves = 0
    @ToOne var member: CountedMember?
    override func willSave() { saves += 1 }
}
