/// Values that a conversion makes of a JSON value.
final class ConversionBox<Value>: TypedBox<Value> {
    private let conversion: Conversion<Value>

    init(_ conversion: Conversion<Value>) {
        self.conversion = conversion
        super.init()
    }

    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        guard let end = reader.skip(place) else { return .broken }
        if place.isNull, !conversion.acceptsNull {
            reader.note(.typeMismatch, at: place, entry.pointee.rule, conversion.expectation, "null")
            return .skipped(end)
        }
        guard let json = try? JSON(reader.stretch(place, end), maximumDepth: reader.nesting.limit) else {
            return .broken
        }
        do {
            memory.initialize(as: Value.self, to: try conversion.value(of: json))
            return .made(end)
        } catch {
            reader.note(error, json, from: place, to: end, entry.pointee.rule)
            return .skipped(end)
        }
    }
}

/// The conversion of a rule, whatever its type.
struct RuleConversion: Sendable {
    let box: @Sendable () -> ValueBox
    let acceptsNull: Bool
    /// Converts the property's value, which the memory holds.
    let write: @Sendable (Memory) throws -> JSON
    /// What a value should be, in words.
    let expectation: String
    let mistake: ConversionMistake?

    init<Value>(_ conversion: Conversion<Value>) {
        box = { conversion.box() }
        acceptsNull = conversion.acceptsNull
        write = { try conversion.write($0[as: Value.self]) }
        expectation = conversion.expectation
        mistake = conversion.mistake
    }
}

/// A type that converts from a JSON value.
final class ConvertibleBox<Value: JSONConvertible>: TypedBox<Value> {
    override func make(_ reader: inout PlanReader, _ place: Bytes, _ entry: EntryRef, _ memory: Memory) -> MakeResult {
        guard let end = reader.skip(place),
            let json = try? JSON(reader.stretch(place, end), maximumDepth: reader.nesting.limit)
        else { return .broken }
        guard let value = Value(json: json) else {
            reader.note(Value.failure(of: json), json, from: place, to: end, entry.pointee.rule)
            return .skipped(end)
        }
        memory.initialize(as: Value.self, to: value)
        return .made(end)
    }
}
