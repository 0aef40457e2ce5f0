import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

/// Queries by names have the results of queries with key paths.
@Suite struct DynamicQueryTests {
    typealias Condition = (QueryObject<ManagedObject, ManagedObject>) -> QueryPredicate<ManagedObject>

    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// Opens the file of a store with classes again, without them.
    private func untyped(_ fill: (ObjectContext) throws -> Void) throws -> (
        typed: ManagedObjectStore, untyped: ManagedObjectStore
    ) {
        let typed = try Company.store(in: folder)
        let context = ObjectContext(typed)
        try fill(context)
        try context.save()
        let store = try ManagedObjectStore(
            at: folder.url.appending(path: "company.sqlite"), model: nil, seed: nil, ManagedObjectStore.Options())
        return (typed, store)
    }

    private func fill(_ context: ObjectContext) throws {
        let departments = ["a", "b"].map { code in
            let department = Department(in: context)
            (department.code, department.title) = (code, code.uppercased())
            return department
        }
        for number in 1...20 {
            let employee = Employee(in: context)
            employee.number = number
            employee.name = number % 3 == 0 ? "Réne \(number)" : "Ann \(number)"
            employee.rank = number % 2 == 0 ? .senior : .junior
            employee.salary = number % 4 == 0 ? nil : Decimal(number) / 4
            employee.hired = number % 5 == 0 ? nil : Date(timeIntervalSince1970: Double(number) * 86_400)
            employee.nicknames = number % 2 == 0 ? ["x", "n\(number)"] : []
            employee.share = Double(number) / 20
            employee.department = number % 7 == 0 ? nil : departments[number % 2]
        }
    }

