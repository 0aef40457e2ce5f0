import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

@Suite @MainActor struct SuspendingSaveTests {
    let folder: TemporaryDirectory
    let store: ManagedObjectStore
    let context: ObjectContext

    init() throws {
        folder = try TemporaryDirectory()
        var options = ManagedObjectStore.Options()
        options.busyTimeout = .milliseconds(20)
        store = try ManagedObjectStore(
            at: folder.file("company.sqlite"), model: Company.model(), options: options)
        context = ObjectContext(store)
    }

    /// Saves while another thread writes, and calls a closure as soon as the save is suspended.
    private func save(during body: @escaping @MainActor () throws -> Void) async throws {
        let writer = HeldWriter(store)
        let task = Task { @MainActor in
            #expect(await eventually { context.core.saves.inFlight != nil })
            defer { writer.release() }
            try body()
        }
        try await context.save()
        try await task.value
    }

    @Test func `a suspending save waits for another context longer than the timeout`() async throws {
        _ = context.employee(1, "Ann")
        let writer = HeldWriter(store)
        let error = #expect(throws: StoreError.self) { try { try context.save() }() }
        #expect(error?.kind == .busy)
        writer.release()
        try await save { usleep(60_000) }
        #expect(try context.value("SELECT \"name\" FROM \"Employee\"") == .text("Ann"))
        #expect(!context.hasChanges)
    }

    @Test func `attributes that are assigned during a save belong to the next one`() async throws {
        let ann = context.employee(1, "Ann")
        try await save { ann.name = "Anna" }
        #expect(ann.name == "Anna" && ann.managed.state == .updated)
        #expect(ann.managed.changes == [.init(property: "name", old: "Ann", new: "Anna")])
        #expect(try context.value("SELECT \"name\" FROM \"Employee\"") == .text("Ann"))

        // The same for an object that was saved before.
        try await save { ann.name = "Annabel" }
        #expect(ann.managed.changes == [.init(property: "name", old: "Anna", new: "Annabel")])
        try await context.save()
        #expect(try context.value("SELECT \"name\" FROM \"Employee\"") == .text("Annabel"))
        #expect(ann.managed.state == .unchanged)
    }

    @Test func `objects that are inserted during a save belong to the next one`() async throws {
        _ = context.employee(1, "Ann")
        var ben: Employee?
        try await save { ben = context.employee(2, "Ben") }
        #expect(ben?.managed.state == .inserted && context.insertedObjects.count == 1)
        try await context.save()
        #expect(try await context.count(Employee.all) == 2)
    }

    @Test(arguments: ["fetch", "find", "relationship", "save", "rollback"])
    func `operations on the rows wait for the save`(_ call: String) async throws {
        let ann = context.employee(1, "Ann")
        let office = context.insert(Department.self)
        (office.code, office.title) = ("o", "Office")
        let writer = HeldWriter(store)
        func use() throws {
            switch call {
            case "fetch": #expect(try context.fetch(Employee.all) == [ann])
            case "find": #expect(try Employee.find(1, in: context) === ann)
            case "relationship": ann.department = office
            case "save": try context.save()
            default: context.rollback()
            }
        }
        let task = Task { @MainActor in
            #expect(await eventually { context.core.saves.inFlight != nil })
            writer.releaseSoon()
            try use()
            #expect(context.core.saves.inFlight == nil || call == "find")
        }
        try await context.save()
        try await task.value
        try await context.save()
        #expect(ann.managed.id.isTemporary == false)
        #expect(try await context.fetch(Employee.all) == [ann])
        let saved = try context.value("SELECT count(*) FROM \"Employee\" WHERE \"department\" IS NOT NULL")
        #expect(saved == .integer(call == "relationship" ? 1 : 0))
    }

    @Test func `a save that fails keeps the changes, also those made meanwhile`() async throws {
        let (ann, ben) = (context.employee(1, "Ann"), context.employee(2, "Ben"))
        (ann.mail, ben.mail) = ("x@example.com", "x@example.com")
        let error = await #expect(throws: StoreError.self) { try await save { ben.mail = "y@example.com" } }
        #expect(error?.kind == .constraint)
        #expect(context.insertedObjects == [ann, ben])
        try await context.save()
        #expect(try await context.count(Employee.all) == 2)
    }

    @Test func `overlapping saves of one context are written one after the other`() async throws {
        let ann = context.employee(1, "Ann")
        let writer = HeldWriter(store)
        let saves = (0..<8).map { number in
            Task { @MainActor in
                ann.salary = Decimal(number)
                try await context.save()
            }
        }
        // The first one is suspended; the second one waits for it.
        writer.releaseSoon()
        for save in saves { try await save.value }
        #expect(try context.value("SELECT \"salary\" FROM \"Employee\"") == .text("7"))
        #expect(!context.hasChanges)
    }

    // MARK: Values of others

    private nonisolated static let sides: [(before: String, policy: MergePolicy)] = ["Mine", "Ann"].flatMap { before in
        [MergePolicy.throwConflict, .storeWins, .objectWins].map { (before, $0) }
    }

    /// The attributes are assigned before a save, and during it; a value that equals the earlier one is not written.
    @Test(arguments: sides)
    func `a value that is assigned during a save conflicts with one that others saved before it`(
        _ before: String, _ policy: MergePolicy
    ) async throws {
        let ann = context.employee(1, "Ann")
        try await context.save()
        let other = try SQLiteDatabase(path: folder.path + "/company.sqlite", mode: .readWrite)
        (ann.name, ann.rank) = (before, .senior)
        context.mergePolicy = .objectWins
        try await save {
            try other.execute("UPDATE Employee SET name = 'Theirs', share = 0.75")
            (ann.share, ann.name) = (0.25, "Late")
        }
        #expect(ann.share == 0.25 && ann.name == "Late" && ann.rank == .senior)
        context.mergePolicy = policy
        // The name was written if it had been changed before.
        let isWritten = before == "Mine"
        switch policy {
        case .throwConflict:
            let error = await #expect(throws: StoreError.self) { try await context.save() }
            let conflicts = error?.conflicts.sorted { $0.property > $1.property } ?? []
            #expect(conflicts.map(\.property) == (isWritten ? ["share"] : ["share", "name"]))
            #expect(conflicts.first.map { [$0.base, $0.mine, $0.theirs] } == [0.5, 0.25, 0.75])
        case .storeWins:
            try await context.save()
            #expect(ann.share == 0.75 && ann.name == (isWritten ? "Late" : "Theirs"))
        case .objectWins:
            try await context.save()
            #expect(ann.share == 0.25 && ann.name == "Late")
        }
    }

    @Test func `a value that is assigned while a new object takes over a row is not a conflict`() async throws {
        let other = ObjectContext(store)
        other.employee(1, "Theirs").share = 0.75
        try await other.save()
        let ann = context.employee(1, "Ann")
        try await save { ann.share = 0.25 }
        #expect(ann.share == 0.25 && ann.name == "Ann")
        try await context.save()
        #expect(try context.value("SELECT share FROM Employee") == 0.25)
    }
}
