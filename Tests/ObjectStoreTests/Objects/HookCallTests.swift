import Foundation
import ObjectMapping
import Observation
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

/// A value whose conversions call a hook.
private struct Converted: AttributeValue, Hashable {
    var text = ""

    init(_ text: String) { self.text = text }

    static var attributeType: AttributeType { AttributeType(.string) }
    init?(storedValue: StoredValue) {
        guard let text = storedValue.text else { return nil }
        self.text = text
        Hooks.current?.run(.conversion, nil)
    }
    var storedValue: StoredValue {
        Hooks.current?.run(.conversion, nil)
        return .text(text)
    }
}

/// An object whose code is called by everything.
private final class Caller: ManagedObject, Mappable {
    @Stored(.identity) var number = 0
    @Stored var name = ""
    @Stored var value = Converted("")
    @ToOne var leader: Caller?
    @ToMany(inverse: \Caller.leader) var members: [Caller]
    @ToMany var friends: [Caller]

    static let mapping = Mapping(Caller.self) {
        Attribute("number", \.number)
        Attribute("name", \.name)
    }
    .validated { _ in Hooks.current?.run(.mapping, nil) }

    override func awakeFromInsert() { Hooks.current?.run(.awakeFromInsert, nil) }
    override func awakeFromFetch() { Hooks.current?.run(.awakeFromFetch, nil) }
    override func willSave() { Hooks.current?.run(.willSave, nil) }
    override func validateForSave() { Hooks.current?.run(.validateForSave, nil) }
    deinit { Hooks.current?.run(.deinitializer, nil) }
}

/// A call of a public method, by its name in a failure.
private struct Call: CustomTestStringConvertible, Sendable {
    let name: String
    /// Whether the call discards changes, where it is allowed.
    var discards = false
    let make: @MainActor (ObjectContext, Caller, Caller) throws -> Void

    var testDescription: String { name }

    init(
        _ name: String, discards: Bool = false,
        _ make: @escaping @MainActor (ObjectContext, Caller, Caller) throws -> Void
    ) {
        (self.name, self.discards, self.make) = (name, discards, make)
    }

