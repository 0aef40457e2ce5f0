import Foundation
import ObjectMapping
import Observation
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

/// What a context keeps in memory, and when it is released.
@Suite(.serialized) struct LifetimeTests {
    /// A state in which a context ends.
    enum State: String, CaseIterable {
        case toOne, toMany, manyToMany, symmetricList, orderedList, pendingList, newObjects, changed, deleted, faulted
        case prefetched, mapped, discardedPayload, failedSave, rolledBack, cleanGraph
    }

    /// Weak references to everything that a context needs.
    private struct Weak {
        weak var store: ManagedObjectStore?
        weak var context: ObjectContext?
        weak var core: ContextCore?
        var objects: [() -> ManagedObject?] = []

        var isReleased: Bool {
            store == nil && context == nil && core == nil && objects.allSatisfy { $0() == nil }
        }
    }

    private static func prepare(_ state: State, _ context: ObjectContext) throws {
        let (ann, bob) = (
            try #require(try context.find(Employee.self, 1)), try #require(try context.find(Employee.self, 2))
        )
        let department = try #require(try context.fetch(Department.all).first)
        switch state {
        case .toOne: #expect(ann.department === department)
        case .toMany:
            #expect(department.staff.count == 2)
            ann.name = "Anna"
        case .manyToMany: #expect(ann.skills[0].people.contains(ann))
        case .symmetricList: #expect(ann.friends == [bob] && bob.friends == [ann])
        case .orderedList: #expect(ann.notes.count == 1 && ann.notes[0].author === ann)
        case .pendingList: ann.friends.append(context.employee(8, "new"))
        case .newObjects:
            let new = context.employee(9, "new")
            (new.department, new.friends) = (department, [ann, new])
        case .changed: (ann.name, bob.department) = ("Anna", nil)
        case .deleted: context.delete(ann)
        case .faulted:
            context.refresh()
            #expect(ann.name == "Ann")
        case .prefetched:
            let query = Employee.all.prefetch(\.skills).prefetch(\.department).prefetch(\.friends)
            #expect(try context.fetch(query).count == 2)
        case .mapped:
            _ = try context.map(#"[{"number": 1, "name": "x"}, {"number": 7, "name": "y"}]"#, with: mapping)
        case .discardedPayload:
            #expect(throws: MappingError.self) {
                try context.map(#"[{"number": 1, "name": "x"}, {"number": "?"}]"#, with: mapping)
            }
        case .failedSave:
            ann.share = 2
            #expect(throws: StoreError.self) { try context.save() }
        case .rolledBack:
            (ann.name, context.employee(9, "new").friends) = ("x", [ann])
            context.rollback()
        case .cleanGraph:
            ann.friends = [bob, ann]
            try context.save()
        }
    }

    private static let mapping = Mapping(Employee.self) {
        Attribute("number", \.number)
        Attribute("name", \.name)
    }

    private static func fill(_ store: ManagedObjectStore) throws {
        let context = ObjectContext(store)
        let (ann, bob) = (context.employee(1, "Ann"), context.employee(2, "Bob"))
        let department = Department(in: context)
        (department.code, department.title) = ("D", "Department")
        let skill = Skill(in: context)
        skill.name = "Swift"
        (ann.department, bob.department, ann.skills, bob.skills) = (department, department, [skill], [skill])
        (ann.friends, bob.friends, ann.notes) = ([bob], [ann], [Note(in: context)])
        try context.save()
    }

    private static func references(to context: ObjectContext) -> Weak {
        var references = Weak(store: context.store, context: context, core: context.core)
        references.objects = context.registeredObjects.map { object in { [weak object] in object } }
        return references
    }

    @Test(arguments: State.allCases) func `a released context releases its objects and its store`(_ state: State) throws
    {
        let folder = try TemporaryDirectory()
        let references: Weak
        do {
            let store = try Company.store(in: folder)
            try Self.fill(store)
            let context = ObjectContext(store)
            try Self.prepare(state, context)
            references = Self.references(to: context)
        }
        #expect(references.isReleased)
        #expect(openFiles(in: folder) == 0)
    }

    @Test(arguments: State.allCases) func `reset releases the objects, and the context can be used`(_ state: State)
        throws
    {
        let context = ObjectContext(try Company.store())
        try Self.fill(context.store)
        do {
            try Self.prepare(state, context)
            context.reset()
        }
        #expect(context.registeredObjects.isEmpty && !context.hasChanges)
        #expect(try context.fetch(Employee.all).count >= 2)
    }

    @Test(arguments: State.allCases) func `a body of perform releases its objects`(_ state: State) async throws {
        let folder = try TemporaryDirectory()
        let result = Mutex<[@Sendable () -> Bool]>([])
        do {
            let store = try Company.store(in: folder)
            try Self.fill(store)
            try await store.perform { context in
                try Self.prepare(state, context)
                nonisolated(unsafe) let references = Self.references(to: context)
                result.withLock { $0.append { references.isReleased } }
            }
        }
        // The queue of the store releases the body after the result was returned.
        let checks = result.withLock { $0 }
        #expect(await eventually { checks.allSatisfy { $0() } && openFiles(in: folder) == 0 })
    }

    @Test(arguments: State.allCases) @MainActor
    func `a closed store releases the main context and observed objects`(_ state: State) async throws {
        let folder = try TemporaryDirectory()
        let references: Weak
        do {
            let store = try Company.store(in: folder)
            try Self.fill(store)
            references = try autoreleasing {
                let context = store.mainContext
                withObservationTracking {
                    for employee in (try? context.fetch(Employee.all)) ?? [] { _ = (employee.name, employee.friends) }
                } onChange: {
                }
                try Self.prepare(state, context)
                return Self.references(to: context)
            }
            store.close()
        }
        #expect(references.isReleased)
        #expect(openFiles(in: folder) == 0)
    }

    private func autoreleasing<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }

