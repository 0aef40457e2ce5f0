import Foundation
import ObjectMapping
import Testing

@testable import ObjectStore

/// Attributes that are stored as JSON.
private final class Poll: ManagedObject, Mappable {
    @Stored(.identity) var number = 0
    @Stored var votes: [String: Int] = [:]
    @Stored var voters: Set<String> = []
    @Stored var ranks: Set<Int>? = nil

    static let mapping = Mapping(Poll.self) {
        Attribute("number", \.number)
        Attribute("votes", \.votes)
        Attribute("voters", \.voters)
        Attribute("ranks", \.ranks)
    }
}

/// Values of columns in a form that objects would not write.
@Suite struct `Values in another stored form` {
    @Test(arguments: [
        ("decimal", "'007'"), ("decimal", "'1E2'"), ("decimal", "'1.50'"), ("date", "'2026-01-01 00:00:00'"),
        ("date", "'2026-01-01T00:00:00Z'"), ("flag", "2"), ("uuid", "'F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6'"),
        ("tags", #"'["a", "b"]'"#), ("point", #"'{"y": 2, "x": 1}'"#),
    ])
    func `a value in another form is not a conflict`(_ column: String, _ value: String) throws {
        let context = ObjectContext(try ManagedModel.store())
        let sample = Sample(in: context)
        sample.sampleID = 1
        try context.save()
        try context.write(sql: "UPDATE Sample SET \(column) = \(value)")
        sample.decimal += 1
        sample.date.addTimeInterval(1)
        sample.flag.toggle()
        sample.uuid = UUID()
        sample.tags.append("c")
        sample.point.x += 1
        try context.save()
        let row = try #require(context.store.rows(sql: "SELECT * FROM Sample").first)
        #expect(row["decimal"]?.text == "\(sample.decimal)" && row["flag"]?.integer == (sample.flag ? 1 : 0))
    }

    @Test func `dictionaries and sets are imported like the objects that have them`() async throws {
        let context = ObjectContext(try ManagedObjectStore(inMemory: ObjectModel(Poll.self)))
        let text = #"[{"number":1,"votes":{"a":2},"voters":["x"],"ranks":[2]}]"#
        let report = try await context.store.importJSON(Data(text.utf8), with: Poll.mapping)
        #expect(report.inserted == 1)
        try change(context) { poll in poll.votes == ["a": 2] && poll.voters == ["x"] && poll.ranks == [2] }
        let more = #"[{"number":2,"votes":{},"voters":[],"ranks":null},{"number":1,"voters":["x","y","x"]}]"#
        _ = try await context.store.importJSON(Data(more.utf8), with: Poll.mapping)
        #expect(try other(context, 1)?.voters == ["x", "y"] && other(context, 2)?.voters == [])
    }

    @Test func `a dictionary is imported in the order in which objects write it`() async throws {
        let context = ObjectContext(try ManagedObjectStore(inMemory: ObjectModel(Poll.self)))
        let text = #"[{"number":1,"votes":{"b":1,"d":4,"a":2}}]"#
        _ = try await context.store.importJSON(Data(text.utf8), with: Poll.mapping)
        try change(context) { $0.votes == ["a": 2, "b": 1, "d": 4] }
    }

    @Test func `equal dictionaries and sets are stored as equal texts`() throws {
        let context = ObjectContext(try ManagedObjectStore(inMemory: ObjectModel(Poll.self)))
        for number in 1...2 {
            let poll = Poll(in: context)
            poll.number = number
            for key in number == 1 ? ["a", "b", "c", "d"] : ["d", "c", "b", "a"] {
                poll.votes[key] = 1
                poll.voters.insert(key)
            }
            poll.ranks = [3, 1, 2]
        }
        try context.save()
        let rows = try context.store.rows(sql: "SELECT DISTINCT votes, voters, ranks FROM Poll")
        #expect(rows.map(\.values) == [[#"{"a":1,"b":1,"c":1,"d":1}"#, #"["a","b","c","d"]"#, "[1,2,3]"]])
    }

    @Test func `a set is imported in the order in which objects write it`() async throws {
        let context = ObjectContext(try ManagedObjectStore(inMemory: ObjectModel(Poll.self)))
        let text = #"[{"number":1,"voters":["y","x","y"]}]"#
        _ = try await context.store.importJSON(Data(text.utf8), with: Poll.mapping)
        try change(context) { $0.voters == ["x", "y"] }
    }

    private func other(_ context: ObjectContext, _ number: Int) throws -> Poll? {
        context.refresh()
        return try context.find(Poll.self, number)
    }

    /// Expects imported values, and saves others.
    private func change(_ context: ObjectContext, _ isExpected: (Poll) -> Bool) throws {
        let poll = try #require(try context.find(Poll.self, 1))
        #expect(isExpected(poll))
        poll.votes["c"] = 1
        poll.voters.insert("z")
        poll.ranks?.insert(3)
        try context.save()
    }
}
