import Foundation
import ObjectMapping
import Testing

@testable import ObjectStore

/// A class whose identity is outside of its objects: metadata, and the key of the member.
final class TreeNode: ManagedObject, Mappable {
    @Stored(.identity) var tree = 0
    @Stored(.identity) var key = ""
    @Stored var name = ""
    @ToOne var parent: TreeNode?
    @ToMany(inverse: \TreeNode.parent) var branches: [TreeNode]
    @ToMany(inverse: \TreeLeaf.branch) var leaves: [TreeLeaf]

    static let mapping: Mapping<TreeNode> = Mapping(TreeNode.self) {
        Attribute(.metadata("tree"), \.tree)
        Attribute(.key, \.key)
        Attribute("name", \.name)
        Relationship("branches", \.branches, each: .member)
        Relationship("leaves", \.leaves)
    }
}

/// A class identified by a member of the enclosing object, and its own.
final class TreeLeaf: ManagedObject, Mappable {
    @Stored(.identity) var owner = ""
    @Stored(.identity) var number = 0
    @ToOne var branch: TreeNode?

    static let mapping = Mapping(TreeLeaf.self) {
        Attribute(.parent("code"), \.owner)
        Attribute("number", \.number)
    }
}

/// An object of one of several classes.
private enum Entry: Mappable {
    case ticket(Ticket)
    case person(Person)

    static let mapping = Mapping<Entry>(matching: {
        Match("kind", is: "ticket", Ticket.mapping, Entry.ticket)
        Match(wrappedIn: "person", Person.mapping, Entry.person)
        Match("kind", is: "advertisement", .decline)
    })
}

/// A plain model that contains managed objects in several ways.
private struct Dashboard {
    var pinned: Ticket?
    var entries: [Entry] = []
    var byName: [String: Person] = [:]
    var checked: [Ticket] = []
    var owner: Person?

    static let mapping = Mapping(Dashboard.init) {
        Relationship("pinned", \.pinned)
        Relationship("entries", \.entries)
        Relationship("people", \.byName)
        Relationship("checked", \.checked).skippingInvalidElements
        Relationship(.value, \.owner, Mapping(Person.self) { Attribute("owner_id", \.personID) })
    }
}

/// Finding objects by identity: one query for each entity, for any number of objects.
@Suite struct ContextFindingTests {
    let store: ManagedObjectStore
    let context: ObjectContext

    init() throws {
        store = try ManagedObjectStore(
            inMemory: ObjectModel(Ticket.self, Person.self, Board.self, TreeNode.self, TreeLeaf.self))
        context = ObjectContext(store)
    }

    /// Maps in a context without objects, and expects a number of queries.
    @discardableResult private func map<Model>(
        _ text: String, _ mapping: Mapping<Model>, each queries: Int, metadata: JSON = [:],
        _ log: StatementLog, location: SourceLocation = #_sourceLocation
    ) throws -> (ObjectContext, [Model]) {
        let other = ObjectContext(store)
        _ = log.take()
        let models = try other.map(text, with: mapping, options: MappingOptions(metadata: metadata))
        let statements = log.take()
        #expect(statements.count == queries, "\(statements)", sourceLocation: location)
        return (other, models)
    }

