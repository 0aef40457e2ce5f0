/// The path from the payload to the element that is being read.
struct OuterPath {
    private(set) var steps: [JSONPathStep] = []
    /// Where the array begins to which the path leads, but for its last step.
    private var list: Int?
    /// Whether each element is a separate document, as a line is.
    private(set) var isDocument = true
    /// Whether elements are the members of an object.
    private(set) var isMember = false

    /// Moves on to the current element of a collection.
    ///
    /// - Returns: The index of the element; nil if it is not in an array.
    mutating func move(to cursor: borrowing ElementCursor) -> Int? {
        if cursor.isInElements, cursor.listOffset == list, !steps.isEmpty {
            steps[steps.count - 1] = .index(cursor.elementIndex)
        } else {
            cursor.write(to: &steps)
            list = cursor.isInElements ? cursor.listOffset : nil
        }
        isDocument = cursor.shape == .line
        isMember = cursor.memberKey != nil
        return isDocument ? cursor.index : steps.last?.index
    }

    /// Moves on to an element of the array that is the payload.
    mutating func move(to index: Int) {
        steps = [.index(index)]
        list = nil
        isDocument = false
    }

    /// Whether the payload is what is being read, not only an element of it.
    var isEmpty: Bool { isDocument || steps.isEmpty }

    /// How many objects the path goes through.
    var objectCount: Int { steps.count { $0.key != nil } }

    /// How many steps lead to the object that is a number of objects before the element; nil if there is none.
    func count(toObject level: Int) -> Int? {
        let keys = steps.indices.filter { steps[$0].key != nil }
        let position = keys.count - level
        return keys.indices.contains(position) ? keys[position] : nil
    }

    /// The key of the value that is a number of objects before the element; nil if there is none.
    func key(ofObject level: Int) -> String? { count(toObject: level + 1).flatMap { steps[$0].key } }
}

extension JSONPathStep {
    fileprivate var key: String? { if case .key(let key) = self { key } else { nil } }
    fileprivate var index: Int? { if case .index(let index) = self { index } else { nil } }
}
