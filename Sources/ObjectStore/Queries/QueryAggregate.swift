import ObjectMapping

/// An aggregate function over the objects of a query.
///
/// ```swift
/// let (count, hours) = try context.aggregate(ProjectTask.all) { ($0.rowCount(), $0.hours.sum()) }
/// ```
public struct QueryAggregate<Root: ManagedObject, Result>: Sendable {
    let operand: QueryOperand?
    /// Returns the SQL of the function for a column.
    let sql: @Sendable (String) -> String
    let decode: @Sendable (StoredValue) throws(StoreError) -> Result
}

extension QueryObject where Root == Object {
    /// The number of objects.
    public func rowCount() -> QueryAggregate<Root, Int> {
        QueryAggregate(operand: nil, sql: { _ in "count(*)" }, decode: { Int($0.integer ?? 0) })
    }
}

extension QueryValue {
    /// The number of objects with a value, or of distinct values.
    public func count(distinct: Bool = false) -> QueryAggregate<Root, Int> {
        QueryAggregate(
            operand: operand, sql: { "count(\(distinct ? "DISTINCT " : "")\($0))" }, decode: { Int($0.integer ?? 0) })
    }

    /// The number of distinct values.
    public func countDistinct() -> QueryAggregate<Root, Int> { count(distinct: true) }

    /// The smallest value; `nil` without values.
    @_disfavoredOverload public func min() -> QueryAggregate<Root, Value?> { extreme("min") }

    /// The largest value; `nil` without values.
    @_disfavoredOverload public func max() -> QueryAggregate<Root, Value?> { extreme("max") }

    /// The smallest value; `nil` without values.
    public func min<Wrapped>() -> QueryAggregate<Root, Value> where Value == Wrapped? { flatExtreme("min") }

    /// The largest value; `nil` without values.
    public func max<Wrapped>() -> QueryAggregate<Root, Value> where Value == Wrapped? { flatExtreme("max") }

    private func flatExtreme<Wrapped>(_ function: String) -> QueryAggregate<Root, Value> where Value == Wrapped? {
        let extreme = extreme(function)
        return QueryAggregate(
            operand: operand, sql: extreme.sql,
            decode: { (value) throws(StoreError) in try extreme.decode(value).flatMap { $0 } })
    }

    private func extreme(_ function: String) -> QueryAggregate<Root, Value?> {
        let operand = operand
        return QueryAggregate(
            operand: operand, sql: { "\(function)(\($0))" },
            decode: { (value) throws(StoreError) in try operand.decode(value, as: Value.self) })
    }
}

extension QueryValue where Value: QueryNumber {
    /// The sum of the values; 0 without values.
    ///
    /// Decimals are added exactly. A sum of integers that overflows is an error, and so is one of decimals with more
    /// digits than `Decimal` supports.
    public func sum() -> QueryAggregate<Root, Value.Number> {
        QueryAggregate(
            operand: operand, sql: { Value.Number.sumSQL($0) },
            decode: { (value) throws(StoreError) in try Value.Number.sum(value) })
    }

    /// The average of the values; `nil` without values.
    ///
    /// That of decimals is their exact sum divided by their number, rounded to the digits of `Decimal`.
    public func average() -> QueryAggregate<Root, Value.Number.Average?> {
        QueryAggregate(
            operand: operand, sql: { Value.Number.averageSQL($0) },
            decode: { (value) throws(StoreError) in try Value.Number.average(value) })
    }
}

/// An attribute whose values can be added: of type `Int`, `Int64`, `Double` or `Decimal`, or optionals of them.
public protocol QueryNumber {
    /// The type without the optional.
    associatedtype Number: QuerySummable
}

/// A number that queries can add.
public protocol QuerySummable: Sendable {
    /// The type of an average.
    associatedtype Average: Sendable
    /// SQL of the sum of a column.
    static func sumSQL(_ column: String) -> String
    /// SQL of the average of a column.
    static func averageSQL(_ column: String) -> String
    /// The sum.
    static func sum(_ value: StoredValue) throws(StoreError) -> Self
    /// The average.
    static func average(_ value: StoredValue) throws(StoreError) -> Average?
}

extension Optional: QueryNumber where Wrapped: QuerySummable {
    /// The wrapped number.
    public typealias Number = Wrapped
}

extension QuerySummable {
    /// SQL of the sum of a column.
    public static func sumSQL(_ column: String) -> String { "sum(\(column))" }
    /// SQL of the average of a column.
    public static func averageSQL(_ column: String) -> String { "avg(\(column))" }
}

extension QuerySummable where Average == Double {
    /// The average.
    public static func average(_ value: StoredValue) -> Double? { value.double }
}

extension Int: QueryNumber, QuerySummable {
    /// The type itself.
    public typealias Number = Int
    /// A floating-point number.
    public typealias Average = Double
    /// The sum.
    public static func sum(_ value: StoredValue) throws(StoreError) -> Int { try exactSum(value) }
}

