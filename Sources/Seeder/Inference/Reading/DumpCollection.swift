import ObjectMapping

/// A collection of a dump: its position, and its elements.
struct DumpCollection {
    let path: [String]
    let shape: ElementShape
    /// Whether the elements are values without keys, as in `{"7": "Ada", "8": "Mei"}` or `["Ada", "Mei"]`.
    var holdsValues = false
    /// The range of the collection in the text; `nil` if it is not known.
    var range: Range<Int>?
    /// The number of members whose keys are not those of most others.
    var oddMembers = 0

    var keyPath: JSONKeyPath { JSONKeyPath(components: path) }

    /// Returns the collections of a text, and the other values.
    static func collections(in root: OutlineNode) -> (collections: [DumpCollection], beside: [UnreadPlace]) {
        guard root.kind == .object else {
            let holdsValues = root.kind == .array && root.scalars > root.nulls && root.scalars == root.count
            return ([DumpCollection(path: [], shape: .element, holdsValues: holdsValues)], [])
        }
        var search = Search()
        search.look(at: root, [])
        let isRecord = hasIdentity(root) && !root.isDictionary
        guard !isRecord, !search.collections.isEmpty else {
            return ([DumpCollection(path: [], shape: .element)], [])
        }
        return (search.collections, search.beside)
    }

    /// Whether an object is a record, and not a container of collections.
    fileprivate static func hasIdentity(_ node: OutlineNode) -> Bool {
        node.members.contains { member in
            (member.kind == .string || member.kind == .integer)
                && KeyWords.identities.contains(NameWords(of: member.key))
        }
    }

    private struct Search {
        var collections: [DumpCollection] = []
        /// The values that are not collections.
        var beside: [UnreadPlace] = []

        mutating func look(at node: OutlineNode, _ path: [String]) {
            if node.isDictionary {
                let holdsValues = node.objects == 0
                collections.append(
                    DumpCollection(
                        path: path, shape: .member, holdsValues: holdsValues, range: node.range,
                        oddMembers: holdsValues || node.members.count < 10 ? 0 : node.oddMembers))
                return
            }
            for member in node.members {
                let path = path + [member.key]
                switch member.kind {
                case _ where member.key.isEmpty:
                    beside.append(UnreadPlace(path, "a key path cannot contain the empty key"))
                case .array where member.objects > 0 && member.objects + member.nulls == member.count:
                    collections.append(DumpCollection(path: path, shape: .element, range: member.range))
                case .object where DumpCollection.hasIdentity(member) && !member.isDictionary:
                    collections.append(DumpCollection(path: path, shape: .element, range: member.range))
                case .object where member.count > 0:
                    let found = collections.count
                    let before = beside.count
                    look(at: member, path)
                    if collections.count == found {
                        // Without a collection in it, the object is reported as a whole.
                        let isDeep = beside[before...].contains { $0.reason == UnreadPlace.tooDeep }
                        beside.removeSubrange(before...)
                        beside.append(
                            UnreadPlace(path, isDeep ? UnreadPlace.tooDeep : "contains no collection"))
                    }
                default: beside.append(UnreadPlace(path, member.reasonAgainstElements))
                }
            }
            if node.isLarge {
                beside.append(
                    UnreadPlace(path, "only its first \(node.members.count) keys are examined"))
            }
        }
    }
}

/// A place of a dump that a manifest does not read, and the reason.
struct UnreadPlace {
    let path: String
    let reason: String

    init(_ path: [String], _ reason: String) {
        self.path = JSONKeyPath(components: path).description
        self.reason = reason
    }

    static let tooDeep = "nested too deeply to be examined"
    static let withoutElements = "no elements"
}

