import Foundation
import ObjectMapping
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

final class Traveler: ManagedObject, Mappable {
    @Stored(.identity) var id = 0
    @Stored var name = ""
    @ToOne(deleteRule: .cascade) var visa: Visa?
    @ToMany var friends: [Traveler]
    @ToMany(inverse: \Souvenir.owner, deleteRule: .cascade) var souvenirs: [Souvenir]

    static let mapping = Mapping(Traveler.self) {
        Attribute("id", \.id)
        Attribute("name", \.name)
    }
}

final class Visa: ManagedObject, Mappable {
    @Stored(.identity) var id = 0
    @ToOne(inverse: \Traveler.visa) var traveler: Traveler?

    static let mapping = Mapping(Visa.self) { Attribute("id", \.id) }
}

private final class Tour: ManagedObject {
    @Stored(.identity) var id = 0
    @ToMany(inverse: \Stop.tours, isOrdered: true) var stops: [Stop]
}

private final class Stop: ManagedObject {
    @Stored(.identity) var id = 0
    @ToMany var tours: [Tour]
}

private final class Hamper: ManagedObject {
    @Stored(.identity) var id = 0
    @ToMany(inverse: \Pickle.hamper, deleteRule: .cascade) var pickles: [Pickle]
}

private final class Pickle: ManagedObject {
    @Stored(.identity) var id = 0
    @ToOne var hamper: Hamper?
}

/// Only the file has these objects.
final class Souvenir: ManagedObject {
    @Stored var name = ""
    @ToOne var owner: Traveler?
}

@Suite struct `Relationships in a save of which a part fails` {
    enum Fault: CaseIterable { case refusal, offline, lostAnswer }

    private let remote = ScriptedRemote(entities: ["Traveler", "Visa"])

    @MainActor private func context() async throws -> ObjectContext {
        remote.onFind { _ in .notFound }
        return try await remote.store(
            URL(filePath: ":memory:"), ObjectModel(Traveler.self, Visa.self, Souvenir.self)
        ).mainContext
    }

    /// A context with two travelers and a visa.
    @MainActor private func saved() async throws -> (ObjectContext, [Traveler], Visa) {
        let context = try await context()
        let travelers = (1...3).map { id in
            let traveler = Traveler(in: context)
            traveler.id = id
            return traveler
        }
        let visa = Visa(in: context)
        visa.id = 1
        try await context.save()
        return (context, travelers, visa)
    }

    /// Lets changes fail.
    private func fail(_ fault: Fault, _ isAffected: @escaping @Sendable (RemoteChange) -> Bool) {
        remote.onSave { change in
            guard isAffected(change) else { return .saved() }
            switch fault {
            case .refusal: return .refused(RemoteRefusal("invalid"))
            case .offline: throw RemoteError(.unavailable, "offline")
            case .lostAnswer: throw RemoteError(.noAnswer, "lost")
            }
        }
    }

    /// Calls a closure on the main actor while the changes of an object are sent.
    private func during(_ entity: String, _ id: Int64, _ body: @escaping @MainActor @Sendable () -> Void) {
        let isDone = Mutex(false)
        remote.onSave { change in
            let isFirst = isDone.withLock { isDone in
                guard !isDone, change.object.entity == entity, change.object.identity["id"] == .integer(id) else {
                    return false
                }
                isDone = true
                return true
            }
            if isFirst { await MainActor.run { body() } }
            return .saved()
        }
    }

    private func lastTarget(_ entity: String, _ id: Int64, _ name: String) -> Int64? {
        let sent = remote.changes.last {
            $0.object.entity == entity && $0.object.identity["id"] == .integer(id) && $0.targets[name] != nil
        }
        return sent?.targets[name]??.identity["id"]?.integer
    }

    private func lastFriends(_ id: Int64) -> [Int64]? {
        let sent = remote.changes.last { $0.object.identity["id"] == .integer(id) && $0.members["friends"] != nil }
        return sent?.members["friends"]?.compactMap { $0.identity["id"]?.integer }
    }

