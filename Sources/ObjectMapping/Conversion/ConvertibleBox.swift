/// A type that converts from a JSON value.
final class ConvertibleBox<Value: JSONConvertible>: TypedBox<Value> {
    override func make(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: UnsafePointer<Entry>, _ memory: Memory
    ) -> Bytes? {
        reader.isMade = false
        guard let end = reader.skip(place) else { return nil }
        guard let json = try? JSON(reader.stretch(place, end), maximumDepth: reader.maximumDepth) else { return nil }
        if let value = Value(json: json) {
            memory.initializeMemory(as: Value.self, to: value)
            reader.isMade = true
        } else {
            reader.note(Value.failure(of: json), json, from: place, to: end, entry.pointee.rule)
        }
        return end
    }
}
