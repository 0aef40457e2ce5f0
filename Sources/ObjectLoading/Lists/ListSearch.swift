/// A search for words in the texts of objects, which ignores case and diacritics.
///
/// ```swift
/// list.search = ListSearch("kettle pier", in: \.name, \.notes)
/// list.search = ListSearch("kettle pier", in: \.name, matching: .any)
/// list.search = ListSearch(text) { "\($0.name) \($0.project?.name ?? "")" }
/// ```
///
/// Words are separated by whitespace. A word is found anywhere in a text, also inside of other words. A search without words
/// finds all objects.
public struct ListSearch<Object: ManagedObjectClass> {
    /// The words that an object must have.
    public enum Match: Sendable, Hashable {
        /// All words, each in any of the texts.
        case all
        /// At least one word.
        case any
    }

    /// The searched text.
    public let text: String
    /// The words that an object must have.
    public let match: Match
    /// The condition of a word in the store.
    private let condition: ((QueryObject<Object, Object>, String) -> QueryPredicate<Object>)?
    /// The text of an object.
    private let searchableText: ((Object) throws -> String)?

    /// Creates a search in attributes, which runs in the store.
    ///
    /// - Parameters:
    ///   - text: The words.
    ///   - property: An attribute of the objects, or of a to-one relationship.
    ///   - others: Further attributes.
    ///   - match: The words that an object must have. Defaults to all.
    public init<First: QueryText, each Other: QueryText>(
        _ text: String, in property: KeyPath<Object, First>, _ others: repeat KeyPath<Object, each Other>,
        matching match: Match = .all
    ) {
        (self.text, self.match, searchableText) = (text, match, nil)
        condition = { object, word in
            var found = QueryValue(of: object, at: property).folded.contains(word)
            for other in repeat each others {
                found = found || QueryValue(of: object, at: other).folded.contains(word)
            }
            return found
        }
    }

    /// Creates a search in a text that a closure returns, which runs on the main actor.
    ///
    /// - Parameters:
    ///   - text: The words.
    ///   - match: The words that an object must have. Defaults to all.
    ///   - searchableText: Returns the text of an object. If it throws, the list has the error, and remains as it is.
    public init(_ text: String, matching match: Match = .all, in searchableText: @escaping (Object) throws -> String) {
        (self.text, self.match, self.searchableText, condition) = (text, match, searchableText, nil)
    }

    private var words: [String] { text.split(whereSeparator: \.isWhitespace).map(String.init) }

    /// Whether the store evaluates the search.
    var isInStore: Bool { condition != nil }

    /// Returns a query restricted by the search.
    func restricting(_ query: ObjectQuery<Object>) -> ObjectQuery<Object> {
        let words = words
        guard let condition, !words.isEmpty else { return query }
        return query.where { object in
            let conditions = words.map { condition(object, $0) }
            return conditions.dropFirst().reduce(conditions[0]) { match == .all ? $0 && $1 : $0 || $1 }
        }
    }

    /// Returns the objects that the closure finds.
    func found(in objects: [Object]) throws -> [Object] {
        let folding: TextFolding = [.case, .diacritics]
        let words = words.map(folding.fold)
        guard let searchableText, !words.isEmpty else { return objects }
        return try objects.filter { object in
            let text = folding.fold(try searchableText(object))
            return match == .all ? words.allSatisfy(text.contains) : words.contains(where: text.contains)
        }
    }
}
