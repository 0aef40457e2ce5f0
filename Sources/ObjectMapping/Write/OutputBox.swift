/// Writes values of one type for which there is no plain operation.
class OutputBox {
    enum Outcome { case written, null, absent }

    /// The operation that writes such a value at an offset of a model.
    var operation: Operation { .value }
    /// The operation that writes an optional value at an offset of a model.
    var optional: Operation { .value }
    /// The operation that writes the value, independent of its location.
    var plainOperation: Operation { operation }
    /// The rules with which an object is written; `nil` for other values.
    var node: Ref<OutputNode>? { nil }
    /// The rules with which the objects in the value are written.
    var nodes: [Ref<OutputNode>] { node.map { [$0] } ?? [] }
    /// Whether the value is an array without an order.
    var isUnordered: Bool { false }

    /// The kind of all values; `nil` if it can vary, or if a value can be omitted.
    var kind: JSONKind? { plainOperation.writtenKind }

    /// Whether a value that is written as null counts as `nil`.
    var isNullNil: Bool { false }

    /// Writes the value in memory; writes nothing for `nil`, which is handled by the rule, and for an absent value.
    func write(_ value: Memory, _ writer: inout PlanWriter) -> Outcome { .absent }

    /// The class of the managed objects that are the values.
    var stored: (any StoredModel.Type)? { nil }

    /// Writes the members of the value into the open object.
    func writeMembers(_ value: Memory, _ writer: inout PlanWriter) { writer.noteNoMembers() }

    /// Writes the key of the value in a dictionary.
    func writeMemberKey(_ value: Memory, _ writer: inout PlanWriter) { writer.noteNoMemberKey() }
}

/// A value that is written by a closure; it is not used for optionals.
final class PlainOutput<Value>: OutputBox {
    private let plain: Operation
    private let optionalPlain: Operation
    private let body: (Value, inout PlanWriter) -> Void

    /// - Parameters:
    ///   - plain: The equivalent plain operation.
    ///   - optional: The equivalent plain operation for an optional.
    init(
        _ plain: Operation = .value, optional: Operation = .value,
        _ body: @escaping (Value, inout PlanWriter) -> Void
    ) {
        self.plain = plain
        optionalPlain = optional
        self.body = body
    }

    override var operation: Operation { plain }
    override var optional: Operation { optionalPlain }
    override var kind: JSONKind? { Value.self is any Numeric.Type ? .number : plain.writtenKind }

    override func write(_ value: Memory, _ writer: inout PlanWriter) -> Outcome {
        body(value[as: Value.self], &writer)
        return .written
    }
}

/// A value that is first converted to a tree.
final class TreeOutput<Value>: OutputBox {
    private let expectation: String?
    private let tree: (Value) throws -> JSON

    /// - Parameters:
    ///   - expectation: The noun of a conversion, whose null is `nil`; `nil` for a type that writes itself. Defaults to
    ///     `nil`.
    ///   - tree: Returns the value as JSON; an absent value is omitted, and an error is an issue.
    init(_ expectation: String? = nil, _ tree: @escaping (Value) throws -> JSON) {
        self.expectation = expectation
        self.tree = tree
    }

    override var isNullNil: Bool { expectation != nil }

    override func write(_ value: Memory, _ writer: inout PlanWriter) -> Outcome {
        do {
            let json = try tree(value[as: Value.self])
            if isNullNil, json.isNull { return .null }
            return writer.write(json) ? .written : .absent
        } catch {
            note(error, &writer)
            return .written
        }
    }

    override func writeMembers(_ value: Memory, _ writer: inout PlanWriter) {
        do { writer.writeMembers(of: try tree(value[as: Value.self])) } catch {
            writer.out.comma()
            note(error, &writer)
        }
    }

    private func note(_ error: any Error, _ writer: inout PlanWriter) {
        writer.note(error, expected: expectation ?? "a \(Value.self) that can be written")
    }
}

/// An optional of a type that has a box.
final class OptionalOutput<Wrapped>: OutputBox {
    private let wrapped: OutputBox

    init(_ wrapped: OutputBox) { self.wrapped = wrapped }

    override var operation: Operation { wrapped.optional }
    override var node: Ref<OutputNode>? { wrapped.node }
    override var nodes: [Ref<OutputNode>] { wrapped.nodes }
    override var isUnordered: Bool { wrapped.isUnordered }
    override var kind: JSONKind? { nil }

    override func write(_ value: Memory, _ writer: inout PlanWriter) -> Outcome {
        withWrapped(value) { memory in
            let outcome = wrapped.write(memory, &writer)
            guard case .null = outcome, !wrapped.isNullNil else { return outcome }
            // For nested optionals, an outer `nil` is absent, and an inner one is null.
            writer.out.null()
            return .written
        } ?? .null
    }

    override func writeMembers(_ value: Memory, _ writer: inout PlanWriter) {
        _ = withWrapped(value) { wrapped.writeMembers($0, &writer) }
    }

    private func withWrapped<Result>(_ value: Memory, _ body: (Memory) -> Result) -> Result? {
        guard let wrapped = value[as: Wrapped?.self] else { return nil }
        return withMemory(of: wrapped) { body($0) }
    }
}

extension Operation {
    /// The kind of all values that the operation writes; `nil` if it can vary.
    fileprivate var writtenKind: JSONKind? {
        switch self {
        case .int, .double: .number
        case .bool: .boolean
        case .string, .date: .string
        default: nil
        }
    }
}
