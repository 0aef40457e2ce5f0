/// A value with another one for null, or for what is no value of its type.
final class FallbackBox<Value>: TypedBox<Value> {
    private let value: ValueBox
    /// Makes the default in empty memory.
    private let makeDefault: ((Memory) -> Void)?
    private let whenInvalid: InvalidPolicy

    init(_ value: ValueBox, _ options: RuleOptions) {
        self.value = value
        makeDefault = options.makeDefault
        whenInvalid = options.whenInvalid
        super.init()
    }

    override func make(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: UnsafePointer<Entry>, _ memory: Memory
    ) -> Bytes? {
        if place.isNull, let makeDefault {
            makeDefault(memory)
            reader.isMade = true
            return place + 4
        }
        let before = reader.findings
        guard let end = value.make(&reader, place, entry, memory) else { return nil }
        guard whenInvalid != .fail, reader.findings.hasErrors(since: before.count) else { return end }
        reader.findings = before
        if reader.isMade { memory.assumingMemoryBound(to: Value.self).deinitialize(count: 1) }
        reader.isMade = false
        if whenInvalid == .useDefault, let makeDefault {
            makeDefault(memory)
            reader.isMade = true
        }
        let outcome = reader.isMade ? "the default takes its place" : "left alone"
        reader.trace?.note("the value is invalid: \(outcome)")
        return end
    }
}
