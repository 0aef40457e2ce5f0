/// One object, written by the rules of a node.
final class ObjectOutput: OutputBox {
    private let rules: Ref<OutputNode>

    init(_ rules: Ref<OutputNode>) { self.rules = rules }

    override var node: Ref<OutputNode>? { rules }

    override func write(_ value: Memory, _ writer: inout PlanWriter) -> Outcome { writer.object(rules, value) }

    override func writeMembers(_ value: Memory, _ writer: inout PlanWriter) { writer.members(rules, value) }

    override func writeMemberKey(_ value: Memory, _ writer: inout PlanWriter) {
        guard let entry = rules.pointee.memberKey else { return writer.noteNoMemberKey() }
        writer.memberKey(entry, value)
    }
}

/// An object that is written by way of other values, of which it was made.
final class ConvertedOutput<Values, Model>: OutputBox {
    private let values: OutputBox
    private let convert: (Model) -> Values

    init(_ values: OutputBox, _ convert: @escaping (Model) -> Values) {
        self.values = values
        self.convert = convert
    }

    override var node: Ref<OutputNode>? { values.node }

    override func write(_ value: Memory, _ writer: inout PlanWriter) -> Outcome {
        withMemory(of: convert(value[as: Model.self])) {
            values.write($0, &writer)
        }
    }

    override func writeMembers(_ value: Memory, _ writer: inout PlanWriter) {
        withMemory(of: convert(value[as: Model.self])) {
            values.writeMembers($0, &writer)
        }
    }

    override func writeMemberKey(_ value: Memory, _ writer: inout PlanWriter) {
        withMemory(of: convert(value[as: Model.self])) {
            values.writeMemberKey($0, &writer)
        }
    }
}
