import ObjectMapping
import ObjectStore

/// A source of the manifest during the inference.
struct SourceGuess {
    /// The name of the file in the manifest.
    let file: String
    let collection: DumpCollection
    let statistics: CollectionStatistics
    /// The words for elements without a better name.
    private(set) var fileWords: NameWords
    var entity: EntityGuess?

    /// Whether each element is wrapped in an object whose key is the name of its entity.
    var isWrapped: Bool { statistics.areWrapped && statistics.count > 0 && collection.shape != .member }

    /// Returns the places of its objects.
    func nodes(index: Int) -> [ShapeNode] {
        guard isWrapped else {
            let member = collection.shape == .member || collection.holdsValues ? statistics.member : nil
            return [ShapeNode(shape: statistics.shape, origin: .source(index), name: elementName, member: member)]
        }
        return statistics.shape.fields.compactMap { field in
            let words = NameWords(of: field.key).singular
            return field.shape.map {
                ShapeNode(
                    shape: $0, origin: .source(index), name: words.words.isEmpty ? elementName : words,
                    wrapper: field.key)
            }
        }
    }

    /// The name of an element: from the collection's key, or from the file if the key is generic.
    private var elementName: NameWords {
        for key in collection.path.reversed() {
            let words = NameWords(of: key)
            let isName = words.words.contains { $0.contains(where: \.isLetter) }
            if isName, !words.words.allSatisfy(KeyWords.generic.contains) { return words.singular }
        }
        let words = NameWords(fileWords.words.drop { !$0.contains(where: \.isLetter) })
        return words.words.isEmpty || words.words.allSatisfy(KeyWords.generic.contains)
            ? NameWords(["item"]) : words.singular
    }

    /// Merges the names of sources that are pages of one collection: `users-1.json` and `users-2.json`.
    static func joiningPages(_ sources: [SourceGuess]) -> [SourceGuess] {
        var joined = sources
        for (index, source) in sources.enumerated() {
            guard let stem = source.pageStem, !source.isWrapped else { continue }
            let isPage = sources.enumerated().contains { place, other in
                place != index && other.collection.path == source.collection.path && !other.isWrapped
                    && (other.pageStem ?? other.fileWords) == stem && other.keys == source.keys
            }
            if isPage { joined[index].fileWords = stem }
        }
        return joined
    }

    /// The words of the file without a trailing number; `nil` without one.
    private var pageStem: NameWords? {
        guard fileWords.words.count > 1, let last = fileWords.words.last, last.allSatisfy(\.isNumber) else {
            return nil
        }
        return NameWords(fileWords.words.dropLast())
    }

    private var keys: Set<String> { Set(statistics.shape.fields.map(\.key)) }

    /// Returns the words of a file's name without its extensions.
    static func words(ofFile path: String) -> NameWords {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let inner = Gzip.innerName(name)
        let point = inner.lastIndex(of: ".") ?? inner.endIndex
        let isExtension = inner[point...].contains(where: \.isLetter)
        return NameWords(of: String(isExtension ? inner[..<point] : inner[...]))
    }
}