    @Test(arguments: Fault.allCases, ["Traveler", "Visa"]) @MainActor
    func `a one-to-one relationship remains when one of its sides fails`(_ fault: Fault, _ entity: String) async throws
    {
        for (isNewTraveler, isNewVisa) in [(false, false), (true, false), (false, true), (true, true)] {
            for isSetByVisa in [true, false] {
                for operation in [ChangeOperation.insert, .update] {
                    remote.onSave { _ in .saved() }
                    let context = try await context()
                    let (traveler, visa) = (Traveler(), Visa())
                    (traveler.id, visa.id) = (1, 1)
                    if !isNewTraveler { context.insert(traveler) }
                    if !isNewVisa { context.insert(visa) }
                    try await context.save()
                    if isNewTraveler { context.insert(traveler) }
                    if isNewVisa { context.insert(visa) }
                    if isSetByVisa { visa.traveler = traveler } else { traveler.visa = visa }
                    fail(fault) { $0.object.entity == entity && $0.operation == operation }
                    try? await context.save()
                    remote.onSave { _ in .saved() }
                    try await context.save()
                    #expect(traveler.visa === visa && visa.traveler === traveler && !context.hasChanges)
                    let file = ObjectContext(context.store)
                    let stored = try #require(try await file.fetch(Traveler.all).first)
                    #expect(stored.visa?.traveler === stored)
                    #expect(lastTarget("Traveler", 1, "visa") == 1 && lastTarget("Visa", 1, "traveler") == 1)
                }
            }
        }
    }

    @Test(arguments: ["", "Traveler", "Visa"]) @MainActor
    func `the deletion of an earlier owner does not delete a moved one-to-one target`(_ failing: String) async throws {
        let (context, travelers, visa) = try await saved()
        travelers[0].visa = visa
        try await context.save()
        travelers[1].visa = visa
        context.delete(travelers[0])
        fail(.refusal) { $0.object.entity == failing && $0.operation == .update }
        try? await context.save()
        remote.onSave { _ in .saved() }
        try await context.save()
        #expect(visa.traveler === travelers[1] && travelers[1].visa === visa && !context.hasChanges)
        let file = ObjectContext(context.store)
        #expect(try await file.fetch(Visa.all).map { $0.traveler?.id } == [2])
        #expect(lastTarget("Traveler", 2, "visa") == 1 && lastTarget("Visa", 1, "traveler") == 2)
    }

    @Test @MainActor func `the deletion of an earlier owner does not delete a moved object of the file`() async throws {
        let (context, travelers, _) = try await saved()
        let souvenir = Souvenir(in: context)
        souvenir.owner = travelers[0]
        try await context.save()
        // To a new owner, which is refused first.
        let owner = Traveler(in: context)
        owner.id = 9
        souvenir.owner = owner
        context.delete(travelers[0])
        fail(.refusal) { $0.operation == .insert }
        let error = await #expect(throws: StoreError.self) { try await context.save() }
        #expect(error?.outcomes.map(\.kind) == [.refused, .notSent])
        #expect(try context.store.count(of: "Souvenir") == 1)
        remote.onSave { _ in .saved() }
        try await context.save()
        let file = ObjectContext(context.store)
        #expect(try await file.fetch(Souvenir.all).map { $0.owner?.id } == [9])
        #expect(!context.hasChanges && remote.journal.last == "delete Traveler")
    }

    @Test(arguments: Fault.allCases) @MainActor
    func `the deletion of an owner waits for those that it would cascade to`(_ fault: Fault) async throws {
        let remote = ScriptedRemote(entities: ["Hamper", "Pickle"])
        let store = try await remote.store(URL(filePath: ":memory:"), ObjectModel(Hamper.self, Pickle.self))
        let context = store.mainContext
        let (hamper, pickle) = (Hamper(in: context), Pickle(in: context))
        (hamper.id, pickle.id, pickle.hamper) = (1, 1, hamper)
        try await context.save()
        context.delete(hamper)
        remote.onSave { change in
            guard change.object.entity == "Pickle" else { return .saved() }
            switch fault {
            case .refusal: return .refused(RemoteRefusal("invalid"))
            case .offline: throw RemoteError(.unavailable, "offline")
            case .lostAnswer: throw RemoteError(.noAnswer, "lost")
            }
        }
        await #expect(throws: StoreError.self) { try await context.save() }
        #expect(try store.count(of: "Pickle") == 1 && store.count(of: "Hamper") == 1 && context.hasChanges)
        remote.onSave { _ in .saved() }
        try await context.save()
        #expect(try store.count(of: "Pickle") == 0 && store.count(of: "Hamper") == 0 && !context.hasChanges)
        #expect(remote.journal.suffix(2) == ["delete Pickle", "delete Hamper"])
    }

