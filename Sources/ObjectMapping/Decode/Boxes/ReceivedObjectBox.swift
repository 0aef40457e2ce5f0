/// A model that is notified when an object of a payload was read into it, for internal use.
public protocol PayloadReceiving {
    /// Called after an object was read without issues, before the objects that contain it are complete.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - range: The location of the object in the text of the payload; empty for an object that is not a part of it.
    static func received(_ model: inout Self, at range: Range<Int>)
}

/// An object whose model is notified after it was read without issues.
final class ReceivedObjectBox<Model: PayloadReceiving>: OuterObjectBox {
    override func begin(_ reader: inout PlanReader, _ place: Bytes) -> Int { reader.findings.count }

    override func end(
        _ reader: inout PlanReader, _ place: Bytes, _ rule: Int32, _ memory: Memory, _ begun: Int, _ result: MakeResult
    ) -> Bool {
        guard result.isMade, let end = result.end, !reader.findings.hasErrors(since: begun) else {
            return result.isMade
        }
        // As offsets: the end of a long text is a copy, so that an object can begin before it and end in it.
        let start = reader.offset(place)
        Model.received(&memory[as: Model.self], at: start..<(reader.hasPlaces ? reader.offset(end) : start))
        return true
    }
}
