import ObjectMapping
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

/// An object whose hooks call closures of a test.
final class Hooked: ManagedObject, Mappable {
    @Stored(.identity) var number = 0
    @Stored var name = ""
    @Stored var tags: [String] = []
    @ToOne var leader: Hooked?
    @ToMany(inverse: \Hooked.leader) var members: [Hooked]
    @ToMany var friends: [Hooked]
    var hooks = Hooks.current

    static let mapping = Mapping(Hooked.self) {
        Attribute("number", \.number)
        Attribute("name", \.name)
    }
    .validated { _ in Hooks.current?.run(.mapping, nil) }

    override func awakeFromInsert() { hooks?.run(.awakeFromInsert, self) }
    override func awakeFromFetch() { hooks?.run(.awakeFromFetch, self) }
    override func willSave() { hooks?.run(.willSave, self) }
    override func validateForSave() throws {
        hooks?.run(.validateForSave, self)
        if name == "invalid" { throw ValidationFailure("the name is invalid") }
    }
}

/// The closures that code of the program calls.
final class Hooks: @unchecked Sendable {  // guarded by the task of one test
    @TaskLocal static var current: Hooks?

    enum Hook: CaseIterable {
        case awakeFromInsert, awakeFromFetch, willSave, validateForSave, mapping, conversion, trace, onChange, query
        case bulk, deinitializer

        /// Whether the context is in the middle of an operation.
        var isInOperation: Bool {
            ![.onChange, .query, .bulk, .deinitializer, .trace].contains(self)
        }
    }

    var actions: [Hook: (Hooked?) -> Void] = [:]
    private(set) var calls: [Hook] = []
    private var isRunning = false

    /// Calls the closure of a hook, unless a closure is running.
    func run(_ hook: Hook, _ object: Hooked?) {
        guard let action = actions[hook], !isRunning else { return }
        isRunning = true
        calls.append(hook)
        action(object)
        isRunning = false
    }
}

/// What hooks change and call.
@Suite struct HookTests {
    let store: ManagedObjectStore
    let context: ObjectContext
    let hooks = Hooks()

    init() throws {
        store = try ManagedObjectStore(inMemory: ObjectModel(Hooked.self))
        context = ObjectContext(store)
    }

    @discardableResult func object(_ number: Int, _ name: String = "") -> Hooked {
        let object = Hooked(in: context)
        (object.number, object.name, object.hooks) = (number, name, hooks)
        return object
    }

    private func names() throws -> [String] {
        try ObjectContext(store).values(of: \.name, Hooked.all.sorted(by: \.number))
    }

    // MARK: Changes

    @Test func `willSave changes, inserts and deletes other objects in the same save`() throws {
        let (a, b, c) = (object(1, "a"), object(2, "b"), object(3, "c"))
        try context.save()
        hooks.actions[.willSave] = { [context] object in
            guard object === a, b.name == "b" else { return }
            b.name = "changed"
            context.delete(c)
            let new = Hooked(in: context)
            (new.number, new.name) = (4, "new")
        }
        a.name = "A"
        try context.save()
        #expect(try names() == ["A", "changed", "new"] && !context.hasChanges)
    }

    @Test func `willSave can delete its own object`() throws {
        let (a, b) = (object(1, "a"), object(2, "b"))
        hooks.actions[.willSave] = { [context] object in if let object, object === a { context.delete(object) } }
        try context.save()
        #expect(try names() == ["b"] && a.managed.state == .deleted && b.managed.state == .unchanged)
        hooks.actions[.willSave] = { [context] object in if let object { context.delete(object) } }
        b.name = "B"
        try context.save()
        #expect(try names().isEmpty && !context.hasChanges)
    }

    @Test func `the hooks of all objects are called if one deletes its object`() throws {
        let objects = (1...5).map { object($0, "new") }
        hooks.actions[.willSave] = { [context] object in
            object?.name = "seen"
            if let object, object === objects[1] { context.delete(object) }
        }
        try context.save()
        #expect(try names() == Array(repeating: "seen", count: 4))
    }

