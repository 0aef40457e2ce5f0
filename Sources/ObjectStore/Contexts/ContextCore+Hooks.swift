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

/// Calls of the program's code, and the calls that this code cannot make.
extension ContextCore {
    /// The maximum number of times that hooks can add work to a save.
    static let maximumOfRounds = 16

    /// Calls code of the program.
    func calling<Result, Failure: Error>(
        _ hook: ContextHook, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = self.hook
        self.hook = hook
        defer { leave(to: outer) }
        return try body()
    }

    /// Ends the current hook.
    func leave(to outer: ContextHook?) {
        hook = outer
        if outer == nil, !notifications.isEmpty { notifyObservers() }
    }

    /// Whether a hook of an object is running.
    var isInHook: Bool { hook == .awakeFromInsert || hook == .awakeFromFetch }

    /// Throws if a call cannot be made in the current hook.
    func check(_ call: String) throws(StoreError) {
        if let hook { throw Self.misuse(call, hook) }
    }

    /// Whether a call that cannot throw can be made; otherwise, the running or the next save throws.
    func allows(_ call: String) -> Bool {
        guard let hook else { return true }
        misuse = misuse ?? Self.misuse(call, hook)
        return false
    }

    /// Throws the error of a call that could not throw, once.
    func throwMisuse() throws(StoreError) {
        guard let misuse else { return }
        self.misuse = nil
        throw misuse
    }

    private static func misuse(_ call: String, _ hook: ContextHook) -> StoreError {
        StoreError(
            .misuse, "\(call) cannot be called in \(hook.rawValue)",
            advice: "call it afterwards; hooks can read, change, insert and delete objects")
    }

    /// Records why an object, or this context with an object of another one, cannot be saved.
    func note(_ misuse: Misuse, of property: String? = nil, on object: ManagedObject) {
        if let owner = object.core, owner !== self {
            let id = owner.id(of: object)
            return problems.append(StoreError(.misuse, "\(id): \(misuse.rawValue)", entity: id.entity))
        }
        let problem = ObjectProblem(object: id(of: object), property: property, message: misuse.rawValue)
        let state = willChange(object)
        if !state.problems.contains(problem) { state.problems.append(problem) }
    }

    enum Misuse: String {
        case otherContext = "the object belongs to another context; fetch it in this one by its ID"
        case deletedTarget = "the relationship was set to an object that is deleted"
        case lostTarget = "the relationship was set to an object that others deleted"
    }

    /// Calls `willSave` of all changed objects, including those that other hooks change or insert.
    func callWillSave() throws(StoreError) {
        var (index, generation) = (0, dirtyGeneration)
        // Objects that are inserted by hooks have smaller rows.
        var (rounds, firstNewRow) = (0, store.identity.nextTemporaryRow())
        while index < dirty.count {
            let object = dirty[index]
            index += 1
            guard object.core === self, let state = object.state, state.phase != .clean, state.phase != .deleted,
                state.lastHook != saveNumber
            else { continue }
            if object.row < firstNewRow {
                rounds += 1
                firstNewRow = store.identity.nextTemporaryRow()
                guard rounds < Self.maximumOfRounds else { throw endless(.willSave, object) }
            }
            state.lastHook = saveNumber
            calling(.willSave) { object.willSave() }
            reconcile()
            // Objects were removed, so that others have different positions.
            if generation != dirtyGeneration { (index, generation) = (0, dirtyGeneration) }
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
