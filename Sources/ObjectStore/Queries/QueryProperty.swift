import ObjectMapping

/// A property in a query by its name: an attribute, a relationship, or the number of its objects or elements.
///
/// ```swift
/// try context.fetch("Task") { $0["name"].hasPrefix("Build") && $0["project"]["name"] == "Kettle" }
/// ```
///
/// An unknown name, and a comparison with a value of another type, is reported when the query runs.
public struct QueryProperty<Root: ManagedObject>: Sendable {
    enum Kind: Sendable {
        case attribute(ManagedAttribute)
        /// The path leads to its objects.
        case relationship(Int)
        case number(QueryOperand.Target)
    }

    let kind: Kind
    let path: QueryPath
    /// The properties of the object with the property.
    private let names: QueryNames?
    private var folding: TextFolding = []

    init(_ kind: Kind, of path: QueryPath, _ names: QueryNames?) {
        (self.kind, self.path, self.names) = (kind, path, names)
    }

    /// Creates a property that cannot be used.
    init(_ problem: StoreError) {
        self.init(.number(.count(0)), of: QueryPath(hops: [], problem: problem), nil)
    }

    /// The property of the object of a to-one relationship.
    public subscript(name: String) -> QueryProperty {
        guard path.problem == nil else { return self }
        do throws(StoreError) {
            let (names, isToMany) = try target()
            if isToMany {
                throw StoreError(
                    .misuse,
                    "'\(self.name)' has several objects, whose '\(printable(name))' cannot be compared directly",
                    advice: "use $0[\"\(self.name)\"].any { $0[\"\(printable(name))\"] == … }")
            }
            return names.property(name, of: path)
        } catch {
            return QueryProperty(error)
        }
    }

    // MARK: Order

    /// Sorts in ascending order, with `nil` first.
    public var ascending: QuerySort<Root> { QuerySort(operand: sortOperand, isDescending: false) }

    /// Sorts in descending order, with `nil` last.
    public var descending: QuerySort<Root> { QuerySort(operand: sortOperand, isDescending: true) }

    private var sortOperand: QueryOperand {
        do throws(StoreError) {
            return try operand()
        } catch {
            return QueryOperand(path: QueryPath(hops: [], problem: error), target: .count(0))
        }
    }

    // MARK: Comparisons

    /// Whether the value is equal to another one.
    public static func == (a: QueryProperty, b: some AttributeValue) -> QueryPredicate<Root> { a.compared(.equal, b) }
    /// Whether the value differs from another one; `nil` differs from all values.
    public static func != (a: QueryProperty, b: some AttributeValue) -> QueryPredicate<Root> {
        a.compared(.notEqual, b)
    }
    /// Whether the value is less than another one; false for `nil`.
    public static func < (a: QueryProperty, b: some AttributeValue) -> QueryPredicate<Root> { a.compared(.less, b) }
    /// Whether the value is less than or equal to another one; false for `nil`.
    public static func <= (a: QueryProperty, b: some AttributeValue) -> QueryPredicate<Root> {
        a.compared(.lessOrEqual, b)
    }
    /// Whether the value is greater than another one; false for `nil`.
    public static func > (a: QueryProperty, b: some AttributeValue) -> QueryPredicate<Root> { a.compared(.greater, b) }
    /// Whether the value is greater than or equal to another one; false for `nil`.
    public static func >= (a: QueryProperty, b: some AttributeValue) -> QueryPredicate<Root> {
        a.compared(.greaterOrEqual, b)
    }

    /// Whether the value is `nil`, or there is no object.
    public static func == (a: QueryProperty, b: _OptionalNilComparisonType) -> QueryPredicate<Root> {
        if case .relationship = a.kind { return a.test { () in .missing(a.path) } }
        return a.test { () throws(StoreError) in .comparison(try a.operand(), .equal, .null) }
    }
    /// Whether the value is not `nil`, or there is an object.
    public static func != (a: QueryProperty, b: _OptionalNilComparisonType) -> QueryPredicate<Root> { !(a == b) }