    @Test @MainActor func `a store that another thread closes releases its main context on the main actor`()
        async throws
    {
        let store = try Company.store()
        try Self.fill(store)
        try Self.prepare(.pendingList, store.mainContext)
        let references = Self.references(to: store.mainContext)
        await Task.detached { store.close() }.value
        for _ in 0..<100 where references.core != nil { await Task.yield() }
        #expect(references.context == nil && references.core == nil)
        #expect(references.objects.allSatisfy { $0() == nil })
        // A context of a closed store is not kept.
        #expect(throws: StoreError.self) { try store.mainContext.fetch(Employee.all) }
        weak let context = store.mainContext
        #expect(context == nil)
    }

    @Test func `a context that is released during a suspended save releases its objects afterwards`() async throws {
        let folder = try TemporaryDirectory()
        var references: Weak?
        do {
            let store = try Company.store(in: folder)
            try Self.fill(store)
            let context = ObjectContext(store)
            try Self.prepare(.newObjects, context)
            references = Self.references(to: context)
            try await context.save()
        }
        // The thread that wrote releases the store last.
        #expect(await eventually { references?.isReleased == true && openFiles(in: folder) == 0 })
    }

    @Test func `objects outlive their context with their values and lists`() throws {
        let store = try Company.store()
        try Self.fill(store)
        let department: Department
        let ann: Employee
        do {
            let context = ObjectContext(store)
            department = try #require(try context.fetch(Department.all).first)
            #expect(department.staff.map(\.name) == ["Ann", "Bob"])
            ann = department.staff[0]
            ann.name = "Anna"
        }
        #expect(department.title == "Department" && department.staff.map(\.name) == ["Anna", "Bob"])
        #expect(ann.department === department && ann.managed.context == nil)
    }

    @Test(arguments: State.allCases) func `reset releases everything that the program does not reference`(
        _ state: State
    ) throws {
        let context = ObjectContext(try Company.store())
        try Self.fill(context.store)
        let references: Weak
        do {
            try Self.prepare(state, context)
            references = Self.references(to: context)
            context.reset()
        }
        #expect(references.objects.allSatisfy { $0() == nil })
    }

    /// A change of an object whose context has ended.
    enum LateChange: String, CaseIterable {
        case attribute, toOne, toMany, cyclicList, newObject, deletion

        func make(_ ann: Employee, _ bob: Employee) {
            switch self {
            case .attribute: ann.name = "Anna"
            case .toOne: (ann.department, bob.department) = (Department(), ann.department)
            case .toMany: (ann.skills, ann.notes) = ([Skill()], [Note(), Note()])
            case .cyclicList: (ann.friends, bob.friends) = ([bob], [ann])
            case .newObject:
                let note = Note()
                note.author = ann
            case .deletion: ann.notes.first.map { $0.author = nil }
            }
        }
    }

    @Test(arguments: LateChange.allCases)
    func `objects that are changed after their context has ended are released`(_ change: LateChange) throws {
        let folder = try TemporaryDirectory()
        var references: Weak
        do {
            let ann: Employee
            let bob: Employee
            do {
                let store = try Company.store(in: folder)
                try Self.fill(store)
                let context = ObjectContext(store)
                ann = try #require(try context.find(Employee.self, 1))
                bob = try #require(try context.find(Employee.self, 2))
                #expect(ann.notes.count == 1 && ann.department != nil)
                references = Self.references(to: context)
            }
            change.make(ann, bob)
            #expect(ann.managed.context == nil)
        }
        #expect(references.isReleased)
        #expect(openFiles(in: folder) == 0)
    }

    @Test func `500 contexts that end with changes and cycles leave no memory or files`() throws {
        let folder = try TemporaryDirectory()
        try Self.fill(try Company.store(in: folder))
        var references: [Weak] = []
        for round in 0..<500 {
            let context = ObjectContext(try Company.store(in: folder))
            try Self.prepare(State.allCases[round % 15], context)
            references.append(Self.references(to: context))
        }
        #expect(references.allSatisfy { $0.isReleased })
        #expect(openFiles(in: folder) == 0)
    }

    /// The number of files in a folder that the process has opened; 0 where it is not known.
    private func openFiles(in folder: TemporaryDirectory) -> Int {
        let folder = folder.url.resolvingSymlinksInPath().path
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return descriptors.count { descriptor in
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
            return path?.hasPrefix(folder) ?? false
        }
    }
}