    @Test @MainActor
    func `a one-to-one relationship that loses its new side is taken back from the earlier one, too`() async throws {
        let (context, travelers, visa) = try await saved()
        travelers[0].visa = visa
        try await context.save()
        travelers[1].visa = visa
        // Only that the first traveler has no visa is saved.
        fail(.refusal) { $0.object.entity == "Visa" || $0.object.identity["id"] == .integer(2) }
        await #expect(throws: StoreError.self) { try await context.save() }
        travelers[1].visa = nil
        remote.onSave { _ in .saved() }
        try await context.save()
        #expect(lastTarget("Visa", 1, "traveler") == nil && !context.hasChanges && visa.traveler == nil)
        #expect(remote.journal.last == "update Visa")
    }

    // MARK: Changes during a save

    /// - Parameter isLater: Whether the relationships are changed back while a later change is sent.
    @Test(arguments: [true, false], [true, false]) @MainActor
    func `relationships that are changed back while they are sent are sent again`(_ isLater: Bool, _ isNew: Bool)
        async throws
    {
        let (context, travelers, visa) = try await saved()
        let first = isNew ? Traveler(in: context) : travelers[0]
        if isNew { first.id = 9 }
        let id = Int64(first.id)
        (first.friends, first.visa, first.name) = ([travelers[1]], visa, "new")
        travelers[2].name = "later"
        during("Traveler", isLater ? 3 : id) { (first.friends, first.visa, first.name) = ([], nil, "old") }
        try await context.save()
        try await context.save()
        #expect(lastFriends(id) == [] && lastTarget("Traveler", id, "visa") == nil)
        #expect(lastTarget("Visa", 1, "traveler") == nil)
        #expect(!context.hasChanges && first.friends.isEmpty && first.visa == nil && visa.traveler == nil)
        let file = ObjectContext(context.store)
        let stored = try #require(try await file.fetch(Traveler.where { $0.id == Int(id) }).first)
        #expect(stored.friends.isEmpty && stored.visa == nil && stored.name == "old")
    }

    @Test(arguments: [true, false]) @MainActor
    func `a rollback while they are sent leaves what the remote has`(_ isLater: Bool) async throws {
        let (context, travelers, _) = try await saved()
        (travelers[0].friends, travelers[0].name) = ([travelers[1]], "new")
        travelers[2].name = "later"
        during("Traveler", isLater ? 3 : 1) { context.rollback() }
        try await context.save()
        try await context.save()
        #expect(travelers[0].friends == [travelers[1]] && travelers[0].name == "new" && !context.hasChanges)
        let file = ObjectContext(context.store)
        let stored = try #require(try await file.fetch(Traveler.where { $0.id == 1 }).first)
        #expect(stored.friends.map(\.id) == [2] && stored.name == "new")
    }

    // MARK: Unknown outcomes

    @Test @MainActor func `relationships whose outcome is unknown are taken back by their earlier values`() async throws
    {
        let (context, travelers, visa) = try await saved()
        (travelers[0].friends, travelers[0].visa) = ([travelers[1]], visa)
        fail(.lostAnswer) { _ in true }
        try? await context.save()
        (travelers[0].friends, travelers[0].visa) = ([], nil)
        // A merge does not forget them.
        let other = ObjectContext(context.store)
        Souvenir(in: other).name = "Shell"
        try await other.save()
        remote.onSave { _ in .saved() }
        try await context.save()
        #expect(lastFriends(1) == [] && lastTarget("Traveler", 1, "visa") == nil)
        #expect(lastTarget("Visa", 1, "traveler") == nil && !context.hasChanges)
        #expect(try context.store.interruptedSaves.isEmpty)
    }

    // MARK: The journal