    /// Whether the value is equal to that of another property.
    public static func == (a: QueryProperty, b: QueryProperty) -> QueryPredicate<Root> { a.compared(.equal, with: b) }
    /// Whether the value differs from that of another property.
    public static func != (a: QueryProperty, b: QueryProperty) -> QueryPredicate<Root> {
        a.compared(.notEqual, with: b)
    }
    /// Whether the value is less than that of another property.
    public static func < (a: QueryProperty, b: QueryProperty) -> QueryPredicate<Root> { a.compared(.less, with: b) }
    /// Whether the value is greater than that of another property.
    public static func > (a: QueryProperty, b: QueryProperty) -> QueryPredicate<Root> { a.compared(.greater, with: b) }

    /// Whether the relationship is to an object.
    public static func == (a: QueryProperty, b: ManagedObject) -> QueryPredicate<Root> { a.refers(to: b) }
    /// Whether the relationship is not to an object.
    public static func != (a: QueryProperty, b: ManagedObject) -> QueryPredicate<Root> { !a.refers(to: b) }
    /// Whether the relationship is to the object with an ID.
    public static func == (a: QueryProperty, id: ObjectID) -> QueryPredicate<Root> {
        a.test { () throws(StoreError) in
            _ = try a.target(isToMany: false)
            return .objects(a.path, [id])
        }
    }

    /// Whether the value is one of these.
    public func isIn(_ values: [some AttributeValue]) -> QueryPredicate<Root> {
        test { () throws(StoreError) in
            let operand = try operand()
            var stored: [StoredValue] = []
            for value in values { stored.append(try self.stored(value, operand)) }
            return .membership(operand, stored)
        }
    }

    /// Whether the value is in a closed range.
    public func isIn<Value: AttributeValue & Comparable>(_ range: ClosedRange<Value>) -> QueryPredicate<Root> {
        self >= range.lowerBound && self <= range.upperBound
    }

    /// Whether the value is in a half-open range.
    public func isIn<Value: AttributeValue & Comparable>(_ range: Range<Value>) -> QueryPredicate<Root> {
        self >= range.lowerBound && self < range.upperBound
    }

    // MARK: Texts

    /// Whether the text begins with a prefix.
    public func hasPrefix(_ prefix: String) -> QueryPredicate<Root> { text { $0.hasPrefix(prefix) } }
    /// Whether the text ends with a suffix.
    public func hasSuffix(_ suffix: String) -> QueryPredicate<Root> { text { $0.hasSuffix(suffix) } }
    /// Whether the text matches a pattern, in which `%` is any text, `_` one character, and `\` escapes these
    /// characters.
    public func like(_ pattern: String) -> QueryPredicate<Root> { text { $0.like(pattern) } }
    /// Whether the whole text matches a regular expression.
    public func matches(_ pattern: String) -> QueryPredicate<Root> { text { $0.matches(pattern) } }

    /// The text for comparisons that ignore case.
    public var caseInsensitive: QueryProperty { folded(.case) }
    /// The text for comparisons that ignore diacritics of Latin, Greek and Cyrillic letters.
    public var diacriticInsensitive: QueryProperty { folded(.diacritics) }
    /// The text for comparisons that ignore case and diacritics.
    public var folded: QueryProperty { folded([.case, .diacritics]) }

    private func folded(_ folding: TextFolding) -> QueryProperty {
        var property = self
        property.folding.formUnion(folding)
        return property
    }

    private func text(_ test: (QueryValue<Root, String>) -> QueryPredicate<Root>) -> QueryPredicate<Root> {
        do throws(StoreError) {
            let operand = try operand()
            guard case .attribute(let attribute) = operand.target, attribute.type == AttributeType(.string) else {
                throw mismatch("a text", "compared as a text")
            }
            return test(QueryValue(operand: operand))
        } catch {
            return QueryPredicate(.invalid(error))
        }
    }

