/// Code of the program that runs inside an operation of a context.
enum ContextHook: String {
    case willSave, validateForSave, awakeFromInsert, awakeFromFetch
    /// Conversions of attributes, and handlers of statements.
    case reading = "code that a read calls"
    /// Conversions of attributes.
    case saving = "code that a save calls"
    /// Conversions, validations and initializers.
    case mapping = "code that a mapping calls"
}

/// The code of the program that an operation of a context calls, and the calls that this code cannot make.
struct HookState {
    /// Whether a decode is in progress, which may have to undo changes of relationships.
    var isRecording = false
    /// The running code; `nil` outside of operations.
    var current: ContextHook?
    /// The error of a call that cannot throw, and that was made in a hook.
    private var misuse: StoreError?

    /// Whether the code is a hook of an object.
    var isOfObject: Bool { current == .awakeFromInsert || current == .awakeFromFetch }

    /// Throws if a call cannot be made in the current hook.
    func check(_ call: String) throws(StoreError) {
        if let current { throw Self.misuse(call, current) }
    }

    /// Whether a call that cannot throw can be made; otherwise, the running or the next save throws.
    mutating func allows(_ call: String) -> Bool {
        if let current { note(Self.misuse(call, current)) }
        return current == nil
    }

    /// Records an error that cannot be thrown now, unless there is an earlier one.
    mutating func note(_ error: StoreError) { misuse = misuse ?? error }

    /// Throws the error of a call that could not throw, once.
    mutating func throwMisuse() throws(StoreError) {
        if let misuse = misuse.take() { throw misuse }
    }

    mutating func forgetMisuse() { misuse = nil }

    private static func misuse(_ call: String, _ hook: ContextHook) -> StoreError {
        StoreError(
            .misuse, "\(call) cannot be called in \(hook.rawValue)",
            advice: "call it afterwards; hooks can read, change, insert and delete objects")
    }
}

/// Calls of the program's code.
extension ContextCore {
    /// The maximum number of times that hooks can add work to a save.
    static let maximumOfRounds = 16

    /// Calls code of the program.
    func calling<Result, Failure: Error>(
        _ hook: ContextHook, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = hooks.current
        hooks.current = hook
        defer { leave(to: outer) }
        return try body()
    }

    /// Ends the current hook.
    func leave(to outer: ContextHook?) {
        hooks.current = outer
        if outer == nil, !observation.notifications.isEmpty { notifyObservers() }
    }

    /// Records why an object, or this context with an object of another one, cannot be saved.
    func note(_ misuse: Misuse, of property: String? = nil, on object: ManagedObject) {
        noteProblem(misuse.rawValue, of: property, on: object)
    }

    /// Records why an object, or this context with an object of another one, cannot be saved.
    func noteProblem(_ message: String, of property: String?, on object: ManagedObject) {
        if let owner = object.core, owner !== self {
            let id = owner.id(of: object)
            return saves.problems.append(StoreError(.misuse, "\(id): \(message)", entity: id.entity))
        }
        let problem = ObjectProblem(object: id(of: object), property: property, message: message)
        let state = willChange(object)
        if !state.problems.contains(problem) { state.problems.append(problem) }
    }

    enum Misuse: String {
        case otherContext = "the object belongs to another context; fetch it in this one by its ID"
        case deletedTarget = "the relationship was set to an object that is deleted"
        case lostTarget = "the relationship was set to an object that others deleted"
    }

    /// Calls `willSave` of the changed objects that are saved, including those that other hooks change or insert.
    ///
    /// - Parameter isKept: Whether the changes of an object remain unsaved. Defaults to `nil`, for all objects.
    func callWillSave(keeping isKept: ((ManagedObject) -> Bool)? = nil) throws(StoreError) {
        guard !sending.savesCopy else { return }
        var (index, generation) = (0, dirty.generation)
        // Objects that are inserted by hooks have smaller rows.
        var (rounds, firstNewRow) = (0, store.identity.nextTemporaryRow())
        while index < dirty.objects.count {
            let object = dirty.objects[index]
            index += 1
            guard object.core === self, let state = object.state, state.phase != .clean, state.phase != .deleted,
                state.lastHook != saves.number, state.lastHook < saves.continued ?? .max, isKept?(object) != true
            else { continue }
            if object.row < firstNewRow {
                rounds += 1
                firstNewRow = store.identity.nextTemporaryRow()
                guard rounds < Self.maximumOfRounds else { throw endless(.willSave, object) }
            }
            state.lastHook = saves.number
            calling(.willSave) { object.willSave() }
            reconcile()
            // Objects were removed, so that others have different positions.
            if generation != dirty.generation { (index, generation) = (0, dirty.generation) }
        }
    }

    func endless(_ hook: ContextHook, _ object: ManagedObject) -> StoreError {
        let entity = entity(of: object).name
        return StoreError(
            .misuse,
            "cannot save: \(hook.rawValue) of '\(entity)' changed or inserted objects "
                + "\(Self.maximumOfRounds) times in a row, nothing was saved",
            advice: "make changes that end, for example only if a value differs", entity: entity)
    }
}
