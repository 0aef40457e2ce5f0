/// Evaluates a query on the objects of a context, with the same results as SQL.
struct QueryEvaluator {
    let core: ContextCore
    private let condition: FlatCondition
    private let sortKeys: [QueryDescription.SortKey]
    private let patterns = TextPatterns()
    /// The values of long lists, by their steps.
    private let lists: [Int: Set<StoredValue>]

    init(_ core: ContextCore, _ condition: FlatCondition, _ sortKeys: [QueryDescription.SortKey] = []) {
        (self.core, self.condition, self.sortKeys) = (core, condition, sortKeys)
        var lists: [Int: Set<StoredValue>] = [:]
        for (index, step) in condition.steps.enumerated() {
            guard case .test(.membership(let operand, let values)) = step.kind, values.count > 8 else { continue }
            lists[index] = Set(operand.isDecimal ? values.map(\.canonicalDecimal) : values)
        }
        self.lists = lists
    }

    private struct Group {
        let step: Int
        /// The object that the group is evaluated for.
        let object: ManagedObject
        /// The objects of the relationship that are not evaluated yet.
        var targets: ArraySlice<ManagedObject> = []
    }

    func matches(_ object: ManagedObject) throws(StoreError) -> Bool {
        var (object, index) = (object, 0)
        var open: [Group] = []
        while true {
            let step = condition.steps[index]
            var value = false
            switch step.kind {
            case .test(let test): value = try matches(object, test, index)
            case .every, .some, .not:
                open.append(Group(step: index, object: object))
                index += 1
                continue
            case .any(let path):
                var group = Group(step: index, object: object, targets: targets(path, of: object)[...])
                if let first = group.targets.popFirst() {
                    open.append(group)
                    (object, index) = (first, index + 1)
                    continue
                }
            }
            index = step.end
            // Leaves the groups whose value is known.
            leaving: while var group = open.popLast() {
                let step = condition.steps[group.step]
                switch step.kind {
                case .every where value && index < step.end, .some where !value && index < step.end:
                    open.append(group)
                    break leaving
                case .not: value.toggle()
                case .any:
                    if !value, let next = group.targets.popFirst() {
                        (object, index) = (next, group.step + 1)
                        open.append(group)
                        break leaving
                    }
                    object = group.object
                case .every, .some, .test: break
                }
                index = step.end
            }
            if open.isEmpty { return value }
        }
    }

    private func matches(_ object: ManagedObject, _ test: QueryTest, _ step: Int) throws(StoreError) -> Bool {
        switch test {
        case .constant(let isTrue): return isTrue
        case .comparison(let operand, let comparison, let value):
            return Self.compare(self.value(operand, of: object), comparison, value, operand)
        case .operands(let a, let comparison, let b):
            return Self.compare(value(a, of: object), comparison, value(b, of: object), a)
        case .membership(let operand, let values):
            let value = value(operand, of: object)
            if let list = lists[step] { return list.contains(operand.isDecimal ? value.canonicalDecimal : value) }
            return values.contains { Self.compare(value, .equal, $0, operand) }
        case .text(let operand, let test, let argument): return try self.test(operand, test, argument, of: object)
        case .element(let operand, let element):
            guard case .text(let list) = value(operand, of: object) else { return false }
            return ListText.contains(list, element, isDecimal: operand.isDecimalList)
        case .objects(let path, let ids):
            let row = row(path, of: object)
            for id in ids where try core.store.savedRow(of: id) == row || id.row == row { return row != 0 }
            return false
        case .missing(let path): return row(path, of: object) == 0
        case .search:
            throw StoreError(
                .misuse,
                "a search by text cannot be evaluated for unsaved changes of '\(core.entity(of: object).name)'",
                advice: "save or roll back the context first, or search in another context")
        case .invalid(let problem): throw problem
        }
    }

    // MARK: Order

    /// Returns the values by which a query sorts an object.
    func sortValues(of object: ManagedObject) -> [StoredValue] {
        sortKeys.map { value($0.operand, of: object) }
    }

    /// Whether an object is sorted before another one; equal objects are in the order in which they are saved.
    func isOrdered(
        _ a: (object: ManagedObject, values: [StoredValue]), before b: (object: ManagedObject, values: [StoredValue])
    ) -> Bool {
        for (index, key) in sortKeys.enumerated() {
            let order = Self.order(a.values[index], b.values[index], isDecimal: key.operand.isDecimal)
            if order != 0 { return (order < 0) != key.isDescending }
        }
        let (first, second) = (a.object.row, b.object.row)
        // Rows of new objects are negative and decreasing.
        return first < 0 || second < 0 ? first > second : first < second
    }

