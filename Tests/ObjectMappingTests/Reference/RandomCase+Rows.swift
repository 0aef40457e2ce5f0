import ObjectMapping

extension RandomCase {
    /// The columns and relationships of all entities.
    static let table: ReferenceModel = {
        func property(_ name: String, _ type: ReferenceType) -> ReferenceModel.Property {
            .init(name: name, type: type, fresh: "")
        }
        let text = AttributeType(.string)
        var properties = AttributeType.names.compactMap { name in
            AttributeType(name).map { property(name, .column($0, pattern: nil)) }
        }
        properties += [
            property("matched", .column(text, pattern: "^([A-Z]{2})-")),
            property("matchedNumber", .column(AttributeType(.integer), pattern: "([0-9]+)$")),
            property("one", .rows(isToMany: false)), property("many", .rows(isToMany: true)),
            property("others", .rows(isToMany: true)),
            // Hidden and joined ones are last.
            property("part", .column(text, pattern: nil)), property("matchedPart", .column(text, pattern: "([0-9]+)$")),
            property("joined", .column(text, pattern: nil)), property("name", .column(text, pattern: nil)),
        ]
        return ReferenceModel(name: "E", properties: properties)
    }()

    /// A case whose mappings are entities of rows.
    mutating func nextRows() -> ReferenceCase {
        isTidy = chance(2)
        let count = number(1...3)
        var mappings = (0..<count).map { entity($0, of: count) }
        let properties = Self.table.properties.count
        if chance(3) { mappings[0].nameColumn = properties - 1 }
        var document = document(mappings)
        if mappings[0].nameColumn != nil, chance(4) {
            document =
                "{" + (0..<number(0...3)).map { "\"k\($0)\":\(self.document(mappings))" }.joined(separator: ",") + "}"
        }
        // A byte order mark is only at the start of a text.
        var bytes = Array(document.filter { $0 != "\u{FEFF}" }.utf8)
        if slip(4) { spoil(&bytes) }
        return ReferenceCase(mappings: mappings, document: bytes)
    }

    private mutating func entity(_ index: Int, of count: Int) -> ReferenceMapping {
        let model = Self.table
        let last = model.properties.count
        var mapping = ReferenceMapping(model: model, rules: [])
        for destination in (0..<last - 4).shuffled(using: &json.random).prefix(number(1...9)) {
            var rule = ReferenceRule(source: path(), destination: destination)
            let type = model.properties[destination].type
            if isTidy { tidy(&rule, type) }
            let isTaken = mapping.rules.contains { $0.source.components.first == rule.source.components.first }
            if isTaken, isTidy, !chance(4) { continue }
            if case .rows = type {
                let isOverItself = if case .key? = rule.source.components.first { false } else { true }
                guard !isOverItself || index + 1 < count else { continue }
                rule.child = number((isOverItself ? index + 1 : 0)...count - 1)
            } else if case .column(_, let pattern) = type, chance(8) {
                rule.isWanted = true
                rule.isRequired = pattern == nil && rule.source.plainKeys?.isEmpty == false
            }
            mapping.rules.append(rule)
        }
        if chance(4) {
            for part in [last - 4, last - 3] { mapping.rules.append(ReferenceRule(source: path(), destination: part)) }
            mapping.joins = [
                .init(destination: last - 2, parts: [last - 4, last - 3], separator: "-", isRequired: chance(4))
            ]
        }
        return mapping
    }
}
