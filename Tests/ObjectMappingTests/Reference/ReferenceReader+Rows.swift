import Foundation
import ObjectMapping

extension ReferenceReader {
    /// The row of an element of a collection; nil for an element that is not a row.
    mutating func row(_ element: PlainNode, memberName: String? = nil) -> String? {
        let object = Object(mappings[0].model)
        if let column = mappings[0].nameColumn { object.values[column] = memberName.map(JSONText.quoted) }
        return read(element, 0, object, nil) ? object.text : nil
    }

    /// Completes an object: joins columns, and reports required ones without a value.
    mutating func finish(
        _ node: PlainNode, _ mapping: ReferenceMapping, _ object: Object, _ base: PlainNode.Place?
    ) {
        for join in mapping.joins {
            let parts = join.parts.map { object.values[$0] }
            for part in join.parts { object.values[part] = nil }
            guard parts.allSatisfy({ $0 != nil && $0 != "null" }) else { continue }
            let texts = parts.compactMap { $0.flatMap { try? JSON($0).string } }
            object.values[join.destination] = JSONText.quoted(texts.joined(separator: join.separator))
        }
        // A key at which only this rule begins was already reported as missing.
        var required = mapping.rules.filter { $0.isWanted && !($0.isRequired && $0.source.components.count == 1) }
            .map(\.destination)
        required += mapping.joins.filter(\.isRequired).map(\.destination)
        for column in required where !object.troubled.contains(column) {
            if [nil, "null"].contains(object.values[column]) { note(.missing, node, base) }
        }
    }

    // MARK: Columns

    /// A value that is not null as a column stores it.
    mutating func column(
        _ node: PlainNode, _ type: AttributeType, _ pattern: String?, _ base: PlainNode.Place?
    ) -> String? {
        if let pattern {
            guard case .success(let quoted) = ReferenceConversion.convert(node, .string),
                let text = try? JSON(quoted).string
            else {
                note(.typeMismatch, node, base)
                return nil
            }
            guard let match = try? Regex(pattern).firstMatch(in: text), let part = match.output[1].substring else {
                return nil
            }
            return column(PlainNode(kind: .string(String(part)), place: node.place), type, nil, base)
        }
        guard type.isList else { return scalar(node, type.scalar, base) }
        var texts: [String] = []
        var isSound = true
        for element in node.array ?? [node] {
            let isNull = element.isNull && type.scalar != .json
            if let text = isNull ? "null" : scalar(element, type.scalar, base) {
                texts.append(text)
            } else {
                isSound = false
            }
        }
        return isSound ? "[\(texts.joined(separator: ","))]" : nil
    }

    private mutating func scalar(
        _ node: PlainNode, _ scalar: AttributeType.Scalar, _ base: PlainNode.Place?
    ) -> String? {
        switch ReferenceConversion.stored(node, scalar) {
        case .success(let text): return text
        case .failure(let mismatch):
            note(mismatch.kind, node, base)
            return nil
        }
    }

    // MARK: Rows

    /// The rows of a relationship.
    mutating func rows(
        _ node: PlainNode, isToMany: Bool, _ rule: ReferenceRule, _ base: PlainNode.Place?
    ) -> String? {
        func row(_ reader: inout ReferenceReader, _ node: PlainNode) -> String? {
            let child = Object(reader.mappings[rule.child].model)
            return reader.read(node, rule.child, child, base) ? child.text : nil
        }
        guard isToMany else {
            // An array is not a row, even with rules for the whole value.
            if node.array != nil, isWithoutWhole(rule.child) {
                note(.typeMismatch, node, base)
                return nil
            }
            return row(&self, node)
        }
        var texts: [String] = []
        for element in node.array ?? [node] where !element.isNull {
            if let text = row(&self, element) { texts.append(text) }
        }
        return texts.isEmpty ? "[none]" : "[\(texts.joined(separator: ", "))]"
    }
}

extension ReferenceConversion {
    /// A value as a column stores it, as JSON text.
    static func stored(_ node: PlainNode, _ scalar: AttributeType.Scalar) -> Result<String, Mismatch> {
        switch scalar {
        case .integer: return convert(node, .integer(Int128(Int64.min)...Int128(Int64.max)))
        case .double: return convert(node, .double)
        case .boolean: return convert(node, .boolean)
        case .string: return convert(node, .string)
        case .json: return convert(node, .json)
        case .decimal: return convert(node, .decimal).map(JSONText.quoted)
        case .uuid: return convert(node, .uuid).map(JSONText.quoted)
        // The spelling of the dump.
        case .url: return convert(node, .url).flatMap { _ in convert(node, .string) }
        case .data: return convert(node, .data).map(JSONText.quoted)
        case .date:
            guard case .success = convert(node, .date) else { return convert(node, .date) }
            var seconds = Decimal()
            if case .string(let text) = node.kind, let parts = PlainDate.parts(text) {
                // Digits after milliseconds are truncated.
                seconds = Decimal(parts.whole) + (Decimal(string: "0." + parts.fraction.prefix(3) + "0") ?? 0)
            } else if let text = number(node), let value = Decimal(string: text) {
                seconds = value
            }
            return PlainDate.text(seconds).map { .success(JSONText.quoted($0)) }
                ?? .failure(Mismatch(kind: .outOfRange))
        }
    }
}
