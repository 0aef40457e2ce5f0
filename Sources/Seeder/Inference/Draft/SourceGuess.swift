import ObjectMapping
import ObjectStore

/// A source of the manifest as it comes about.
struct SourceGuess {
    /// The file as the manifest names it.
    let file: String
    let collection: DumpCollection
    let statistics: CollectionStatistics
    /// What elements would be called that have no better name.
    private(set) var fileWords: NameWords
    var entity: EntityGuess?

    /// Whether each element is wrapped in an object whose key is the name of its entity.
    var isWrapped: Bool { statistics.areWrapped && statistics.count > 0 && collection.shape != .member }

    /// The places at which its objects stand.
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

    /// What an element is called: after the collection's key, or the file where that says nothing.
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

    /// The sources with one name for those that are parts of one collection: `users-1.json` and `users-2.json`.
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

    /// The file's words without the number at their end; nil if there is none.
    private var pageStem: NameWords? {
        guard fileWords.words.count > 1, let last = fileWords.words.last, last.allSatisfy(\.isNumber) else {
            return nil
        }
        return NameWords(fileWords.words.dropLast())
    }

    private var keys: Set<String> { Set(statistics.shape.fields.map(\.key)) }

    /// The words of a file's name without what says how it is written.
    static func words(ofFile path: String) -> NameWords {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let inner = Gzip.innerName(name)
        let point = inner.lastIndex(of: ".") ?? inner.endIndex
        let isExtension = inner[point...].contains(where: \.isLetter)
        return NameWords(of: String(isExtension ? inner[..<point] : inner[...]))
    }
}
