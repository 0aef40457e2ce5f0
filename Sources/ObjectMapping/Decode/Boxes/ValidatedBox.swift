/// A value that a closure validates or changes after it was read without issues; null is not validated.
final class ValidatedBox<Value>: TypedBox<Value> {
    private let value: ValueBox
    private let check: (inout Value) throws -> Void

    override var inner: ValueBox? { value }

    init(_ value: ValueBox, _ check: @escaping (inout Value) throws -> Void) {
        self.value = value
        self.check = check
        super.init()
    }

    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        let before = reader.findings.count
        let result = value.make(&reader, place, entry, memory)
        guard result.isMade, !place.isNull, !reader.findings.hasErrors(since: before) else { return result }
        do {
            try check(&memory[as: Value.self])
        } catch {
            memory.deinitialize(as: Value.self)
            reader.note(rejected: "a value", error, at: place, entry.pointee.rule)
            return .skipped(result.end)
        }
        return result
    }
}

extension PlanReader {
    /// Adds the issue of a value that a validation rejects.
    mutating func note(rejected noun: String, _ error: any Error, at place: Bytes, _ rule: Int32) {
        let (expected, found) = ValidationFailure.texts(of: error, rejecting: noun)
        note(.invalidValue, at: place, rule, expected, found)
    }
}

extension ValidationFailure {
    /// The message of a validation without one.
    static var noMessage: String { "does not meet the requirement of `validate`" }

    /// Returns the expected and found texts of a rejected value.
    package static func texts(of error: any Error, rejecting noun: String) -> (expected: String, found: String) {
        ("\(noun) that passes validation", "an invalid one: \(reason(of: error))")
    }

    /// Returns the text of an error of user code; that of another type may contain values, so its name is used.
    static func reason(of error: any Error) -> String { (error as? ValidationFailure)?.message ?? "\(type(of: error))" }
}

/// An object whose model a closure validates after it was read without issues.
final class ValidatedObjectBox<Model>: OuterObjectBox {
    private let check: (Model) throws -> Void

    init(_ object: ObjectBox, _ check: @escaping (Model) throws -> Void) {
        self.check = check
        super.init(object)
    }

    override func begin(_ reader: inout PlanReader, _ place: Bytes) -> Int { reader.findings.count }

    override func end(
        _ reader: inout PlanReader, _ place: Bytes, _ rule: Int32, _ memory: Memory, _ begun: Int, _ result: MakeResult
    ) -> Bool {
        guard result.isMade, !reader.findings.hasErrors(since: begun) else { return result.isMade }
        do {
            try check(memory[as: Model.self])
        } catch {
            reader.note(rejected: "an object", error, at: place, rule)
        }
        return true
    }
}
