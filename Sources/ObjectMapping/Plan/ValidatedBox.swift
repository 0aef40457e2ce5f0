/// A value that a closure checks, or changes, once it was read without issues; null is not checked.
final class ValidatedBox<Value>: TypedBox<Value> {
    private let value: ValueBox
    private let check: (inout Value) throws -> Void

    init(_ value: ValueBox, _ check: @escaping (inout Value) throws -> Void) {
        self.value = value
        self.check = check
        super.init()
    }

    override func make(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: UnsafePointer<Entry>, _ memory: Memory
    ) -> Bytes? {
        let before = reader.findings.count
        guard let end = value.make(&reader, place, entry, memory) else { return nil }
        guard reader.isMade, !place.isNull, !reader.findings.hasErrors(since: before) else { return end }
        let value = memory.assumingMemoryBound(to: Value.self)
        do {
            try check(&value.pointee)
        } catch {
            value.deinitialize(count: 1)
            reader.isMade = false
            reader.note(rejected: "a value", error, at: place, entry.pointee.rule)
        }
        return end
    }
}

extension PlanReader {
    /// Notes a value that a validation rejects.
    mutating func note(rejected noun: String, _ error: any Error, at place: Bytes, _ rule: Int32) {
        // The text of an error that is not made for issues may hold the value.
        let reason = (error as? ValidationFailure)?.message ?? "\(type(of: error))"
        note(.invalidValue, at: place, rule, "\(noun) that passes validation", "one that does not: \(reason)")
    }
}
