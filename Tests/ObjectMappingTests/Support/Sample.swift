import ObjectMapping

/// A model of random documents, and the same created from a tree: slow, simple and by other code.
struct Sample: Mappable, Equatable, Sendable {
    var id: Int? = -1
    var name: String? = "fresh"
    var number: Double? = -1
    var flag: Bool? = true
    var date: Date?
    var tags: [String?] = ["fresh"]
    var json: JSON?
    var quote: JSON?
    var deep: JSON?
    var count: Int?
    var through: JSON?
    var owner: [Sample] = []
    var items: [Sample]?

    static let mapping = Mapping(Sample.init) {
        Attribute("id", \.id)
        Attribute("name", \.name)
        Attribute("x", \.number)
        Attribute("flag", \.flag)
        Attribute("\u{E9}t\u{E9}", \.date)
        Attribute("tags", \.tags)
        Attribute("with space", \.json)
        Attribute("a.b.x", \.deep)
        Attribute("items.@count", \.count)
        Attribute("b.name", \.through)
        Relationship("owner", \.owner)
        Relationship("items", \.items)
        Attribute("q\"uote", \.quote)
    }

    init() {}

    /// The sample of a tree; nil if a value cannot be converted.
    init?(tree: JSON) {
        guard tree.object != nil else { return nil }
        do {
            try fill(tree, \.id, "id")
            try fill(tree, \.name, "name")
            try fill(tree, \.number, "x")
            try fill(tree, \.flag, "flag")
            try fill(tree, \.date, "\u{E9}t\u{E9}")
            if let value = try tree.value(at: "tags") {
                tags = try value.isNull ? ["fresh"] : (value.array ?? [value]).map { try Sample.convert($0) }
            }
            try fill(tree, \.deep, "a.b.x")
            try fill(tree, \.count, "items.@count")
            try fill(tree, \.through, "b.name")
            if let value = try tree.value(at: "owner") { owner = try Sample.list(value) ?? [] }
            if let value = try tree.value(at: "items") { items = try Sample.list(value) }
            try fill(tree, \.json, "with space")
            try fill(tree, \.quote, "q\"uote")
        } catch {
            return nil
        }
    }

    private struct Unconvertible: Error {}

    private static func convert<Value: JSONConvertible>(_ json: JSON) throws -> Value? {
        if json.isNull { return nil }
        guard let value = Value(json: json) else { throw Unconvertible() }
        return value
    }

    private mutating func fill<Value: JSONConvertible>(
        _ tree: JSON, _ property: WritableKeyPath<Sample, Value?>, _ path: JSONKeyPath
    ) throws {
        if let value = try tree.value(at: path) { self[keyPath: property] = try Sample.convert(value) }
    }

    private static func list(_ json: JSON) throws -> [Sample]? {
        if json.isNull { return nil }
        return try (json.array ?? [json]).filter { !$0.isNull }.map { element in
            guard let sample = Sample(tree: element) else { throw Unconvertible() }
            return sample
        }
    }
}