    @Test func `one query finds the objects of an entity at all levels, another the targets of connections`() throws {
        let boards = (0..<5).map { board in
            let tickets = (0..<6).map { #"{"name":"t","id":\#(board * 6 + $0),"assignee_id":\#($0)}"# }
            return #"{"tickets":[\#(tickets.joined(separator: ","))],"number":\#(board),"key":"B"}"#
        }
        let text = "[\(boards.joined(separator: ","))]"
        let people = "[\((0..<4).map { #"{"id":\#($0),"name":"P"}"# }.joined(separator: ","))]"
        let log = StatementLog(store)
        // Into an empty store: boards, tickets, and the people that they are connected with.
        let (first, _) = try map(text, Board.mapping, each: 3, log)
        _ = try first.map(people, with: Person.mapping)
        #expect(log.take().count == 1)
        try first.save()
        // The tickets of the boards are read too, because `.replace` compares them.
        let (second, found) = try map(text, Board.mapping, each: 4, log)
        #expect(second.insertedObjects.isEmpty && found.flatMap(\.tickets).map(\.ticketID) == Array(0..<30))
        #expect(found[4].tickets[3].assignee?.personID == 3 && found[4].tickets[4].assignee == nil)
        // Objects of the context are found by the same queries.
        let again = try second.map(text, with: Board.mapping)
        #expect(again.map(ObjectIdentifier.init) == found.map(ObjectIdentifier.init))
        _ = log.take()
        _ = try second.map(#"{"id":3,"name":"new"}"#, with: Ticket.mapping)
        #expect(log.take().count == 1 && found[0].tickets[3].name == "new")
    }

    @Test func `one query for each entity finds the objects in plain models, cases and roots`() throws {
        _ = try context.map("[\((1...9).map { #"{"id":\#($0)}"# }.joined(separator: ","))]", with: Ticket.mapping)
        _ = try context.map("[\((1...9).map { #"{"id":\#($0)}"# }.joined(separator: ","))]", with: Person.mapping)
        try context.save()
        let text =
            #"{"pinned":{"id":1},"entries":[{"kind":"ticket","id":2},{"person":{"id":3}},{"kind":"advertisement"}],"#
            + #""people":{"a":{"id":4},"b":{"id":5}},"checked":[{"id":6},{"id":7}],"owner_id":8}"#
        let log = StatementLog(store)
        let (other, models) = try map("[\(text),\(text)]", Dashboard.mapping, each: 2, log)
        #expect(other.insertedObjects.isEmpty && models.count == 2)
        #expect(models[0].pinned?.ticketID == 1 && models[1].byName["b"]?.personID == 5)
        #expect(models[0].checked.map(\.ticketID) == [6, 7] && models[0].owner?.personID == 8)
        #expect(models[0].entries.count == 2)

        let roots = PayloadMapping {
            Root("dashboard", Dashboard.mapping)
            Root("tickets", Ticket.mapping)
            Root("people", Person.mapping)
        }
        let third = ObjectContext(store)
        _ = log.take()
        let result = try third.map(
            #"{"tickets":[{"id":1},{"id":8}],"people":[{"id":3},{"id":9}],"dashboard":\#(text)}"#, with: roots)
        // One statement for each entity in all roots.
        #expect(log.take().count == 2 && third.insertedObjects.isEmpty && result[Ticket.self].count == 2)
    }

    @Test func `identities that are keys, in the parent, or metadata are found`() throws {
        let text =
            #"{"a":{"name":"A","code":"x","branches":{"b":{"leaves":[{"number":2}],"code":"y"}},"leaves":[{"number":1}]},"#
            + #""c":{"leaves":[{"number":1},{"number":3}],"code":"y"}}"#
        let log = StatementLog(store)
        for tree in [1, 2] {
            let other = ObjectContext(store)
            _ = try other.map(
                text, with: TreeNode.mapping, each: .member, options: MappingOptions(metadata: ["tree": .integer(tree)])
            )
            try other.save()
        }
        let other = ObjectContext(store)
        _ = log.take()
        let branches = try other.map(
            text, with: TreeNode.mapping, each: .member, options: MappingOptions(metadata: ["tree": 1]))
        let queries = log.take().filter { $0.contains("json_each(?) AS") }
        // Branches, and leaves.
        #expect(queries.count == 2 && other.insertedObjects.isEmpty)
        #expect(branches.map(\.key) == ["a", "c"] && branches[0].branches.map(\.key) == ["b"])
        #expect(branches[0].branches[0].leaves.map(\.owner) == ["y"] && branches[1].leaves.map(\.number) == [1, 3])
        #expect(try other.count(TreeNode.all) == 6 && other.count(TreeLeaf.all) == 4)
    }

    @Test func `texts of any kind are found, and searched by their index`() throws {
        let keys = ["", "é", "e\u{301}", "\"quoted\"", "a'b", "\\", "line\nbreak", "🫖", "nul\u{0}", "[1]"]
        let boards = keys.enumerated().map { #"{"number":\#($0),"key":\#(JSON.string($1).text)}"# }
        let text = "[\(boards.joined(separator: ","))]"
        _ = try context.map(text, with: Board.mapping)
        try context.save()
        let log = StatementLog(store)
        // One more for the text that SQLite cannot read from a JSON array.
        let (other, found) = try map(text, Board.mapping, each: 2, log)
        #expect(found.map(\.key) == keys && other.insertedObjects.isEmpty)
        _ = try ObjectContext(store).map(text, with: Board.mapping)
        _ = try ObjectContext(store).map(#"[{"id":1},{"id":2}]"#, with: Ticket.mapping)
        try log.expectNoScans(in: store, atLeast: 3)
    }

    @Test func `an object whose identity was changed or that is deleted is not found by the old one`() throws {
        let tickets = try context.map(#"[{"id":1},{"id":2},{"id":3}]"#, with: Ticket.mapping)
        try context.save()
        tickets[0].ticketID = 10
        context.delete(tickets[1])
        let again = try context.map(#"[{"id":1},{"id":2},{"id":3},{"id":10}]"#, with: Ticket.mapping)
        #expect(again[2] === tickets[2] && again[3] === tickets[0])
        #expect(again[0].managed.state == .inserted && again[1].managed.state == .inserted)
    }

    @Test func `faults are read by the query that finds them`() throws {
        let tickets = try context.map(#"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#, with: Ticket.mapping)
        try context.save()
        context.refresh()
        let log = StatementLog(store)
        let found = try context.map(#"[{"id":2},{"id":1}]"#, with: Ticket.mapping)
        #expect(found == tickets.reversed() && found.map(\.name) == ["b", "a"])
        #expect(log.take().count == 1)
    }

    @Test func `a payload that is nested too deeply is an issue`() throws {
        let text = String(repeating: #"{"branches":{"a":"#, count: 2000) + "{}" + String(repeating: "}}", count: 2000)
        let error = #expect(throws: MappingError.self) {
            _ = try context.map(
                #"{"a":\#(text)}"#, with: TreeNode.mapping, each: .member,
                options: MappingOptions(metadata: ["tree": 1]))
        }
        #expect(error?.issues.first?.found == "nesting deeper than 512 levels" && context.insertedObjects.isEmpty)
    }

    @Test func `a store that cannot be read is an issue at the first object`() throws {
        _ = try context.map(#"{"id":1}"#, with: Ticket.mapping)
        try context.save()
        let other = ObjectContext(store)
        store.close()
        let error = #expect(throws: MappingError.self) {
            _ = try other.map(#"[ {"id":1}, {"id":2}]"#, with: Ticket.mapping)
        }
        #expect(error?.issues.count == 1 && error?.issues[0].path == "$[0]" && error?.issues[0].column == 3)
    }
}
