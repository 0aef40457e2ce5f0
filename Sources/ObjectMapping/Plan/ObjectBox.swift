/// One model of a relationship, made and filled by the rules of a node.
final class ObjectBox<Model>: TypedBox<Model> {
    private let model: ModelBox
    private let node: UnsafeMutablePointer<Node>

    init(_ model: ModelBox, _ node: UnsafeMutablePointer<Node>) {
        self.model = model
        self.node = node
        super.init()
    }

    override func make(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: UnsafePointer<Entry>, _ memory: Memory
    ) -> Bytes? {
        reader.isMade = false
        guard place.pointee == .openBrace || node.pointee.whole != nil else {
            return reader.mismatch(place, entry.pointee.rule, "an object")
        }
        model.make(memory)
        let end = reader.object(place, node, memory)
        reader.isMade = end != nil
        if end == nil { model.destroy(memory) }
        return end
    }

    override func replace(
        _ reader: inout PlanReader, _ place: Bytes, _ entry: UnsafePointer<Entry>, _ memory: Memory
    ) -> Bytes? {
        guard place.pointee == .openBrace || node.pointee.whole != nil else {
            return reader.mismatch(place, entry.pointee.rule, "an object")
        }
        model.replace(memory)
        return reader.object(place, node, memory)
    }
}
