/// Values that a conversion makes of a JSON value.
final class ConversionBox<Value>: TypedBox<Value> {
    private let conversion: Conversion<Value>

    init(_ conversion: Conversion<Value>) {
        self.conversion = conversion
        super.init()
    }

    override func make(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: UnsafePointer<Entry>, _ memory: Memory
    ) -> Bytes? {
        reader.isMade = false
        guard let end = reader.skip(place) else { return nil }
        if place.isNull, !conversion.acceptsNull {
            reader.note(.typeMismatch, at: place, entry.pointee.rule, conversion.expectation, "null")
            return end
        }
        guard let json = try? JSON(reader.stretch(place, end), maximumDepth: reader.maximumDepth) else { return nil }
        do {
            memory.initializeMemory(as: Value.self, to: try conversion.value(of: json))
            reader.isMade = true
        } catch {
            reader.note(error, json, from: place, to: end, entry.pointee.rule)
        }
        return end
    }
}

/// The conversion of a rule, whatever its type.
struct RuleConversion: Sendable {
    let box: @Sendable () -> ValueBox
    let acceptsNull: Bool
    /// Converts the property's value, which the memory holds.
    let write: @Sendable (UnsafeRawPointer) throws -> JSON
    /// What a value should be, in words.
    let expectation: String
    let mistake: ConversionMistake?

    init<Value>(_ conversion: Conversion<Value>) {
        box = { conversion.box() }
        acceptsNull = conversion.acceptsNull
        write = { try conversion.write($0.assumingMemoryBound(to: Value.self).pointee) }
        expectation = conversion.expectation
        mistake = conversion.mistake
    }
}
