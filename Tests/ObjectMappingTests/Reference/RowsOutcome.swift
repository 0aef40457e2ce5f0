import Foundation
import ObjectMapping

/// The result of the row reader for a case, compared with that of the reference.
struct RowsOutcome {
    /// The number of elements that became rows.
    private(set) var soundCount = 0
    /// The difference; nil if they agree.
    private(set) var difference: String?

    /// An element as text, or its issues.
    private struct Outcome: Equatable {
        var text: String?
        var issues: [String]
    }

    init(_ example: ReferenceCase) {
        let entities = example.mappings.indices.map { Self.entity($0, example.mappings) }
        let plan: RowPlan
        do { plan = try RowPlan(entities: entities.map(\.entity)) } catch {
            difference = "no plan: \(error)"
            return
        }
        let expected = Self.expectation(example)
        for (window, chunk) in [(16, 1), (16 + example.document.count % 50, 7), (64, 1000), (4096, 4096)] {
            let found = Self.outcomes(example, plan, entities, window: window, chunk: chunk)
            guard let wanted = expected.outcomes else {
                // The number of elements before a mistake depends only on the text.
                let offset = found.syntax?.offset
                if offset == expected.syntaxOffset { continue }
                difference =
                    "no JSON at byte \(expected.syntaxOffset ?? -1), but \(String(describing: found.syntax)), window \(window)"
                return
            }
            soundCount = wanted.filter { $0.text != nil }.count
            if found.syntax == nil, found.outcomes == wanted { continue }
            difference = """
                window \(window), chunks of \(chunk)
                the reference: \(wanted.map { $0.text ?? "\($0.issues)" })
                the engine:    \(found.outcomes.map { $0.text ?? "\($0.issues)" }) \(String(describing: found.syntax))
                """
            return
        }
    }

    // MARK: The engine

    /// An entity, with its slots and relationships in the reference.
    private struct Entity {
        var entity: RowEntity
        var columns: [Int] = []
        var relationships: [Int] = []
        var model: ReferenceModel
    }

    private static func entity(_ index: Int, _ mappings: [ReferenceMapping]) -> Entity {
        let mapping = mappings[index]
        let properties = mapping.model.properties
        var entity = Entity(
            entity: RowEntity(name: mapping.model.name, attributes: [], relationships: []), model: mapping.model)
        let parts = Set(mapping.joins.flatMap(\.parts))
        func add(_ destination: Int, _ source: RowSource, isRequired: Bool) {
            guard case .column(let type, let pattern) = properties[destination].type else { return }
            entity.columns.append(destination)
            entity.entity.attributes.append(
                RowAttribute(
                    name: properties[destination].name, type: type, source: source, isRequired: isRequired,
                    pattern: pattern))
        }
        for rule in mapping.rules where !parts.contains(rule.destination) {
            switch properties[rule.destination].type {
            case .rows(let isToMany):
                entity.relationships.append(rule.destination)
                entity.entity.relationships.append(
                    RowRelationship(
                        name: properties[rule.destination].name, path: rule.source, destination: rule.child,
                        isToMany: isToMany))
            default: add(rule.destination, .path(rule.source), isRequired: rule.isWanted)
            }
        }
        for join in mapping.joins {
            let paths = join.parts.compactMap { part in
                mapping.rules.first { $0.destination == part }.map { rule in
                    guard case .column(_, let pattern) = properties[part].type else { return RowPart(rule.source) }
                    return RowPart(rule.source, pattern: pattern)
                }
            }
            add(join.destination, .joined(paths, separator: join.separator), isRequired: join.isRequired)
        }
        if let column = mapping.nameColumn { add(column, .memberName, isRequired: false) }
        return entity
    }

    private static func outcomes(
        _ example: ReferenceCase, _ plan: RowPlan, _ entities: [Entity], window: Int, chunk: Int
    ) -> (outcomes: [Outcome], syntax: MappingIssue?) {
        var outcomes: [Outcome] = []
        do {
            let reader = try RowReader(
                source: ByteChunks(example.document, by: chunk), plan: plan, entity: 0, at: "",
                shape: example.mappings[0].nameColumn == nil ? .element : .member, windowSize: window)
            while let element = try reader.next() {
                let issues = element.issues.map { issue in
                    let place = ReferenceOutcome.place(of: issue.offset, in: example.document)
                    let isPlaced = place == (issue.line, issue.column)
                    return ReferenceIssue(kind: issue.kind, path: issue.path, offset: issue.offset).description
                        + (isPlaced ? "" : " but \(issue.line):\(issue.column)")
                }
                let text = element.isSound ? text(of: 0, in: element.rows, entities) : nil
                outcomes.append(Outcome(text: text, issues: issues.sorted()))
            }
        } catch {
            return (outcomes, (error as? MappingError)?.issues.last)
        }
        return (outcomes, nil)
    }