extension Int64: QueryNumber, QuerySummable {
    /// The type itself.
    public typealias Number = Int64
    /// A floating-point number.
    public typealias Average = Double
    /// The sum.
    public static func sum(_ value: StoredValue) throws(StoreError) -> Int64 { try exactSum(value) }
}

extension FixedWidthInteger {
    /// Returns a sum of integers; throws if it does not fit, as possible where `Int` has 32 bits.
    static func exactSum(_ value: StoredValue) throws(StoreError) -> Self {
        guard let integer = value.integer else { return 0 }
        guard let sum = Self(exactly: integer) else {
            throw StoreError(
                .misuse, "the sum of integers does not fit into \(Self.self), which has \(bitWidth) bits",
                advice: "sum fewer objects, or values of a type with a larger range")
        }
        return sum
    }
}

extension Double: QueryNumber, QuerySummable {
    /// The type itself.
    public typealias Number = Double
    /// The type itself.
    public typealias Average = Double
    /// The sum.
    public static func sum(_ value: StoredValue) -> Double { value.double ?? 0 }
}

extension Decimal: QueryNumber, QuerySummable {
    /// The type itself.
    public typealias Number = Decimal
    /// The type itself.
    public typealias Average = Decimal

    // SQLite would add them as doubles, so the texts are added here.

    /// SQL of all values.
    public static func sumSQL(_ column: String) -> String {
        "json_group_array(\(column)) FILTER (WHERE \(column) IS NOT NULL)"
    }
    /// SQL of all values.
    public static func averageSQL(_ column: String) -> String { sumSQL(column) }
    /// The sum.
    public static func sum(_ value: StoredValue) throws(StoreError) -> Decimal { try total(value).sum }
    /// The average.
    public static func average(_ value: StoredValue) throws(StoreError) -> Decimal? {
        let (sum, count) = try total(value)
        return count == 0 ? nil : sum / Decimal(count)
    }

    private static func total(_ value: StoredValue) throws(StoreError) -> (sum: Decimal, count: Int) {
        let values = (try? JSON(value.text ?? "[]"))?.array ?? []
        var sum = DecimalSum()
        for value in values { sum.add(value.string ?? value.text) }
        guard let decimal = sum.decimal else {
            throw StoreError(
                .misuse, "the sum of \(values.count) decimals has more digits than Decimal supports",
                advice: "sum fewer objects, or values with fewer digits")
        }
        return (decimal, values.count)
    }
}

extension QueryOperand {
    /// Returns the value of a column or the result of `min` or `max`; `nil` for null.
    func decode<Value>(_ value: StoredValue, as type: Value.Type) throws(StoreError) -> Value? {
        if value.isNull { return nil }
        switch target {
        case .count, .length: return value.integer.map { Int($0) } as? Value
        case .attribute(let attribute):
            if let decoded = (attribute as? TypedAttribute<Value>)?.decode(value) { return decoded }
            throw StoreError(
                .corrupt, "the column '\(attribute.name)' has a value that is not of the type \(attribute.type)")
        }
    }
}

extension ObjectContext {
    /// Computes values over the objects of a query in the store, without unsaved changes.
    ///
    /// ```swift
    /// let (longest, total) = try context.aggregate(ProjectTask.all) { ($0.hours.max(), $0.hours.sum()) }
    /// let count = try context.aggregate(ProjectTask.all) { $0.name.countDistinct() }
    /// ```
    ///
    /// - Parameters:
    ///   - query: The objects; its order is ignored unless it has a limit.
    ///   - values: One aggregate, or a tuple of them.
    public func aggregate<Object, each Result>(
        _ query: ObjectQuery<Object>,
        _ values: (QueryObject<Object, Object>) -> (repeat QueryAggregate<Object, each Result>)
    ) throws(StoreError) -> (repeat each Result) {
        let aggregates = values(QueryObject(path: QueryPath()))
        var plan = AggregatePlan(Object.self)
        repeat plan.add(each aggregates)
        let row = try core.aggregate(query.definition, plan, key: nil).first ?? []
        var reader = AggregateReader(row: row)
        return (repeat try reader.next(each aggregates))
    }

    /// Computes a value over the objects of a query in the store, without unsaved changes.
    ///
    /// ```swift
    /// let average = try context.aggregate(ProjectTask.all) { $0.hours.average() }
    /// ```
    public func aggregate<Object, Result>(
        _ query: ObjectQuery<Object>, _ value: (QueryObject<Object, Object>) -> QueryAggregate<Object, Result>
    ) throws(StoreError) -> Result {
        let aggregate = value(QueryObject(path: QueryPath()))
        var plan = AggregatePlan(Object.self)
        plan.add(aggregate)
        return try aggregate.decode(try core.aggregate(query.definition, plan, key: nil).first?.first ?? .null)
    }

