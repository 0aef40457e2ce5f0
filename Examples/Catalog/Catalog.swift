import ExampleSupport
import ObjectMapping

/// All examples, and the command line that runs them.
enum Catalog {
    /// All examples in the order of the list; the examples of a group are adjacent.
    static let examples = [
        keyValueMapping, relationshipMapping, dynamicMapping, immutableStructs, codable, primaryKeyWiring,
        serialization, streaming, parallelMapping, diagnosis, seedDatabase, seedProgress, seedCheck, manifestDraft,
        seedModels, isoCodes, objectStore, relationships, queries, seededApp, automagicRelationships, importExample,
        sync, contexts, conflicts, observation, migration, searchExample, seedUpgrade, untyped, activeRecord,
        customStore,
        httpToModels, params, download, streamingResponse, httpCache, authentication, adapters, retries, requestQueue,
        backgroundRequests, reachability, stubTransport, tlsPinning, objectManager, routes, errorMapping, railsCrud,
        pagination, listModel, offline, pruning, incrementalStore, activeResource, associations, resourceErrors,
        dynamicResource, railsBlog,
    ]

    static let usage = """
        usage: catalog                   list the examples
               catalog NAME              run one
               catalog NAME --source     show its code
               catalog all               run all of them
        """

    /// A mistake in the command line.
    struct UsageError: Error { let message: String }

    /// Runs the command line.
    static func run(_ arguments: [String]) async throws {
        switch arguments.count {
        case 0: list()
        case 1 where ["-h", "--help", "help"].contains(arguments[0]): print(usage)
        case 1 where arguments[0] == "all": try await runAll()
        case 1: try await example(named: arguments[0]).run()
        case 2 where arguments[1] == "--source": print(try example(named: arguments[0]).source.text, terminator: "")
        case 2 where arguments[0] == "--source": print(try example(named: arguments[1]).source.text, terminator: "")
        case 2 where examples.contains { $0.name == arguments[0] && $0.options.contains(arguments[1]) }:
            try await example(named: arguments[0]).run()
        default: throw UsageError(message: "'\(arguments.joined(separator: " "))' is not understood\n\(usage)")
        }
    }

    private static func list() {
        let width = examples.map(\.name.count).max() ?? 0
        var group: String?
        for example in examples {
            if example.group != group { print(group == nil ? example.group : "\n" + example.group) }
            group = example.group
            let gap = String(repeating: " ", count: width - example.name.count + 2)
            print("  " + example.name + gap + example.summary)
        }
        print("\nRun one with `swift run catalog NAME`, see its code with `swift run catalog NAME --source`.")
    }

    private static func runAll() async throws {
        for (index, example) in examples.enumerated() {
            if index > 0 { print("\n" + String(repeating: "-", count: 100) + "\n") }
            try await example.run()
        }
    }

    private static func example(named name: String) throws -> Example {
        if let example = examples.first(where: { $0.name == name }) { return example }
        let near = nearestNames(to: name, among: examples.map(\.name)).first
        let hint = near.map { "; did you mean '\($0)'?" } ?? "; `catalog` lists them"
        throw UsageError(message: "no example '\(name)'" + hint)
    }
}