extension OutlineNode {
    /// The reason why a value is not a collection.
    fileprivate var reasonAgainstElements: String {
        switch kind {
        case _ where isDeep: UnreadPlace.tooDeep
        case .array where count > 0:
            objects == 0
                ? "its elements are not objects"
                : "\(counted(count - objects - nulls, "element")) of \(count) \(count - objects - nulls == 1 ? "is not an object" : "are not objects")"
        case .array, .object: UnreadPlace.withoutElements
        case .string: "a string"
        case .integer: "a number"
        case .other: "a number or boolean"
        case .null: "null"
        }
    }

    /// Whether the keys are data, and the values are elements.
    var isDictionary: Bool {
        guard kind == .object, count > 0 else { return false }
        let isOfOneKind = objects == count || arrays == count || scalars == count
        // A list of objects is a collection, independent of its key.
        guard isOfOneKind, !members.contains(where: { $0.kind == .array && $0.objects > 0 }) else { return false }
        let kinds = Set(members.map { $0.kind == .integer ? .other : $0.kind }).subtracting([.null])
        if members.allSatisfy({ Self.isData($0.key) }) { return objects > 0 || Set(members.map(\.kind)).count == 1 }
        if scalars == count { return kinds.count == 1 && (haveKeysLikeCodes || areTooManyForRecord) }
        guard objects == count, count > 1 else { return false }
        // Objects with the same keys probably belong to one entity.
        return isLarge || haveSimilarKeys
    }

    /// Whether a record is unlikely to have this many members of the same kind.
    private var areTooManyForRecord: Bool {
        // `id` is also a language code.
        count >= 20 && (isLarge || !DumpCollection.hasIdentity(self) || members.allSatisfy { $0.key.utf8.count <= 3 })
    }

    /// Whether the keys look like codes of countries, languages or currencies: equal length, without lowercase letters.
    private var haveKeysLikeCodes: Bool {
        let classes = members.reduce(into: CharacterClasses()) { $0.formUnion(CharacterClasses(of: $1.key)) }
        guard count > 1, !classes.contains(.smallLetters), !classes.contains(.others) else { return false }
        return (2...3).contains(members[0].key.utf8.count)
            && Set(members.map(\.key.utf8.count)).count == 1
    }

    private var haveSimilarKeys: Bool {
        guard members.contains(where: { $0.members.contains { $0.kind != .object && $0.kind != .array } })
        else { return false }
        let odd = oddMembers
        return odd == 0 || members.count >= 10 && odd * 10 <= members.count
    }

    /// The number of objects in a dictionary whose keys are not those of most others.
    var oddMembers: Int {
        let keys = members.map { Set($0.members.map(\.key)) }
        guard let first = keys.first, !first.isEmpty || keys.count >= 10 else { return members.count }
        let unlike = keys.count { !Self.areSimilar($0, first) }
        guard unlike > 0, keys.count >= 10 else { return unlike }
        // The first one can be the exception: compared with the keys that most of them have.
        let counts = keys.joined().reduce(into: [:]) { $0[$1, default: 0] += 1 }
        let common = Set(counts.filter { $0.value * 2 > keys.count }.keys)
        guard !common.isEmpty else { return members.count }
        return keys.count { $0.intersection(common).count * 2 <= common.count }
    }

    private static func areSimilar(_ one: Set<String>, _ other: Set<String>) -> Bool {
        one.intersection(other).count * 2 > one.union(other).count
    }

    /// Whether a key is a number, a date, a UUID, a version, a path, or an identifier of Firebase, rather than a name.
    static func isData(_ key: String) -> Bool {
        let classes = CharacterClasses(of: key)
        if classes == .digits || key.isEmpty || key.utf8.contains(UInt8(ascii: "/")) { return true }
        if key.hasPrefix("-"), key.utf8.count > 1 { return true }
        let parts = key.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count > 1, parts.prefix(2).allSatisfy({ CharacterClasses(of: $0) == .digits }) { return true }
        guard key.utf8.count >= 8, classes.contains(.digits) else { return false }
        return key.utf8.allSatisfy { byte in
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20
                || byte == UInt8(ascii: "-")
        }
    }
}