    static let all: [Call] = [
        Call("insert type") { context, _, _ in context.insert(Caller.self).name = "new" },
        Call("insert object") { context, _, other in context.insert(other) },
        Call("delete") { context, _, other in context.delete(other) },
        Call("delete and insert") { context, _, other in
            context.delete(other)
            context.insert(other)
        },
        Call("object(with:)") { context, a, _ in
            _ = try context.object(with: a.managed.id) as ManagedObject
        },
        Call("insertedObjects") { context, _, _ in _ = context.insertedObjects },
        Call("updatedObjects") { context, _, _ in _ = context.updatedObjects },
        Call("deletedObjects") { context, _, _ in _ = context.deletedObjects },
        Call("registeredObjects") { context, _, _ in _ = context.registeredObjects },
        Call("hasChanges") { context, _, _ in _ = context.hasChanges },
        Call("mergePolicy") { context, _, _ in context.mergePolicy = .objectWins },
        Call("save") { context, _, _ in try context.save() },
        Call("rollback", discards: true) { context, _, _ in context.rollback() },
        Call("reset", discards: true) { context, _, _ in context.reset() },
        Call("refresh") { context, _, _ in context.refresh() },
        Call("refresh object", discards: true) { context, a, _ in context.refresh(a) },
        Call("discardInvalidObjects") { context, _, _ in context.discardInvalidObjects() },
        Call("fetch") { context, _, _ in _ = try context.fetch(Caller.all.prefetch(\.friends)) as [Caller] },
        Call("fetchFirst") { context, _, _ in _ = try context.fetchFirst(Caller.where { $0.name == "x" }) as Caller? },
        Call("fetch sql") { context, _, _ in
            _ = try context.fetch(Caller.self, sql: "SELECT _id FROM Caller") as [Caller]
        },
        Call("count") { context, _, _ in _ = try context.count(Caller.all) },
        Call("ids") { context, _, _ in _ = try context.ids(Caller.all) },
        Call("snapshots") { context, _, _ in _ = try context.snapshots(Caller.all) },
        Call("values") { context, _, _ in _ = try context.values(of: \.name, Caller.all) },
        Call("aggregate") { context, _, _ in _ = try context.aggregate(Caller.all) { $0.number.max() } },
        Call("explain") { context, _, _ in _ = try context.explain(Caller.all) },
        Call("find") { context, _, _ in _ = try context.find(Caller.self, 2) as Caller? },
        Call("findOrCreate") { context, _, _ in _ = try context.findOrCreate(Caller.self, 3) as Caller },
        Call("map") { context, _, _ in
            _ = try context.map(#"[{"number": 4, "name": "mapped"}]"#, with: Caller.mapping) as [Caller]
        },
        Call("update of a mapping") { context, _, other in
            try Caller.mapping.update(other, from: #"{"number": 2, "name": "mapped"}"#)
        },
        Call("changes of a mapping") { context, a, _ in _ = try Caller.mapping.changes(of: a) },
        Call("update query") { context, _, _ in
            try context.update(Caller.where { $0.number == 2 }) { $0.set(\.name, to: "bulk") }
        },
        Call("delete query") { context, _, _ in try context.delete(Caller.where { $0.number == 2 }) },
        Call("write sql") { context, _, _ in try context.write(sql: "UPDATE Caller SET leader = NULL") },
        Call("rows of the store") { context, _, _ in _ = try context.store.rows(sql: "SELECT * FROM Caller") },
        Call("write of the store") { context, _, _ in
            try context.store.write(sql: "UPDATE Caller SET leader = NULL WHERE number = 2")
        },
        Call("checkpoint") { context, _, _ in try context.store.checkpoint() },
        Call("trace") { context, _, _ in context.store.trace(nil) },
        Call("another context") { context, _, _ in
            let context = ObjectContext(context.store)
            try (context.find(Caller.self, 2) as Caller?)?.name = "other"
            try context.save()
        },
        Call("managed") { context, a, _ in
            _ = (
                a.managed.id, a.managed.state, a.managed.context, a.managed.isFault, a.managed.error, a.managed.changes
            )
            _ = a.managed.snapshot()
        },
        Call("setters") { context, a, other in
            (other.name, other.leader, other.friends) = ("set", a, [a, other])
            a.members.append(other)
        },
        Call("close") { context, _, _ in context.store.close() },
    ]

    /// Calls that suspend.
    static let suspending: [(String, @MainActor (ObjectContext, Caller) async throws -> Void)] = [
        ("save", { context, _ in try await context.save() }),
        ("fetch", { context, _ in _ = try await context.fetch(Caller.all) }),
        ("find", { context, _ in _ = try await context.find(Caller.self, 2) }),
        ("findOrCreate", { context, _ in _ = try await context.findOrCreate(Caller.self, 3) }),
        (
            "map",
            { context, _ in
                _ = try await context.map(#"[{"number": 4, "name": "mapped"}]"#, with: Caller.mapping)
            }
        ),
        (
            "update",
            { context, _ in
                try await context.update(Caller.where { $0.number == 2 }) { $0.set(\.name, to: "bulk") }
            }
        ),
        ("delete", { context, _ in try await context.delete(Caller.where { $0.number == 2 }) }),
        ("write", { context, _ in try await context.write(sql: "UPDATE Caller SET leader = NULL") }),
        ("perform", { context, _ in try await context.store.perform { _ = try $0.count(Caller.all) } }),
        (
            "importJSON",
            { context, _ in
                _ = try await context.store.importJSON(Data(#"[{"number": 5}]"#.utf8), with: Caller.mapping)
            }
        ),
    ]
}

/// Every public method in every place where the store calls the program.
@Suite @MainActor struct HookCallTests {
    /// Runs operations that call code of the program while an object has an unsaved change.
    private func run(
        _ hook: Hooks.Hook, _ hooks: Hooks, _ context: ObjectContext, _ a: Caller
    ) throws {
        let store = context.store
        try Hooks.$current.withValue(hooks) {
            switch hook {
            case .willSave, .validateForSave: try context.save()
            case .awakeFromInsert: Caller(in: context).number = 50
            case .awakeFromFetch, .conversion:
                try store.write(sql: "INSERT INTO Caller(number, name, value) VALUES(60, 'fetched', 'v')")
                _ = try context.fetch(Caller.where { $0.number == 60 }) as [Caller]
                if hook == .conversion { try context.save() }
            case .mapping: _ = try context.map(#"[{"number": 70, "name": "m"}]"#, with: Caller.mapping) as [Caller]
            case .trace:
                // Tasks that the hook starts run their statements on other threads.
                let thread = CurrentThread.number
                store.trace { _ in if CurrentThread.number == thread { hooks.run(.trace, nil) } }
                try context.save()
                store.trace(nil)
            case .onChange:
                withObservationTracking {
                    _ = a.name
                } onChange: {
                    hooks.run(.onChange, nil)
                }
                a.name = "marker"
            case .query:
                _ =
                    try context.fetch(
                        Caller.where {
                            hooks.run(.query, nil)
                            return $0.number > 0
                        }) as [Caller]
            case .bulk:
                try context.update(Caller.where { $0.number == 2 }) {
                    hooks.run(.bulk, nil)
                    $0.set(\.name, to: "bulk")
                }
            case .deinitializer: do { _ = Caller() }
            }
        }
    }

    @Test(arguments: Hooks.Hook.allCases, Call.all)
    private func `a call in code of the program has a defined outcome and loses nothing`(
        _ hook: Hooks.Hook, _ call: Call
    )
        throws
    {
        let folder = try TemporaryDirectory()
        let store = try ManagedObjectStore(
            at: folder.url.appending(path: "calls.sqlite"), model: ObjectModel(Caller.self))
        let context = store.mainContext
        context.mergePolicy = .objectWins
        let (a, other) = (Caller(in: context), Caller(in: context))
        (a.number, other.number) = (1, 2)
        try context.save()
        a.name = "marker"
        let hooks = Hooks()
        var errors: [any Error] = []
        let action: (Hooked?) -> Void = { _ in
            MainActor.assumeIsolated {
                do { try call.make(context, a, other) } catch { errors.append(error) }
            }
        }
        hooks.actions[hook] = action
        do { try run(hook, hooks, context, a) } catch { errors.append(error) }
        #expect(!hooks.calls.isEmpty)
        hooks.actions = [:]
        for error in errors {
            let kind = (error as? StoreError)?.kind
            // A checkpoint waits for reads, of which a conversion is a part.
            let isExpected =
                kind == .misuse || call.name == "close" && kind == .closed || call.name == "checkpoint" && kind == .busy
            #expect(isExpected || error is MappingError, "\(error)")
        }
        guard call.name != "close" else { return store.close() }
        // The error of a call that could not throw is thrown once.
        for _ in 1...2 {
            do { try context.save() } catch { #expect(error.kind == .misuse, "\(error)") }
        }
        #expect(!context.hasChanges)
        if !call.discards || hook.isInOperation {
            #expect(try store.rows(sql: "SELECT name FROM Caller WHERE number = 1").first?["name"]?.text == "marker")
        }
        #expect(try store.rows(sql: "PRAGMA foreign_key_check").isEmpty)
        store.close()
    }

    @Test(arguments: Hooks.Hook.allCases, Call.suspending.map(\.0))
    func `a task that code of the program starts has a defined outcome`(_ hook: Hooks.Hook, _ name: String) async throws
    {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        let call = try #require(Call.suspending.first { $0.0 == name }?.1)
        let folder = try TemporaryDirectory()
        let store = try ManagedObjectStore(
            at: folder.url.appending(path: "calls.sqlite"), model: ObjectModel(Caller.self))
        let context = store.mainContext
        context.mergePolicy = .objectWins
        let (a, other) = (Caller(in: context), Caller(in: context))
        (a.number, other.number) = (1, 2)
        try await context.save()
        a.name = "marker"
        let hooks = Hooks()
        var tasks: [Task<Void, any Error>] = []
        hooks.actions[hook] = { _ in
            // Runs in the hook until it suspends.
            MainActor.assumeIsolated { tasks.append(Task.immediate { @MainActor in try await call(context, a) }) }
        }
        do { try run(hook, hooks, context, a) } catch { #expect((error as? StoreError)?.kind == .misuse, "\(error)") }
        hooks.actions = [:]
        #expect(!tasks.isEmpty)
        for task in tasks {
            do { try await task.value } catch {
                #expect((error as? StoreError)?.kind == .misuse || error is MappingError, "\(error)")
            }
        }
        do { try await context.save() } catch { #expect(error.kind == .misuse, "\(error)") }
        try await context.save()
        #expect(!context.hasChanges)
        #expect(try store.rows(sql: "SELECT name FROM Caller WHERE number = 1").first?["name"]?.text == "marker")
        store.close()
    }
}
