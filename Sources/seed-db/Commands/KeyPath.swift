import ObjectMapping
import Seeder

extension Command {
    static let keyPath: Command = Command(
        "keypath", "Print the value at a key path of a JSON file.",
        notes: [
            """
            Keys are separated by dots. Operators may occur anywhere: 'transactions.@avg.amount', 'tasks.@count', \
            'tasks.@distinctUnionOfObjects.user'.
            """
        ],
        arguments: [
            Argument(Value("path", .text), help: "The key path."),
            Argument(Value("file", .file(["json"])), help: "The JSON file; '-' for standard input."),
        ],
        run: { arguments in
            let (text, file) = (arguments.operands[0], arguments.operands[1])
            let path = JSONKeyPath(text)
            if let mistake = path.mistake { throw UsageError(mistake, keyPath) }
            let json = try DocumentFile(file).json
            do {
                guard let value = try json.value(at: path) else { throw absence(of: path, in: json, file) }
                try print(value.prettyPrinted)
            } catch let error as MappingError {
                throw SeedError(.badData, "\(file): \(error)")
            }
            return 0
        })
}

/// Returns the error for a key path without a value, with the first missing key and the existing keys.
private func absence(of path: JSONKeyPath, in json: JSON, _ file: String) -> SeedError {
    let texts = path.components.map { component in
        switch component {
        case .key(let key): JSONKeyPath(components: [key]).description
        case .collection(let operation): "@" + operation.rawValue
        }
    }
    var (found, place) = (0, json)
    for case .key(let key) in path.components.prefix(while: { if case .key = $0 { true } else { false } }) {
        guard let next = try? place.value(at: JSONKeyPath(components: [key])) else { break }
        (found, place) = (found + 1, next)
    }
    let keys = members(of: place)
    let text = texts.indices.contains(found) ? texts[found] : ""
    let near = nearestNames(to: text, among: keys)
    let known =
        keys.isEmpty
        ? ""
        : "; its keys are " + keys.prefix(10).map(printable).joined(separator: ", ") + (keys.count > 10 ? ", …" : "")
    let holder = found == 0 ? "the document" : "'\(texts[..<found].joined(separator: "."))'"
    let reason =
        text.hasPrefix("@")
        ? "is not a collection" : "has no key '\(text)'\(near.isEmpty ? known : suggestionText(near))"
    return SeedError(.badData, "\(file): no value at '\(path)': \(holder) \(reason)")
}

/// Returns the keys of an object, or of all objects in an array.
private func members(of json: JSON) -> [String] {
    if let object = json.object { return object.keys }
    var seen: Set<String> = []
    return (json.array ?? []).flatMap { $0.object?.keys ?? [] }.filter { seen.insert($0).inserted }
}
