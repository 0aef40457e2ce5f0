/// Which branch stands for which value.
struct MatchTable {
    /// The index of the branch for each string, as the offset of the key's entry.
    private let strings: NodeRef?
    private let integers: [(value: Int, branch: Int)]
    private let others: [JSON: Int]
    /// The values as messages show them.
    let names: [String]
    /// Those that are strings, to suggest one of them.
    let texts: [String]
    let kinds: Set<JSONKind>

    init(_ values: [(value: MatchValue, branch: Int)], _ builder: PlanBuilder) {
        names = values.map(\.value.name)
        texts = values.compactMap(\.value.json.string)
        kinds = Set(values.map { JSONKind(of: $0.value.json) })
        strings =
            texts.isEmpty
            ? nil
            : builder.table(
                values.compactMap { value, branch in
                    value.json.string.map { ($0, branch) }
                })
        integers = values.compactMap { value, branch in value.json.int.map { ($0, branch) } }
        others = Dictionary(
            values.filter { $0.value.json.string == nil }.map { ($0.value.json, $0.branch) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The branch for the value at a place; nil for none.
    func branch(_ reader: inout PlanReader, _ place: Bytes) -> Int? {
        if place.pointee == .quote {
            guard let strings, case (.string(let text, let count), _)? = reader.scalar(place) else { return nil }
            let index = strings.pointee.find(text, count)
            return index < 0 ? nil : strings.pointee.entries[index].offset
        }
        guard !others.isEmpty else { return nil }
        var integer = 0
        if !integers.isEmpty, scanInteger(place, &integer) != nil {
            return integers.first { $0.value == integer }?.branch
        }
        return reader.tree(place, reader.fence).flatMap { others[$0] }
    }

    /// The branch for a value; nil for none.
    func branch(_ json: JSON) -> Int? {
        guard let text = json.string else { return others[json] }
        guard let strings else { return nil }
        var buffer = ByteBuffer()
        buffer.append(text.utf8)
        let index = strings.pointee.find(buffer.text, buffer.count)
        return index < 0 ? nil : strings.pointee.entries[index].offset
    }
}
