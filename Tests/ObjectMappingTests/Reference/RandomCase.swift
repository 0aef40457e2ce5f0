import ObjectMapping

/// Makes mappings at random, and documents that fit them more often than not.
struct RandomCase {
    var json: RandomJSON
    private static let keys = [
        "a", "b", "c", "d", "id", "\u{E9}", "e\u{301}", "x y", "a.b", "@count", "", "a key of more than sixteen bytes",
    ]

    init(seed: UInt64) { json = RandomJSON(seed: Int(truncatingIfNeeded: seed)) }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &json.random) }
    private mutating func chance(_ count: Int) -> Bool { json.random.chance(in: count) }

    // MARK: Mappings

    /// A case over some models; mappings take turns with them.
    mutating func next(_ models: [ReferenceModel], fitting: [Int: [Int]]) -> ReferenceCase {
        let count = number(1...4)
        let kinds = (0..<count).map { _ in number(0...models.count - 1) }
        var mappings: [ReferenceMapping] = []
        for index in 0..<count {
            mappings.append(ReferenceMapping(model: models[kinds[index]], rules: rules(index, kinds, models, fitting)))
        }
        var document = Array(self.document(mappings).utf8)
        if chance(6) { spoil(&document) }
        return ReferenceCase(mappings: mappings, document: document)
    }

    /// - Parameter fitting: by number of a model and of a property, the model of its objects.
    private mutating func rules(
        _ index: Int, _ kinds: [Int], _ models: [ReferenceModel], _ fitting: [Int: [Int]]
    ) -> [ReferenceRule] {
        let model = models[kinds[index]]
        var rules: [ReferenceRule] = []
        for destination in model.properties.indices.shuffled(using: &json.random).prefix(number(0...9)) {
            var rule = ReferenceRule(source: path(), destination: destination, isRequired: chance(8))
            switch model.properties[destination].type {
            case .one, .many:
                let wanted = fitting[kinds[index]]?[destination]
                // A relationship over the object itself must not lead back to it.
                let isOverItself = if case .key? = rule.source.components.first { false } else { true }
                let targets = kinds.indices.filter { kinds[$0] == wanted && (!isOverItself || $0 > index) }
                guard !targets.isEmpty else { continue }
                rule.child = json.random.pick(targets)
            default: break
            }
            rules.append(rule)
        }
        return rules
    }

    private mutating func path() -> JSONKeyPath {
        if chance(40) { return "" }
        func key(_ random: inout RandomCase) -> JSONKeyPath.Component {
            // Few keys, so that rules share the beginnings of their paths.
            .key(random.json.random.pick(random.chance(3) ? RandomCase.keys : Array(RandomCase.keys.prefix(4))))
        }
        var components = (0..<json.random.pick([1, 1, 1, 2, 2, 3])).map { _ in key(&self) }
        if chance(5) {
            components.insert(
                .collection(json.random.pick(CollectionOperator.allCases)),
                at: number(chance(8) ? 0...0 : 1...components.count))
        }
        return JSONKeyPath(components)
    }

    // MARK: Documents

    private mutating func document(_ mappings: [ReferenceMapping]) -> String {
        let levels = mappings.map { ReferenceLevel($0.rules) }
        if chance(60) { return json.value(2) }
        if chance(5) {
            return "[" + (0..<number(0...3)).map { _ in object(0, mappings, levels, 3) }.joined(separator: ",") + "]"
        }
        return (chance(20) ? "\u{FEFF}" : "") + json.blank() + object(0, mappings, levels, 4) + json.blank()
    }

    private mutating func object(
        _ index: Int, _ mappings: [ReferenceMapping], _ levels: [ReferenceLevel], _ depth: Int
    ) -> String {
        if !levels[index].whole.isEmpty, chance(3) {
            return value(for: levels[index].whole, index, mappings, levels, depth)
        }
        return object(of: levels[index], index, mappings, levels, depth)
    }

    private mutating func object(
        of level: ReferenceLevel, _ index: Int, _ mappings: [ReferenceMapping], _ levels: [ReferenceLevel], _ depth: Int
    ) -> String {
        var members: [String] = []
        for key in level.keys where !chance(5) {
            for _ in 0..<(chance(12) ? 2 : 1) {
                let value = value(for: level.actions(for: key), index, mappings, levels, depth)
                members.append(
                    json.blank() + json.spelled(key) + json.blank() + ":" + json.blank() + value + json.blank())
            }
        }
        for _ in 0..<(chance(2) ? number(0...2) : 0) {
            members.append(json.spelled(json.random.pick(Self.keys)) + ":" + (chance(300) ? deep() : json.value(2)))
        }
        return "{" + members.shuffled(using: &json.random).joined(separator: ",") + "}"
    }

    private mutating func value(
        for actions: [ReferenceLevel.Action], _ index: Int, _ mappings: [ReferenceMapping], _ levels: [ReferenceLevel],
        _ depth: Int
    ) -> String {
        if chance(15) { return "null" }
        if chance(25) || depth <= 0 { return json.value(1) }
        switch json.random.pick(actions) {
        case .rule(let rule):
            return value(for: mappings[index].model.properties[rule.destination].type, rule, mappings, levels, depth)
        case .level(let level):
            if chance(4) {
                let texts = (0..<number(0...3)).map { _ in object(of: level, index, mappings, levels, depth - 1) }
                return "[" + (texts + (chance(4) ? ["null"] : [])).joined(separator: ",") + "]"
            }
            return object(of: level, index, mappings, levels, depth - 1)
        case .operation(let path, let rule):
            let type = mappings[index].model.properties[rule.destination].type
            let leaves = (0..<number(0...4)).map { _ in
                let leaf = chance(2) ? json.number() : value(for: type, rule, mappings, levels, depth - 1)
                return path.dropFirst().reversed().reduce(chance(6) ? "null" : leaf) { text, component in
                    switch component {
                    case .key(let key): "{\(json.spelled(key)):\(text)}"
                    case .collection: "[\(text)]"
                    }
                }
            }
            return "[" + leaves.joined(separator: json.blank() + ",") + "]"
        }
    }

    private mutating func value(
        for type: ReferenceType, _ rule: ReferenceRule, _ mappings: [ReferenceMapping], _ levels: [ReferenceLevel],
        _ depth: Int
    ) -> String {
        switch type {
        case .optional(let wrapped): return chance(6) ? "null" : value(for: wrapped, rule, mappings, levels, depth)
        case .list(let element), .set(let element):
            if chance(8) { return value(for: element, rule, mappings, levels, depth) }
            let values = (0..<number(0...4)).map { _ in value(for: element, rule, mappings, levels, depth) }
            return "[" + values.map { json.blank() + $0 }.joined(separator: json.blank() + ",") + "]"
        case .one: return object(rule.child, mappings, levels, depth - 1)
        case .many:
            let values = (0..<number(0...3)).map { _ in
                chance(12) ? "null" : object(rule.child, mappings, levels, depth - 1)
            }
            return "[" + values.joined(separator: ",") + "]"
        default: return chance(20) ? json.value(1) : scalar(type)
        }
    }

    /// Nesting about as deep as is allowed.
    private mutating func deep() -> String {
        let count = number(505...513)
        return String(repeating: "[", count: count) + String(repeating: "]", count: count)
    }

    /// Changes a byte or two, so that the text may be no JSON any more.
    private mutating func spoil(_ bytes: inout [UInt8]) {
        let spare =
            Array("{}[]:,\"\\ \n0123456789-+.eEtrufalsn/u".utf8) + [
                1, 0x1F, 0x7F, 0x80, 0xC3, 0xE2, 0xED, 0xF0, 0xF4, 0xFF,
            ]
        for _ in 0..<number(1...2) {
            let place = number(0...bytes.count)
            switch number(0...3) {
            case 0 where place < bytes.count: bytes.remove(at: place)
            case 1 where place < bytes.count: bytes[place] = json.random.pick(spare)
            case 2: bytes.insert(json.random.pick(spare), at: place)
            default: bytes.removeSubrange(place...)
            }
        }
    }
}