    @Test func `conditions by names select the same objects`() throws {
        let (typed, untyped) = try untyped(fill)
        let (context, dynamic) = (ObjectContext(typed), ObjectContext(untyped))
        let day = Date(timeIntervalSince1970: 10 * 86_400)
        let pairs: [(ObjectQuery<Employee>, Condition)] = [
            (Employee.where { $0.name == "Ann 1" }, { $0["name"] == "Ann 1" }),
            (Employee.where { $0.number > 5 && $0.number <= 9 }, { $0["number"] > 5 && $0["number"] <= 9 }),
            (Employee.where { $0.number.isIn([1, 2, 99]) }, { $0["number"].isIn([1, 2, 99]) }),
            (Employee.where { $0.number.isIn(3...7) }, { $0["number"].isIn(3...7) }),
            (Employee.where { $0.rank == .senior }, { $0["rank"] == "senior" }),
            (Employee.where { $0.salary == nil }, { $0["salary"] == nil }),
            (Employee.where { $0.salary >= Decimal(2) }, { $0["salary"] >= 2 }),
            (Employee.where { $0.hired < day }, { $0["hired"] < day }),
            (Employee.where { $0.hired != day }, { $0["hired"] != day }),
            (Employee.where { $0.share > 0.5 }, { $0["share"] > 0.5 }),
            (Employee.where { $0.name.hasPrefix("Ann") }, { $0["name"].hasPrefix("Ann") }),
            (Employee.where { $0.name.hasSuffix("1") }, { $0["name"].hasSuffix("1") }),
            (Employee.where { $0.name.contains("n 1") }, { $0["name"].contains("n 1") }),
            (Employee.where { $0.name.folded.hasPrefix("rene") }, { $0["name"].folded.hasPrefix("rene") }),
            (Employee.where { $0.name.caseInsensitive == "ANN 2" }, { $0["name"].caseInsensitive == "ANN 2" }),
            (Employee.where { $0.name.like("%1_") }, { $0["name"].like("%1_") }),
            (Employee.where { $0.name.matches(#"Ann \d"#) }, { $0["name"].matches(#"Ann \d"#) }),
            (Employee.where { $0.nicknames.contains("x") }, { $0["nicknames"].contains("x") }),
            (Employee.where { $0.nicknames.count == 2 }, { $0["nicknames"].count == 2 }),
            (Employee.where { $0.nicknames.isEmpty }, { $0["nicknames"].isEmpty }),
            (Employee.where { $0.department == nil }, { $0["department"] == nil }),
            (Employee.where { $0.department.title == "A" }, { $0["department"]["title"] == "A" }),
            (Employee.where { $0.department.staff.count > 8 }, { $0["department"]["staff"].count > 8 }),
            (
                Employee.where { $0.department.staff.any { $0.number == 2 } },
                { $0["department"]["staff"].any { $0["number"] == 2 } }
            ),
            (
                Employee.where { $0.skills.isEmpty && !($0.number == 4) },
                { $0["skills"].isEmpty && !($0["number"] == 4) }
            ),
        ]
        for (index, (query, condition)) in pairs.enumerated() {
            let expected = try context.fetch(query).map(\.number)
            let found = try dynamic.fetch("Employee", where: condition)
            #expect(found.map { $0["number"] as? Int } == expected, "\(index)")
            #expect(found.allSatisfy { $0 is DynamicObject })
            #expect(try dynamic.count(dynamic.query("Employee").where(condition)) == expected.count, "\(index)")
            // In memory.
            let changed = ObjectContext(untyped)
            for object in try changed.fetch("Employee") { object["share"] = object["share"] as Double? }
            #expect(
                try changed.fetch("Employee", where: condition).map { $0["number"] as? Int } == expected, "\(index)")
        }
    }

    @Test func `orders, pages, ids, snapshots and prefetches work by names`() throws {
        let (_, store) = try untyped(fill)
        let context = ObjectContext(store)
        let query = try context.query("Employee").sorted(by: "rank").sorted(by: "name", descending: true)
        let names = try context.fetch(query.offset(2).limit(3).prefetch("department")).map { $0["number"] as? Int }
        #expect(names.count == 3)
        #expect("\(query.limit(3))" == "Employee, sorted by rank, name descending, limit 3")
        #expect(
            try context.snapshots(query.offset(2).limit(3)).map { $0["number"]?.integer }.compactMap(\.self).map {
                Int($0)
            } == names)
        #expect(try context.ids(query.limit(1)).first?.entity == "Employee")
        #expect(try context.fetch(query.sorted { $0["department"]["title"].ascending }).count == 20)
        #expect(try context.explain(query.where { $0["name"] == "Ann 1" }).contains("SEARCH Employee USING INDEX"))
    }

    @Test func `bulk changes work by names`() throws {
        let (_, store) = try untyped(fill)
        let context = ObjectContext(store)
        let seniors = try context.query("Employee").where { $0["rank"] == "senior" }
        let department = try #require(try context.fetch("Department").first)
        let count = try context.update(seniors) {
            $0.set("share", to: 1)
            $0.set("hired", to: nil)
            $0.set("department", to: department)
        }
        #expect(count == 10)
        #expect(
            try context.fetch("Employee") { $0["share"] == 1.0 && $0["hired"] == nil && $0["department"] == department }
                .count == 10)
        for (name, value) in [("shaer", 1), ("share", "x"), ("staff", 1), ("department", 1)] as [(String, Any)] {
            #expect(throws: StoreError.self) { try context.update(seniors) { $0.set(name, to: value) } }
        }
        #expect(try context.delete(seniors) == 10)
        #expect(try store.count(of: "Employee") == 10)
    }

    @Test func `asynchronous functions read by names`() async throws {
        let (_, store) = try untyped(fill)
        let numbers = try await store.perform { context in
            try context.fetch("Employee") { $0["number"] < 3 }.compactMap { $0["number"] as? Int }
        }
        #expect(numbers == [1, 2])
        let reader = Reader(store)
        #expect(try await reader.names() == ["Ann 1", "Ann 2"])
    }

    private actor Reader {
        let context: ObjectContext
        init(_ store: ManagedObjectStore) { context = ObjectContext(store) }

        func names() async throws -> [String] {
            let found = try await context.fetch("Employee") { $0["number"] < 3 }
            let same = try await context.find("Employee", 1)
            #expect(found.first === same)
            #expect(try await context.fetch("Employee").count == 20)
            return found.compactMap { $0["name"] }
        }
    }
}
