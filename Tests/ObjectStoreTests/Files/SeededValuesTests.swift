import Foundation
import ObjectMapping
import TestSupport
import Testing

@testable import ObjectStore

private final class Draft: ManagedObject {
    @Stored(.identity) var number = 0
    @Stored var name = ""
    static func model() throws -> ObjectModel { try ObjectModel(Draft.self) }
}

/// The class of a later version of the app.
private final class ExtendedDraft: ManagedObject {
    override class var entityName: String { "Draft" }
    @Stored(.identity) var number = 0
    @Stored var name = ""
    @Stored var rating = 5
    @Stored var remark: String? = nil
}

/// The values of seeded rows before their first change.
@Suite struct SeededValuesTests {
    let folder: TemporaryDirectory
    let seed: URL
    let url: URL

    init() throws {
        folder = try TemporaryDirectory()
        (seed, url) = (folder.file("seed.sqlite"), folder.file("company.sqlite"))
        let context = ObjectContext(try ManagedObjectStore(at: seed, model: Company.model()))
        let people = (1...4).map { context.employee($0, "n\($0)") }
        let (department, skill) = (Department(in: context), Skill(in: context))
        (department.code, department.title, skill.name) = ("S", "Sales", "Swift")
        (people[0].department, people[0].skills, people[0].salary) = (department, [skill], 1.5)
        people[0].notes = ["a", "b", "c"].map { text in
            let note = Note(in: context)
            note.text = text
            return note
        }
        try context.save()
        try context.store.checkpoint()
        context.store.close()
    }

    private func open(_ keepsSeededValues: Bool = true) async throws -> ManagedObjectStore {
        var options = ManagedObjectStore.Options()
        options.keepsSeededValues = keepsSeededValues
        return try await .open(at: url, model: Company.model(), seed: seed, options: options)
    }

    /// The kept rows: the table, the row, and the values by column.
    private func kept(_ store: ManagedObjectStore) throws -> [String: [String: StoredValue]] {
        var all: [String: [String: StoredValue]] = [:]
        for row in try store.rows(sql: #"SELECT * FROM "_mappingkit_base" ORDER BY "table", "row""#) {
            let table = row["table"]?.text ?? ""
            let sql = #"SELECT "value" FROM "_mappingkit" WHERE "key" = ?"#
            let metadata = try JSON(
                try store.rows(sql: sql, arguments: [.text("base.\(table)")])[0].values[0].text ?? "")
            let columns = metadata["columns"].array?.compactMap(\.string) ?? []
            all["\(table) \(row["row"]?.description ?? "")"] = Dictionary(
                uniqueKeysWithValues: zip(columns, row.values.dropFirst(2)))
        }
        return all
    }

    enum Change: CaseIterable {
        case save, map, importJSON, update, contextSQL, storeSQL, replace, replaceByIdentity, deletion, bulkDeletion
        case deletionBySQL, otherProgram
    }

