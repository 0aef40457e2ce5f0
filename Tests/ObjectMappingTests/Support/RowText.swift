import ObjectMapping
import Testing

/// Rows as text, children within their parents: `Task(id: 1, name: "a", owner: User(id: 2))`.
struct RowText {
    let tables: [RowTable]

    /// The rows of an element, or its issues.
    func text(of element: RowReader.Element) -> String {
        guard element.isSound else { return element.issues.map(\.description).joined(separator: "\n") }
        return element.rows.rows.indices.filter { element.rows.rows[$0].parent == -1 }
            .map { text(of: $0, in: element.rows) }.joined(separator: " + ")
    }

    private func text(of index: Int, in rows: ElementRows) -> String {
        let row = rows.rows[index]
        guard row.entity >= 0 else { return "none" }
        let table = tables[Int(row.entity)]
        var parts: [String] = []
        for (slot, attribute) in table.columns.enumerated() {
            let value = text(of: rows.slots[Int(row.firstSlot) + slot], in: rows)
            if !value.isEmpty { parts.append("\(attribute.name): \(value)") }
        }
        for (number, relationship) in table.relationships.enumerated() {
            let children = rows.rows.indices.filter {
                rows.rows[$0].parent == index && rows.rows[$0].relationship == number
            }
            guard !children.isEmpty else { continue }
            let texts = children.map { text(of: $0, in: rows) }
            parts.append(
                "\(relationship.name): " + (relationship.isToMany ? "[\(texts.joined(separator: ", "))]" : texts[0]))
        }
        return "\(table.name)(\(parts.joined(separator: ", ")))"
    }

    private func text(of slot: Slot, in rows: ElementRows) -> String {
        switch slot.tag {
        case .absent: ""
        case .null: "null"
        case .integer: "\(slot.integer)"
        case .real: "real \(slot.real)"
        case .text: JSONText.quoted(String(decoding: rows.bytes(of: slot), as: UTF8.self))
        case .blob: "blob " + rows.bytes(of: slot).map { String($0, radix: 16) }.joined(separator: " ")
        }
    }
}

/// The elements of a dump as text, read through a window of a size, with its error at the end.
func rowTexts(
    of bytes: some Sequence<UInt8>, _ entities: [RowEntity], entity: Int? = 0, at path: JSONKeyPath = "",
    shape: ElementShape = .element, windowSize: Int = 4096, chunk: Int = .max
) throws -> [String] {
    try rowTexts(
        of: bytes, RowPlan(entities: entities), entity: entity, at: path, shape: shape, windowSize: windowSize,
        chunk: chunk)
}

/// The same by a plan, such as one of a Swift mapping.
func rowTexts(
    of bytes: some Sequence<UInt8>, _ plan: RowPlan, entity: Int? = nil, at path: JSONKeyPath = "",
    shape: ElementShape = .element, windowSize: Int = 4096, chunk: Int = .max
) throws -> [String] {
    let reader = try RowReader(
        source: ByteChunks(bytes, by: chunk), plan: plan, entity: entity, at: path, shape: shape, windowSize: windowSize
    )
    let format = RowText(tables: plan.tables)
    var texts: [String] = []
    do {
        while let element = try reader.next() { texts.append(format.text(of: element)) }
    } catch let error as MappingError {
        texts.append("error " + error.description)
    }
    return texts
}

/// A column read from a key path, by type name.
func column(
    _ name: String, _ type: String = "string", from path: JSONKeyPath? = nil, required: Bool = false,
    match: String? = nil
) -> RowAttribute {
    RowAttribute(
        name: name, type: AttributeType(type) ?? AttributeType(.string),
        source: .path(path ?? JSONKeyPath(components: [name])), isRequired: required, pattern: match)
}

/// Expects elements with these texts.
func expectTexts(_ found: [String], _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(found == expected, sourceLocation: sourceLocation)
}