    /// Computes values over groups of the objects of a query in the store, without unsaved changes.
    ///
    /// ```swift
    /// for (project, hours) in try context.aggregate(ProjectTask.all, by: { $0.project.name }, { $0.hours.sum() }) {
    ///     print(project ?? "no project", hours)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - query: The objects; its order is ignored unless it has a limit.
    ///   - key: The common value of a group's objects, which can be `nil`.
    ///   - values: One aggregate, or a tuple of them.
    /// - Returns: The groups, in the order of their keys.
    @_disfavoredOverload public func aggregate<Object, Key, each Result>(
        _ query: ObjectQuery<Object>, by key: (QueryObject<Object, Object>) -> QueryValue<Object, Key>,
        _ values: (QueryObject<Object, Object>) -> (repeat QueryAggregate<Object, each Result>)
    ) throws(StoreError) -> [(key: Key?, values: (repeat each Result))] {
        let key = key(QueryObject(path: QueryPath())).operand
        let aggregates = values(QueryObject(path: QueryPath()))
        var plan = AggregatePlan(Object.self)
        repeat plan.add(each aggregates)
        var groups: [(key: Key?, values: (repeat each Result))] = []
        for row in try core.aggregate(query.definition, plan, key: key) {
            var reader = AggregateReader(row: Array(row.dropFirst()))
            let group = try key.decode(row[0], as: Key.self)
            groups.append((group, (repeat try reader.next(each aggregates))))
        }
        return groups
    }

    /// Computes values over groups of the objects of a query in the store, without unsaved changes.
    ///
    /// - Parameters:
    ///   - query: The objects; its order is ignored unless it has a limit.
    ///   - key: The common value of a group's objects, which can be `nil`.
    ///   - values: One aggregate, or a tuple of them.
    /// - Returns: The groups, in the order of their keys.
    public func aggregate<Object, Wrapped, each Result>(
        _ query: ObjectQuery<Object>, by key: (QueryObject<Object, Object>) -> QueryValue<Object, Wrapped?>,
        _ values: (QueryObject<Object, Object>) -> (repeat QueryAggregate<Object, each Result>)
    ) throws(StoreError) -> [(key: Wrapped?, values: (repeat each Result))] {
        let key = key(QueryObject(path: QueryPath())).operand
        let aggregates = values(QueryObject(path: QueryPath()))
        var plan = AggregatePlan(Object.self)
        repeat plan.add(each aggregates)
        var groups: [(key: Wrapped?, values: (repeat each Result))] = []
        for row in try core.aggregate(query.definition, plan, key: key) {
            var reader = AggregateReader(row: Array(row.dropFirst()))
            let group = try key.decode(row[0], as: Wrapped?.self)
            groups.append((group.flatMap { $0 }, (repeat try reader.next(each aggregates))))
        }
        return groups
    }
}

/// The columns of aggregates.
struct AggregatePlan {
    let type: ManagedObject.Type
    fileprivate var columns: [(operand: QueryOperand?, sql: @Sendable (String) -> String)] = []

    init(_ type: ManagedObject.Type) { self.type = type }

    mutating func add<Root, Result>(_ aggregate: QueryAggregate<Root, Result>) {
        columns.append((aggregate.operand, aggregate.sql))
    }
}

/// Reads consecutive results of aggregates.
private struct AggregateReader {
    let row: [StoredValue]
    private var index = 0

    init(row: [StoredValue]) { self.row = row }

    mutating func next<Root, Result>(_ aggregate: QueryAggregate<Root, Result>) throws(StoreError) -> Result {
        defer { index += 1 }
        return try aggregate.decode(index < row.count ? row[index] : .null)
    }
}

extension ContextCore {
    /// Returns the rows of aggregates; with a key, one row per group, which starts with the key.
    fileprivate func aggregate(
        _ query: QueryDescription, _ plan: AggregatePlan, key: QueryOperand?
    ) throws(StoreError) -> [[StoredValue]] {
        try prepareFetch()
        let entity = try store.entity(of: query, plan.type)
        var sql = QuerySQL(store)
        let frame = sql.frame(of: entity)
        var columns: [String] = []
        let group = if let key { try sql.text(key, frame) } else { String?.none }
        if let group { columns.append(group) }
        for column in plan.columns {
            let operand = if let operand = column.operand { try sql.text(operand, frame) } else { "" }
            columns.append(column.sql(operand))
        }
        let condition =
            if query.isPage {
                " WHERE \(entity.table).\"_id\" IN (\(try sql.selectRows(query, entity)))"
            } else {
                try sql.condition(query.condition, frame)
            }
        var text = "SELECT \(columns.joined(separator: ", ")) FROM \(entity.table)\(frame.joins)\(condition)"
        if let group { text += " GROUP BY \(group) ORDER BY \(group)" }
        return try values(text, sql.arguments)
    }
}
