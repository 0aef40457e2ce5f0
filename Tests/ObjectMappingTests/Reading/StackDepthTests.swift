import ObjectMapping
import TestSupport
import Testing

private final class Clerk: Mappable {
    var id = 0
    var name = ""
    var boss: Clerk?
    var team: [Clerk] = []
    static let mapping = Mapping(Clerk.init) {
        Attribute("id", \.id)
        Attribute("name", \.name)
        Relationship("boss", \.boss)
        Relationship("team", \.team)
    }

    static func ofDepth(_ depth: Int) -> Clerk {
        let first = Clerk()
        var last = first
        for _ in 1..<depth {
            let boss = Clerk()
            last.boss = boss
            last = boss
        }
        return first
    }
}

private final class Member: Mappable {
    var id = 0
    var boss: Member?
    var team: [Member] = []
    static let mapping = Mapping(Member.init) {
        Attribute("id", \.id)
        Relationship("boss", \.boss)
        Relationship("team", \.team)
    }
    .identified(by: \.id)
}

private struct Branch: Mappable {
    var name = ""
    var branches: [Branch] = []
    static let mapping = Mapping(Branch.init) {
        Attribute("name", \.name)
        Relationship("team", \.branches)
    }
}

private struct Folder: Mappable {
    var folders: [String: Folder] = [:]
    static let mapping = Mapping(Folder.init) { Relationship("boss", \.folders) }
}

private final class Choice: Mappable {
    var boss: Choice?
    static let mapping: Mapping<Choice> = Mapping(matching: {
        Match("kind", is: "a", plain)
        Otherwise(plain)
    })
    static let plain = Mapping(Choice.init) { Relationship("boss", \.boss) }
}

/// The nesting that fits on a thread with 512 KB, the size of secondary threads on Apple's platforms.
@Suite struct StackDepthTests {
    enum Operation: CaseIterable {
        case toOne, toMany, elements, update, structs, dictionary, identified, identifiedList, session, match

        /// The levels that fit at least; with identities and conditions, each level needs more.
        var levels: Int {
            switch self {
            case .toOne, .toMany, .structs: 200
            case .elements, .update: 190
            case .dictionary, .identified, .identifiedList, .session, .match: 100
            }
        }
    }

    @Test(arguments: Operation.allCases) func `Hundreds of levels are read on a thread of 512 KB`(
        _ operation: Operation
    ) throws {
        #expect(try StackDepthTests.depth(of: operation, upTo: operation.levels) == operation.levels)
    }

    /// Returns the levels of nesting that succeed, up to a number.
    private static func depth(of operation: Operation, upTo limit: Int) throws -> Int {
        var (low, high) = (0, limit)
        while low < high {
            let depth = (low + high + 1) / 2
            let isDone = try onSmallStack(kilobytes: 512) { (try? run(operation, depth)) != nil }
            if isDone { low = depth } else { high = depth - 1 }
        }
        return low
    }

    private static func run(_ operation: Operation, _ depth: Int) throws {
        func nested(_ open: String, _ close: String, _ end: String, _ count: Int = depth) -> String {
            String(repeating: open, count: count) + end + String(repeating: close, count: count)
        }
        let chain = nested(#"{"id":1,"name":"a","boss":"#, "}", "null")
        let lists = nested(#"{"id":1,"name":"a","team":["#, "]}", "", depth / 2)
        let numbered = (0..<depth).map { #"{"id":\#($0),"boss":"# }.joined() + nested("", "}", "null")
        switch operation {
        case .toOne: _ = try Clerk.mapping.map(chain)
        case .toMany: _ = try Clerk.mapping.map(lists)
        case .elements: _ = try Clerk.mapping.mapAll("[\(chain)]")
        case .update:
            let worker = Clerk.ofDepth(depth)
            try Clerk.mapping.update(worker, from: chain)
        case .structs: _ = try Branch.mapping.map(lists)
        case .dictionary: _ = try Folder.mapping.map(nested(#"{"boss":{"a":"#, "}}", "null", depth / 2))
        case .identified: _ = try Member.mapping.map(chain)
        case .identifiedList: _ = try Member.mapping.map(lists)
        case .session: _ = try Member.mapping.map(numbered, in: MappingSession())
        case .match: _ = try Choice.mapping.map(chain)
        }
    }
}