    private static func text(of index: Int, in rows: ElementRows, _ entities: [Entity]) -> String {
        guard rows.rows[index].entity >= 0 else { return "none" }
        let entity = entities[Int(rows.rows[index].entity)]
        let object = ReferenceReader.Object(entity.model)
        for (slot, column) in entity.columns.enumerated() {
            let slot = rows.slots[Int(rows.rows[index].firstSlot) + slot]
            object.values[column] = text(of: slot, in: rows, entity.model.properties[column].type)
        }
        for (number, relationship) in entity.relationships.enumerated() {
            let children = rows.rows.indices.filter {
                rows.rows[$0].parent == index && rows.rows[$0].relationship == number
            }
            guard !children.isEmpty else { continue }
            let texts = children.map { text(of: $0, in: rows, entities) }
            guard case .rows(let isToMany) = entity.model.properties[relationship].type else { continue }
            object.values[relationship] =
                isToMany ? "[\(texts.joined(separator: ", "))]" : texts.joined(separator: " + ")
        }
        return object.text
    }

    private static func text(of slot: Slot, in rows: ElementRows, _ type: ReferenceType) -> String? {
        guard case .column(let type, _) = type else { return nil }
        let bytes = Array(slot.tag == .text || slot.tag == .blob ? Array(rows.bytes(of: slot)) : [])
        let text = String(validating: bytes, as: UTF8.self)
        switch slot.tag {
        case .absent: return nil
        case .null: return "null"
        case .integer: return type.scalar == .boolean ? slot.integer == 1 ? "true" : "false" : "\(slot.integer)"
        case .real: return "\(slot.real)"
        case .blob: return JSONText.quoted(Data(bytes).base64EncodedString())
        case .text where type.isList || type.scalar == .json:
            // A JSON column keeps the spelling of the dump.
            guard let tree = try? PlainReader.read(bytes) else { return text.map { "no JSON: \($0)" } }
            if type.scalar == .json { return tree.deduplicated.text }
            return type.scalar == .decimal ? normalized(tree) : tree.text
        case .text:
            let quoted = text.map(JSONText.quoted)
            return type.scalar == .decimal
                ? text.map { JSONText.quoted(PlainNumber($0).description) } : quoted ?? "no UTF-8"
        }
    }

    /// A list of decimal numbers by their values.
    private static func normalized(_ tree: PlainNode) -> String {
        let texts = (tree.array ?? []).map { node in
            if case .string(let text) = node.kind { JSONText.quoted(PlainNumber(text).description) } else { node.text }
        }
        return "[\(texts.joined(separator: ","))]"
    }

    // MARK: The reference

    private static func expectation(_ example: ReferenceCase) -> (outcomes: [Outcome]?, syntaxOffset: Int?) {
        let tree: PlainNode
        do throws(PlainReader.Failure) { tree = try PlainReader.read(example.document) } catch {
            return (nil, error.offset)
        }
        // Null in place of a collection has no elements.
        if tree.isNull { return ([], nil) }
        var elements: [(String?, PlainNode)]
        if example.mappings[0].nameColumn != nil, case .object(let members) = tree.kind {
            elements = members.map { ($0.key, $0.value) }
        } else if example.mappings[0].nameColumn == nil, let array = tree.array {
            elements = array.filter { !$0.isNull }.map { (nil, $0) }
        } else {
            elements = [(nil, tree)]
        }
        let outcomes = elements.map { name, element in
            var reader = ReferenceReader(example.mappings)
            let text = reader.row(element, memberName: name)
            let isSound = reader.issues.allSatisfy { $0.kind == .duplicateKey }
            return Outcome(text: isSound ? text : nil, issues: reader.issues.map(\.description).sorted())
        }
        return (outcomes, nil)
    }
}