    @Test func `hooks of objects that hooks insert are called, and they are validated`() throws {
        let a = object(1, "a")
        hooks.actions[.willSave] = { [context, hooks] object in
            guard object === a, a.tags.isEmpty else { return }
            a.tags = ["seen"]
            let new = Hooked(in: context)
            (new.number, new.name, new.hooks) = (2, "invalid", hooks)
        }
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .invalidObjects && error?.problems.count == 1)
        let new = try #require(context.insertedObjects.first { $0 !== a } as? Hooked)
        new.name = "valid"
        hooks.actions[.willSave] = { object in object?.tags = ["seen"] }
        try context.save()
        #expect(new.tags == ["seen"])
        #expect(try names() == ["a", "valid"])
    }

    @Test(arguments: [true, false]) func `changes by validateForSave are validated and saved`(_ isOwn: Bool) throws {
        let (a, b) = (object(1, "a"), object(2, "b"))
        try context.save()
        hooks.actions[.validateForSave] = { object in
            if object === a { (isOwn ? a : b).name = "trimmed" }
        }
        a.name = " trimmed "
        try context.save()
        #expect(try names() == (isOwn ? ["trimmed", "b"] : [" trimmed ", "trimmed"]) && !context.hasChanges)
        hooks.actions[.validateForSave] = { object in if object === a { b.name = "invalid" } }
        a.name = "again"
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.problems.count == 1 && error?.problems.first?.object == b.managed.id)
        #expect(context.updatedObjects == [a, b])
        hooks.actions = [:]
        b.name = "valid"
        try context.save()
        #expect(try names() == ["again", "valid"])
    }

    @Test func `objects that validateForSave inserts and deletes are saved`() throws {
        let (a, b) = (object(1, "a"), object(2, "b"))
        try context.save()
        hooks.actions[.validateForSave] = { [context] object in
            guard object === a, b.managed.state != .deleted else { return }
            context.delete(b)
            let new = Hooked(in: context)
            (new.number, new.leader) = (3, a)
        }
        a.name = "A"
        try context.save()
        #expect(try names() == ["A", ""] && a.members.map(\.number) == [3] && !context.hasChanges)
    }

    @Test(arguments: [Hooks.Hook.willSave, .validateForSave])
    func `hooks that never end their changes are an error, and nothing is saved or lost`(_ hook: Hooks.Hook) throws {
        object(1, "a")
        hooks.actions[hook] = { [context, hooks] object in
            let new = Hooked(in: context)
            (new.number, new.hooks) = ((object?.number ?? 0) + 1, hooks)
        }
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .misuse)
        #expect(
            error?.message.hasPrefix("cannot save: \(hook) of 'Hooked' changed or inserted objects 16 times") == true)
        #expect(try names().isEmpty && context.hasChanges)
        hooks.actions = [:]
        let count = context.insertedObjects.count
        try context.save()
        #expect(try context.count(Hooked.all) == count)
    }

    @Test func `hooks of a suspending save are called, and their changes are saved`() async throws {
        let a = object(1, "a")
        try await context.save()
        hooks.actions[.willSave] = { object in object?.tags.append("saved") }
        a.name = "A"
        try await context.save()
        #expect(try names() == ["A"] && a.tags == ["saved"] && !context.hasChanges)
    }

    // MARK: Calls

    /// The calls that a hook cannot make.
    enum Refused: String, CaseIterable {
        case save = "save()", rollback = "rollback()", reset = "reset()", refresh = "refresh()"
        case refreshOne = "refresh(_:)", discard = "discardInvalidObjects()", update = "update(_:_:)"
        case delete = "delete(_:)", write = "write(sql:arguments:)"

        /// Makes the call; returns the error of one that throws.
        func call(_ context: ObjectContext, _ object: Hooked) -> StoreError? {
            do throws(StoreError) {
                switch self {
                case .save: try context.save()
                case .rollback: context.rollback()
                case .reset: context.reset()
                case .refresh: context.refresh()
                case .refreshOne: context.refresh(object)
                case .discard: context.discardInvalidObjects()
                case .update: try context.update(Hooked.all) { $0.set(\.name, to: "bulk") }
                case .delete: try context.delete(Hooked.all)
                case .write: try context.write(sql: "DELETE FROM Hooked")
                }
                return nil
            } catch {
                return error
            }
        }

        var isThrowing: Bool { ![.rollback, .reset, .refresh, .refreshOne, .discard].contains(self) }
    }

    @Test(
        arguments: [Hooks.Hook.willSave, .validateForSave, .awakeFromInsert, .awakeFromFetch, .mapping],
        Refused.allCases)
    func `a hook cannot end or replace the operation that calls it`(_ hook: Hooks.Hook, _ call: Refused) throws {
        let a = object(1, "a")
        try context.save()
        var errors: [StoreError?] = []
        hooks.actions[hook] = { [context] _ in errors.append(call.call(context, a)) }
        a.name = "A"
        let thrown = try attempt(hook)
        let error = try #require(errors.compactMap { $0 }.first ?? thrown)
        #expect(error.kind == .misuse)
        let name = hook == .mapping ? "code that a mapping calls" : "\(hook)"
        #expect(error.message == "\(call.rawValue) cannot be called in \(name)")
        #expect(errors.allSatisfy { ($0 != nil) == call.isThrowing } && !errors.isEmpty)
        hooks.actions = [:]
        #expect(a.name == "A" && context.hasChanges == !call.isThrowing)
        try context.save()
        #expect(try names().contains("A") && !context.hasChanges)
    }

    /// Runs an operation that calls a hook; returns the error of the next save.
    private func attempt(_ hook: Hooks.Hook) throws -> StoreError? {
        try Hooks.$current.withValue(hooks) {
            switch hook {
            case .awakeFromInsert: _ = Hooked(in: context)
            case .awakeFromFetch:
                try store.write(sql: "INSERT INTO Hooked(number, name, tags) VALUES(7, 'other', '[]')")
                #expect(try context.fetch(Hooked.all).count == 2)
            case .mapping: _ = try context.map(#"{"number": 9, "name": "x"}"#, with: Hooked.mapping)
            default: break
            }
        }
        do throws(StoreError) {
            try context.save()
            return nil
        } catch {
            return error
        }
    }
}
