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

    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        if place.isNull, let makeDefault {
            makeDefault(memory)
            return .made(place + 4)
        }
        let before = reader.findings
        let result = value.make(&reader, place, entry, memory)
        guard let end = result.end, whenInvalid != .fail, reader.findings.hasErrors(since: before.count) else {
            return result
        }
        reader.restore(before)
        if result.isMade { memory.deinitialize(as: Value.self) }
        guard whenInvalid == .useDefault, let makeDefault else {
            reader.trace?.note("the value is invalid: left alone")
            return .skipped(end)
        }
        makeDefault(memory)
        reader.trace?.note("the value is invalid: the default takes its place")
        return .made(end)
    }
}