    @Test @MainActor func `changes in the journal lose the properties that later saves have saved`() async throws {
        let (context, travelers, visa) = try await saved()
        let traveler = travelers[0]
        (traveler.name, traveler.friends, traveler.visa) = ("unknown", [travelers[1]], visa)
        fail(.lostAnswer) { $0.object.identity["id"] == .integer(1) && $0.object.entity == "Traveler" }
        try? await context.save()
        context.rollback()
        remote.onSave { _ in .saved() }
        try await context.save()
        traveler.name = "later"
        try await context.save()
        let offered = try context.store.interruptedSaves.flatMap(\.changes)
        #expect(offered.map(\.values) == [[:]] && offered.first?.entry.lists.count == 1)
        let other = ObjectContext(context.store)
        let copy = try #require(try await other.fetch(Traveler.where { $0.id == 1 }).first)
        copy.friends = try await other.fetch(Traveler.where { $0.id == 3 })
        copy.visa = nil
        try await other.save()
        #expect(try context.store.interruptedSaves.isEmpty)
    }

    @Test @MainActor func `a reference to a new object that was deleted before the save is not restored`() async throws
    {
        let context = try await context()
        let (traveler, visa) = (Traveler(in: context), Visa(in: context))
        (traveler.id, traveler.visa) = (1, visa)
        context.delete(visa)
        fail(.offline) { _ in true }
        try? await context.save()
        try releaseSaves(of: context.store)
        let other = ObjectContext(context.store)
        for save in try context.store.interruptedSaves { try other.restore(save) }
        remote.onSave { _ in .saved() }
        try await other.save()
        #expect(try await other.fetch(Traveler.all).map(\.id) == [1])
    }

    @Test @MainActor func `a relationship that the file received with its other side is sent after a crash`()
        async throws
    {
        let (context, travelers, visa) = try await saved()
        travelers[0].visa = visa
        fail(.offline) { $0.object.entity == "Visa" }
        try? await context.save()
        let sent = remote.changes.last { $0.object.entity == "Traveler" }
        #expect(sent?.targets["visa"]??.identity["id"] == .integer(1))
        try releaseSaves(of: context.store)
        let other = ObjectContext(context.store)
        let saves = try context.store.interruptedSaves
        #expect(saves.flatMap(\.changes).map(\.entity) == ["Visa"])
        for save in saves { try other.restore(save) }
        let count = remote.changes.count
        remote.onSave { _ in .saved() }
        try await other.save()
        #expect(remote.journal.dropFirst(count) == ["update Visa"] && lastTarget("Visa", 1, "traveler") == 1)
        #expect(!other.hasChanges)
    }

    @Test @MainActor func `a save after a cancelled one waits for the call that is still running`() async throws {
        let (context, travelers, _) = try await saved()
        let gate = Gate()
        let arrived = Mutex<[StoredValue?]>([])
        remote.onSave { change in
            if change.values["name"] == .text("first") { await gate.wait() }
            arrived.withLock { $0.append(change.values["name"]) }
            return .saved()
        }
        travelers[0].name = "first"
        let saving = Task { @MainActor in try? await context.save() }
        #expect(await eventually { gate.waiting == 1 })
        saving.cancel()
        _ = await saving.value
        travelers[0].name = "second"
        let second = Task { @MainActor in try await context.save() }
        for _ in 0..<20 { await Task.yield() }
        #expect(arrived.withLock { $0 }.isEmpty)
        gate.open()
        try await second.value
        #expect(arrived.withLock { $0 } == [.text("first"), .text("second")])
        #expect(!context.hasChanges)
    }

    @MainActor @Test(arguments: [false, true])
    func `an ordered list whose objects were saved before it has its order in the file`(isNew: Bool) async throws {
        let store = try await ScriptedRemote(entities: ["Tour", "Stop"]).store(
            URL(filePath: ":memory:"), ObjectModel(Tour.self, Stop.self))
        let context = store.mainContext
        let (tour, stops) = (Tour(in: context), (1...2).map { _ in Stop(in: context) })
        (tour.id, stops[0].id, stops[1].id) = (1, 1, 2)
        tour.stops = [stops[0]]
        if isNew { stops[1].managed.context?.delete(stops[1]) }
        try await context.save()
        let added = isNew ? Stop(in: context) : stops[1]
        added.id = 2
        added.tours = [tour]
        tour.stops = [added, stops[0]]
        try await context.save()
        let other = ObjectContext(store)
        let read = try #require(try await other.fetch(Tour.all).first)
        #expect(read.stops.map(\.id) == [2, 1] && tour.stops.map(\.id) == [2, 1] && !context.hasChanges)
    }
}
