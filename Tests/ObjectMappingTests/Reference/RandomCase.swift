import ObjectMapping
import TestSupport

/// Creates random mappings, and documents that match them in most cases.
struct RandomCase {
    var json: RandomJSON
    /// Whether values match, as far as rules that share a key allow.
    var isTidy = false
    private static let keys = [
        "a", "b", "c", "d", "id", "\u{E9}", "e\u{301}", "x y", "a.b", "@count", "", "a key of more than sixteen bytes",
    ]

    init(seed: UInt64) { json = RandomJSON(seed: Int(truncatingIfNeeded: seed)) }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &json.random) }
    mutating func chance(_ count: Int) -> Bool { json.random.chance(in: count) }
    /// The chance of an invalid value.
    mutating func slip(_ count: Int) -> Bool { chance(count) && !isTidy }

    // MARK: Mappings

    /// A case for some models, which alternate between mappings.
    mutating func next(_ models: [ReferenceModel], fitting: [Int: [Int]]) -> ReferenceCase {
        isTidy = chance(2)
        let count = number(1...4)
        let kinds = (0..<count).map { _ in number(0...models.count - 1) }
        var mappings: [ReferenceMapping] = []
        for index in 0..<count {
            mappings.append(ReferenceMapping(model: models[kinds[index]], rules: rules(index, kinds, models, fitting)))
        }
        var document = Array(self.document(mappings).utf8)
        if slip(4) { spoil(&document) }
        // Long texts are read in place, except for their ends.
        if chance(16), document.first != 0xEF {
            document.insert(contentsOf: repeatElement(0x20, count: number(16_000...17_000)), at: 0)
        }
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
            if isTidy { tidy(&rule, model.properties[destination].type) }
            let isTaken = rules.contains { $0.source.components.first == rule.source.components.first }
            if isTaken, isTidy, !chance(4) { continue }
            rules.append(rule)
        }
        return rules
    }

    /// Gives a rule an operator for its property.
    mutating func tidy(_ rule: inout ReferenceRule, _ type: ReferenceType) {
        var operators: [CollectionOperator] = [.count, .sum, .avg, .min, .max]
        if type.isList {
            operators = [.unionOfObjects, .distinctUnionOfObjects, .unionOfArrays, .distinctUnionOfSets]
        } else if case .one = type {
            operators = [.min]
        }
        rule.source = JSONKeyPath(
            rule.source.components.map { component in
                if case .collection = component { .collection(json.random.pick(operators)) } else { component }
            })
    }

    mutating func path() -> JSONKeyPath {
        if chance(40) { return "" }
        func key(_ random: inout RandomCase) -> JSONKeyPath.Component {
            // Few keys, so that rules share the beginnings of their paths.
            .key(
                random.json.random.pick(
                    random.isTidy || random.chance(3) ? RandomCase.keys : Array(RandomCase.keys.prefix(4))))
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

    mutating func document(_ mappings: [ReferenceMapping]) -> String {
        let levels = mappings.map { ReferenceLevel($0.rules) }
        if slip(60) { return json.value(2) }
        if chance(isTidy ? 20 : 5) {
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
        for key in level.keys where !chance(isTidy ? 12 : 5) {
            for _ in 0..<(chance(12) ? 2 : 1) {
                let value = value(for: level.actions(for: key), index, mappings, levels, depth)
                members.append(
                    json.blank() + json.spelled(key) + json.blank() + ":" + json.blank() + value + json.blank())
            }
        }
        for _ in 0..<(chance(2) ? number(0...2) : 0) {
            let key = json.random.pick(Self.keys)
            if isTidy, level.keys.contains(key) { continue }
            members.append(json.spelled(key) + ":" + (chance(300) ? deep() : json.value(2)))
        }
        return "{" + members.shuffled(using: &json.random).joined(separator: ",") + "}"
    }

    private mutating func value(
        for actions: [ReferenceLevel.Action], _ index: Int, _ mappings: [ReferenceMapping], _ levels: [ReferenceLevel],
        _ depth: Int
    ) -> String {
        if chance(15) { return "null" }
        if slip(25) { return json.value(1) }
        if depth <= 0 { return "null" }
        switch json.random.pick(actions) {
        case .rule(let rule):
            return value(for: mappings[index].model.properties[rule.destination].type, rule, mappings, levels, depth)
        case .level(let level):
            if chance(isTidy ? 20 : 4) {
                let texts = (0..<number(0...3)).map { _ in object(of: level, index, mappings, levels, depth - 1) }
                return "[" + (texts + (chance(4) ? ["null"] : [])).joined(separator: ",") + "]"
            }
            return object(of: level, index, mappings, levels, depth - 1)
        case .operation(let path, let rule):
            let type = mappings[index].model.properties[rule.destination].type
            let leaves = (0..<number(0...4)).map { _ in
                let leaf = leaf(for: path.first, type, rule, mappings, levels, depth)
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

    /// A value for an operator.
    private mutating func leaf(
        for operation: JSONKeyPath.Component?, _ type: ReferenceType, _ rule: ReferenceRule,
        _ mappings: [ReferenceMapping], _ levels: [ReferenceLevel], _ depth: Int
    ) -> String {
        guard isTidy || chance(2) else { return json.number() }
        switch operation {
        case .collection(.unionOfObjects), .collection(.distinctUnionOfObjects):
            return value(for: type.element, rule, mappings, levels, depth - 1)
        case .collection(.sum), .collection(.avg), .collection(.min), .collection(.max):
            return json.random.pick(["1", "2", "3.0", "40", "0", "-5"])
        default: return value(for: type, rule, mappings, levels, depth - 1)
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
        case .column(let type, let pattern):
            if pattern != nil, !chance(6) { return json.random.pick(["\"AB-12\"", "\"CD-x\"", "\"none\"", "12"]) }
            let one = ReferenceType(type.scalar)
            return value(for: type.isList ? .list(.optional(one)) : one, rule, mappings, levels, depth)
        case .rows(let isToMany):
            let type = isToMany ? ReferenceType.many(isOptional: true) : .one(isOptional: true)
            return value(for: type, rule, mappings, levels, depth)
        case .one: return object(rule.child, mappings, levels, depth - 1)
        case .many:
            let values = (0..<number(0...3)).map { _ in
                chance(12) ? "null" : object(rule.child, mappings, levels, depth - 1)
            }
            return "[" + values.joined(separator: ",") + "]"
        default: return slip(20) ? json.value(1) : fittingScalar(type)
        }
    }

    private mutating func fittingScalar(_ type: ReferenceType) -> String {
        for _ in 0..<(isTidy ? 20 : 0) {
            let text = scalar(type)
            guard let node = try? PlainReader.read(Array(text.utf8)) else { continue }
            if case .success = ReferenceConversion.convert(node, type) { return text }
        }
        return scalar(type)
    }

    /// Nesting near the limit.
    private mutating func deep() -> String {
        let count = number(505...513)
        return String(repeating: "[", count: count) + String(repeating: "]", count: count)
    }

    /// Changes one or two bytes, so that the text may not be JSON.
    mutating func spoil(_ bytes: inout [UInt8]) {
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

extension ReferenceType {
    /// The content of a column of a kind.
    fileprivate init(_ scalar: AttributeType.Scalar) {
        self =
            switch scalar {
            case .string: .string
            case .integer: .integer(Int128(Int64.min)...Int128(Int64.max))
            case .double: .double
            case .boolean: .boolean
            case .date: .date
            case .decimal: .decimal
            case .uuid: .uuid
            case .url: .url
            case .data: .data
            case .json: .json
            }
    }

    fileprivate var isList: Bool {
        switch self {
        case .optional(let wrapped): wrapped.isList
        case .list, .set, .many: true
        case .column(let type, _): type.isList
        case .rows(let isToMany): isToMany
        default: false
        }
    }

    /// The type of a list's elements; of an object's rules, an object.
    fileprivate var element: ReferenceType {
        switch self {
        case .optional(let wrapped): wrapped.element
        case .list(let element), .set(let element): element
        case .many, .rows: .one(isOptional: false)
        case .column(let type, _): ReferenceType(type.scalar)
        default: self
        }
    }
}
