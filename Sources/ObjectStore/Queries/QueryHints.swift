// Spellings of Swift that queries do not have: the compiler names the one that they have.

extension QueryValue where Value: QueryText {
    /// Rejects a conversion of the text.
    @available(*, unavailable, message: "compare the text without case: $0.name.caseInsensitive == \"x\"")
    public func lowercased() -> QueryValue { self }

    /// Rejects a conversion of the text.
    @available(*, unavailable, message: "compare the text without case: $0.name.caseInsensitive == \"x\"")
    public func uppercased() -> QueryValue { self }

    /// Rejects a function of Foundation.
    @available(*, unavailable, message: "compare the text without case: $0.name.caseInsensitive.contains(\"x\")")
    public func localizedCaseInsensitiveContains(_ part: String) -> QueryPredicate<Root> { contains(part) }

    /// Rejects a function of Foundation.
    @available(*, unavailable, message: "compare the text without case and diacritics: $0.name.folded.contains(\"x\")")
    public func localizedStandardContains(_ part: String) -> QueryPredicate<Root> { contains(part) }
}

extension QueryValue where Value: RawRepresentable {
    /// Rejects the raw value of an enumeration.
    @available(*, unavailable, message: "compare the enumeration: $0.kind == .large")
    public var rawValue: QueryValue<Root, Value.RawValue> { QueryValue<Root, Value.RawValue>(operand: operand) }
}

extension QueryObjects {
    /// Rejects a condition.
    @available(*, unavailable, renamed: "any(_:)", message: "write $0.tags.any { $0.name == \"x\" }")
    public func contains(
        where condition: (QueryObject<Target, Target>) -> some QueryCondition<Target>
    ) -> QueryPredicate<Root> { any(condition) }

    /// Rejects a selection of the objects.
    @available(
        *, unavailable, message: "write $0.tags.any { $0.name == \"x\" }; the objects that meet it cannot be counted"
    )
    public func filter(
        _ condition: (QueryObject<Target, Target>) -> some QueryCondition<Target>
    ) -> QueryObjects { self }

    /// Rejects a property of several objects.
    @available(
        *, unavailable, message: "a to-many relationship has several values: write $0.books.any { $0.name == \"x\" }"
    )
    public subscript<Value>(dynamicMember property: KeyPath<Target, Value>) -> QueryValue<Root, Value> {
        QueryValue(operand: QueryOperand(path: path, target: .count(0)))
    }
}

extension Sequence {
    /// Rejects a search in a sequence.
    @available(*, unavailable, message: "write $0.name.isIn([\"a\", \"b\"])")
    public func contains<Root>(_ value: QueryValue<Root, Element>) -> QueryPredicate<Root> { value.isIn(Array(self)) }
}