    @Test(arguments: Change.allCases)
    func `the first change of a seeded row by any writer keeps its old values`(_ change: Change) async throws {
        let store = try await open()
        let before = try store.rows(sql: #"SELECT * FROM "Employee" WHERE "number" = 1"#)[0]
        #expect(try kept(store) == [:])
        let context = ObjectContext(store)
        let new = context.employee(9, "new")
        try await context.save()
        new.name = "newer"
        try await context.save()
        let json = Data(#"[{"number": 1, "name": "Anna"}, {"number": 2, "name": "n2"}, {"number": 10}]"#.utf8)
        let mapping = Mapping(Employee.self) {
            Attribute("number", \.number)
            Attribute("name", \.name)
        }
        for _ in 0..<2 {
            switch change {
            case .save:
                try #require(try await context.find(Employee.self, 1)).name += "a"
                try await context.save()
            case .map:
                _ = try await context.map(json, with: mapping)
                try await context.save()
            case .importJSON: _ = try await store.importJSON(json, with: mapping)
            case .update: try await context.update(Employee.where { $0.number == 1 }) { $0.set(\.name, to: "Anna") }
            case .contextSQL:
                try await context.write(sql: #"UPDATE OR REPLACE "Employee" SET "name" = 'x' WHERE "_id" = 1"#)
            case .storeSQL: try store.write(sql: #"UPDATE "Employee" SET "name" = "name" || 'a' WHERE "number" = 1"#)
            case .replace: try store.write(sql: #"REPLACE INTO "Employee"("_id", "number") VALUES(1, 1)"#)
            case .replaceByIdentity:
                try store.write(sql: #"DELETE FROM "Employee_notes""#)
                try store.write(sql: #"UPDATE "Note" SET "author" = NULL"#)
                try store.write(sql: #"DELETE FROM "Employee_skills""#)
                try store.write(sql: #"REPLACE INTO "Employee"("_id", "number") VALUES(77, 1)"#)
            case .deletion:
                if let ann = try await context.find(Employee.self, 1) { context.delete(ann) }
                try await context.save()
            case .bulkDeletion: try await context.delete(Employee.where { $0.number == 1 })
            case .deletionBySQL:
                for sql in [
                    #"DELETE FROM "Employee_notes""#, #"UPDATE "Note" SET "author" = NULL"#,
                    #"DELETE FROM "Employee_skills""#,
                    #"DELETE FROM "Employee" WHERE "number" = 1"#,
                ] { try store.write(sql: sql) }
            case .otherProgram:
                let other = try SQLiteDatabase(path: url.path, mode: .readWrite)
                try other.execute(#"UPDATE "Employee" SET "name" = "name" || 'a' WHERE "number" = 1"#)
                other.close()
            }
        }
        let kept = try kept(store)
        #expect(kept.keys.filter { $0.hasPrefix("Employee ") } == ["Employee 1"])
        for (column, value) in zip(before.columns, before.values) where column != "_id" {
            #expect(kept["Employee 1"]?[column] == value, "\(column)")
        }
        #expect(try SeedDatabase(at: url).damages().isEmpty)
    }

    @Test func `values of every type are kept exactly`() async throws {
        var random = RandomQueries(random: SeededGenerator(seed: 5))
        let store = try ManagedObjectStore(at: folder.file("samples.sqlite"), model: ManagedModel.model())
        let context = ObjectContext(store)
        for number in 1...50 {
            let sample = Sample(in: context)
            sample.sampleID = number
            random.fill(sample, all: true, among: [sample])
        }
        try await context.save()
        store.close()
        var options = ManagedObjectStore.Options()
        options.keepsSeededValues = true
        let copy = try await ManagedObjectStore.open(
            at: folder.file("copy.sqlite"), model: ManagedModel.model(), seed: folder.file("samples.sqlite"),
            options: options)
        let before = try copy.rows(sql: #"SELECT * FROM "Sample" ORDER BY "_id""#)
        try copy.write(sql: #"UPDATE "Sample" SET "text" = 'x', "data" = NULL"#)
        let kept = try kept(copy)
        for row in before {
            let values = kept["Sample \(row.values[0])"]
            for (column, value) in zip(row.columns, row.values).dropFirst() {
                #expect(values?[column] == value && "\(values?[column] ?? .null)" == "\(value)", "\(column)")
            }
        }
        #expect(before.count == 50)
    }

    @Test func `lists of seeded objects are kept as a whole before their first change`() async throws {
        let store = try await open()
        let context = ObjectContext(store)
        let ann = try #require(try await context.find(Employee.self, 1))
        ann.notes.swapAt(0, 2)
        ann.skills = []
        try await context.find(Employee.self, 2)?.friends = [ann]
        try await context.save()
        ann.notes.removeLast()
        try await context.save()
        let kept = try kept(store)
        #expect(kept["Employee_notes 1"] == ["target": "[1,2,3]"])
        #expect(kept["Employee_friends 2"] == ["target": "[]"])
        #expect(kept["Employee_skills 1"] == ["target": "[1]"])
        #expect(kept.keys.allSatisfy { !$0.hasPrefix("Employee_notes 2") })
    }

    // MARK: Files

    @Test func `files without the option, and files that exist, keep no values and work as before`() async throws {
        let first = try await open(false)
        first.close()
        let store = try await open()
        try store.write(sql: #"UPDATE "Employee" SET "name" = 'x'"#)
        #expect(try store.rows(sql: "SELECT 1 FROM sqlite_schema WHERE name LIKE '_mappingkit_base%'").isEmpty)
        #expect(try SeedDatabase(at: seed).rows(sql: "SELECT 1 FROM sqlite_schema WHERE type = 'trigger'").isEmpty)
    }

    @Test func `a seed is not changed, and a reset store keeps the values of its seed again`() async throws {
        let bytes = try Data(contentsOf: seed)
        let store = try await open()
        try store.write(sql: #"UPDATE "Employee" SET "name" = 'x' WHERE "number" = 1"#)
        let next = try await store.reset()
        #expect(try kept(next) == [:])
        try next.write(sql: #"UPDATE "Employee" SET "name" = 'x' WHERE "number" = 2"#)
        #expect(try kept(next)["Employee 2"]?["name"] == "n2")
        #expect(try Data(contentsOf: seed) == bytes)
    }

    @Test func `a file in use as a seed begins again`() async throws {
        let store = try await open()
        try store.write(sql: #"UPDATE "Employee" SET "name" = 'x' WHERE "number" = 1"#)
        try store.write(sql: #"INSERT INTO "Employee"("number", "name") VALUES(20, 'y')"#)
        var options = ManagedObjectStore.Options()
        options.keepsSeededValues = true
        let copy = try await ManagedObjectStore.open(
            at: folder.file("copy.sqlite"), model: Company.model(), seed: url, options: options)
        #expect(try kept(copy) == [:])
        try copy.write(sql: #"UPDATE "Employee" SET "name" = 'z'"#)
        #expect(try kept(copy)["Employee 1"]?["name"] == "x" && kept(copy)["Employee 5"]?["name"] == "y")
    }

    @Test func `attributes that are added to the model are no change of the rows, and are kept later`() async throws {
        let (seed, url) = (folder.file("drafts.sqlite"), folder.file("copy.sqlite"))
        let first = try ManagedObjectStore(at: seed, model: Draft.model())
        try first.write(sql: #"INSERT INTO "Draft"("number", "name") VALUES(1, 'a'), (2, 'b'), (3, 'c')"#)
        first.close()
        var options = ManagedObjectStore.Options()
        options.keepsSeededValues = true
        let old = try await ManagedObjectStore.open(at: url, model: Draft.model(), seed: seed, options: options)
        try old.write(sql: #"UPDATE "Draft" SET "name" = 'A' WHERE "number" = 1"#)
        old.close()
        let store = try await ManagedObjectStore.open(at: url, model: ObjectModel(ExtendedDraft.self))
        #expect(try kept(store) == ["Draft 1": ["number": 1, "name": "a", "rating": 5, "remark": .null]])
        try store.write(sql: #"UPDATE "Draft" SET "rating" = 1, "remark" = 'r' WHERE "number" < 3"#)
        try store.write(sql: #"DELETE FROM "Draft" WHERE "number" = 2"#)
        #expect(
            try kept(store)["Draft 2"] == ["number": 2, "name": "b", "rating": 5, "remark": .null]
                && kept(store).count == 2)
    }

    @Test func `statements cannot change the kept values`() async throws {
        let store = try await open()
        let error = #expect(throws: StoreError.self) { try store.write(sql: #"DELETE FROM "_mappingkit_base""#) }
        #expect(error?.kind == .misuse)
    }
}