    // MARK: Lists and relationships

    /// Whether the text contains a string, or the list an element.
    public func contains(_ part: some AttributeValue) -> QueryPredicate<Root> {
        guard case .attribute(let attribute) = kind, attribute.type.isList else {
            guard let text = part as? String else {
                return QueryPredicate(.invalid(path.problem ?? mismatch("a text or list", "searched for an element")))
            }
            return self.text { $0.contains(text) }
        }
        return test { () throws(StoreError) in
            guard let element = AnyValue(part).stored(as: AttributeType(attribute.type.scalar)),
                let list = AttributeType.list(of: element, attribute.type.scalar)
            else {
                throw StoreError(
                    .invalidValue,
                    "the elements of '\(name)' have the type \(attribute.type.scalar.rawValue), and cannot be compared with "
                        + AnyValue(part).typeName, entity: names?.type.name)
            }
            return .element(try operand(), list)
        }
    }

    /// Whether the objects of the to-many relationship contain an object.
    public func contains(_ object: ManagedObject) -> QueryPredicate<Root> { any { $0 == object } }

    /// Whether there are no objects or elements, or the text is empty.
    public var isEmpty: QueryPredicate<Root> {
        if case .attribute(let attribute) = kind, !attribute.type.isList { return text(\.isEmpty) }
        return count == 0
    }

    /// The number of objects of the to-many relationship, or of elements of the list.
    public var count: QueryProperty {
        do throws(StoreError) {
            if let problem = path.problem { throw problem }
            if case .attribute(let attribute) = kind, attribute.type.isList {
                return QueryProperty(.number(.length(attribute)), of: path, nil)
            }
            _ = try target(isToMany: true)
            var path = path
            let relationship = path.hops.removeLast()
            return QueryProperty(.number(.count(relationship)), of: path, nil)
        } catch {
            return QueryProperty(error)
        }
    }

    /// Whether a condition is met by any of the objects of the to-many relationship.
    public func any(
        _ condition: (QueryObject<ManagedObject, ManagedObject>) -> some QueryCondition<ManagedObject>
    ) -> QueryPredicate<Root> {
        do throws(StoreError) {
            let names = try target(isToMany: true)
            let object = QueryObject<ManagedObject, ManagedObject>(path: QueryPath(), names: names)
            return QueryPredicate(QueryNode(.any(path), [condition(object).predicate.node]))
        } catch {
            return QueryPredicate(.invalid(error))
        }
    }

    /// Whether a condition is met by all objects of the to-many relationship; true without objects.
    public func all(
        _ condition: (QueryObject<ManagedObject, ManagedObject>) -> some QueryCondition<ManagedObject>
    ) -> QueryPredicate<Root> {
        !any { !condition($0).predicate }
    }

    /// Whether a condition is met by none of the objects of the to-many relationship; true without objects.
    public func none(
        _ condition: (QueryObject<ManagedObject, ManagedObject>) -> some QueryCondition<ManagedObject>
    ) -> QueryPredicate<Root> {
        !any(condition)
    }

    // MARK: Nodes

    /// The name of the property.
    var name: String {
        switch kind {
        case .attribute(let attribute): attribute.name
        case .relationship(let index): names?.type.relationships[index].name ?? ""
        case .number: "count"
        }
    }

    /// Returns the value for comparisons.
    func operand() throws(StoreError) -> QueryOperand {
        if let problem = path.problem { throw problem }
        switch kind {
        case .attribute(let attribute):
            return QueryOperand(path: path, target: .attribute(attribute), folding: folding)
        case .number(let target): return QueryOperand(path: path, target: target)
        case .relationship: throw mismatch("an attribute", "compared with values")
        }
    }