    /// Returns -1, 0 or 1; `nil` is first.
    static func order(_ a: StoredValue, _ b: StoredValue, isDecimal: Bool) -> Int {
        if isDecimal, case .text(let a) = a, case .text(let b) = b { return DecimalText.compare(a.utf8, b.utf8) }
        return a.isOrderedBefore(b) ? -1 : b.isOrderedBefore(a) ? 1 : 0
    }

    private static func compare(
        _ a: StoredValue, _ comparison: QueryComparison, _ b: StoredValue, _ operand: QueryOperand
    ) -> Bool {
        switch comparison {
        case .equal: return order(a, b, isDecimal: operand.isDecimal) == 0
        case .notEqual: return order(a, b, isDecimal: operand.isDecimal) != 0
        case .less, .lessOrEqual, .greater, .greaterOrEqual: break
        }
        guard !a.isNull, !b.isNull else { return false }
        let order = order(a, b, isDecimal: operand.isDecimal)
        return switch comparison {
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        default: order >= 0
        }
    }

    // MARK: Values

    func value(_ operand: QueryOperand, of object: ManagedObject) -> StoredValue {
        let holder = holder(operand.path.hops[...], of: object)
        switch operand.target {
        case .count(let relationship):
            return .integer(Int64(holder.map { core.targets(of: $0, relationship).count } ?? 0))
        case .length(let attribute):
            guard let holder else { return .null }
            holder.fireIfFault()
            guard case .text(let list)? = attribute.storedValue(of: holder) else { return .null }
            return ListText.count(list).map { .integer(Int64($0)) } ?? .null
        case .attribute(let attribute):
            guard let holder else { return .null }
            holder.fireIfFault()
            // An identity that was not assigned is null in the file.
            if attribute.isIdentity, !holder.hasIdentity(attribute, core.entity(of: holder)) { return .null }
            let value = attribute.storedValue(of: holder) ?? .null
            if !operand.folding.isEmpty, case .text(let text) = value { return .text(operand.folding.fold(text)) }
            return value
        }
    }

    /// Returns the object at the end of a path of to-one relationships.
    private func holder(_ hops: ArraySlice<Int>, of object: ManagedObject) -> ManagedObject? {
        var object = object
        for hop in hops {
            object.fireIfFault()
            let row = core.entity(of: object).type.relationships[hop].row(of: object)
            guard let next = core.target(of: object, hop, row: row) else { return nil }
            object = next
        }
        return object
    }

    /// Returns the row at the end of a path of to-one relationships; 0 without an object.
    private func row(_ path: QueryPath, of object: ManagedObject) -> Int64 {
        guard let last = path.hops.last else { return object.row }
        guard let holder = holder(path.hops.dropLast(), of: object) else { return 0 }
        holder.fireIfFault()
        let entity = core.entity(of: holder)
        let row = entity.type.relationships[last].row(of: holder)
        let target = core.registries[entity.relationships[last].destination][row]
        return target?.state?.phase == .deleted ? 0 : row
    }

    private func targets(_ path: QueryPath, of object: ManagedObject) -> [ManagedObject] {
        guard let last = path.hops.last, let holder = holder(path.hops.dropLast(), of: object) else { return [] }
        holder.fireIfFault()
        return core.targets(of: holder, last)
    }

    private func test(
        _ operand: QueryOperand, _ test: QueryTextTest, _ argument: String, of object: ManagedObject
    ) throws(StoreError) -> Bool {
        var operand = operand
        let folding = operand.folding
        if case .matches = test { operand.folding = [] }
        guard case .text(let text) = value(operand, of: object) else { return false }
        return switch test {
        case .prefix: text.utf8.starts(with: argument.utf8)
        case .suffix: text.utf8.reversed().starts(with: argument.utf8.reversed())
        case .contains: Self.contains(Array(text.utf8), Array(argument.utf8))
        case .like, .matches: try patterns.pattern(test, argument, folding).matches(text)
        }
    }

    private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        guard part.count <= text.count else { return false }
        return (0...(text.count - part.count)).contains { text[$0...].starts(with: part) }
    }
}