    /// Returns the path to the objects of the relationship.
    func prefetchPath() throws(StoreError) -> QueryPath {
        _ = try target()
        return path
    }

    func target() throws(StoreError) -> (names: QueryNames, isToMany: Bool) {
        if let problem = path.problem { throw problem }
        guard case .relationship(let index) = kind, let names else { throw mismatch("a relationship", "used as one") }
        do {
            return (try names.destination(of: index), names.type.relationships[index].isToMany)
        } catch {
            throw StoreError(.misuse, "\(error)")
        }
    }

    private func target(isToMany: Bool) throws(StoreError) -> QueryNames {
        let target = try target()
        guard target.isToMany == isToMany else {
            throw mismatch("a to-\(isToMany ? "many" : "one") relationship", "used as one")
        }
        return target.names
    }

    func test(_ test: () throws(StoreError) -> QueryTest) -> QueryPredicate<Root> {
        do throws(StoreError) {
            if let problem = path.problem { throw problem }
            return QueryPredicate(try test())
        } catch {
            return QueryPredicate(.invalid(error))
        }
    }

    private func compared(_ comparison: QueryComparison, _ value: some AttributeValue) -> QueryPredicate<Root> {
        test { () throws(StoreError) in
            let operand = try operand()
            if let problem = operand.orderProblem(comparison) { throw problem }
            return .comparison(operand, comparison, try stored(value, operand))
        }
    }

    private func compared(_ comparison: QueryComparison, with other: QueryProperty) -> QueryPredicate<Root> {
        test { () throws(StoreError) in
            let (operand, other) = (try operand(), try other.operand())
            if let problem = operand.orderProblem(comparison) { throw problem }
            return .operands(operand, comparison, other)
        }
    }

    private func refers(to object: ManagedObject) -> QueryPredicate<Root> {
        test { () throws(StoreError) in
            _ = try target(isToMany: false)
            guard case .relationship(let index) = kind, names?.type.relationships[index].accepts(object) == true else {
                throw mismatch("a relationship to such objects", "compared with \(AnyValue(object).typeName)")
            }
            guard !object.isDetached else {
                throw StoreError(
                    .misuse, "cannot compare '\(name)' with an object that is not in a context",
                    advice: "insert the object first")
            }
            return .objects(path, [object.managed.id])
        }
    }

    /// Returns the stored form of a value that the property is compared with.
    private func stored(_ value: some AttributeValue, _ operand: QueryOperand) throws(StoreError) -> StoredValue {
        let content = AnyValue(value)
        if content.value == nil { return .null }
        guard case .attribute(let attribute) = operand.target else {
            guard let number = content.stored(as: AttributeType(.integer)) else {
                throw mismatch("a number of objects", "compared with \(content.typeName)")
            }
            return number
        }
        guard let stored = attribute.stored(value) else {
            throw StoreError(
                .invalidValue, "cannot compare '\(name)' of type \(attribute.typeName) with \(content.typeName)",
                entity: names?.type.name)
        }
        if !folding.isEmpty, case .text(let text) = stored { return .text(folding.fold(text)) }
        return stored
    }

    func mismatch(_ expected: String, _ use: String) -> StoreError {
        StoreError(
            .invalidValue,
            "'\(name)'\(names.map { " of '\($0.type.name)'" } ?? "") is not \(expected), and cannot be \(use)",
            entity: names?.type.name)
    }
}

extension QueryProperty: QueryCondition {
    /// Whether the value is true.
    public var predicate: QueryPredicate<Root> { self == true }

    /// Whether the value is false or `nil`.
    public static prefix func ! (a: QueryProperty) -> QueryPredicate<Root> { !(a == true) }
}

extension AttributeType {
    /// Returns the text of a list with one element in stored form.
    fileprivate static func list(of element: StoredValue, _ scalar: Scalar) -> String? {
        StorageForm.json(of: element, as: AttributeType(scalar)).map { JSON.array([$0]).text }
    }
}
