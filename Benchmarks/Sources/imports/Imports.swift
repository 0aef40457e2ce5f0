import Foundation
import ObjectMapping
import ObjectStore

/// Imports into a store compared with upserts by SQLite in C and by GRDB. `Benchmarks/run` calls it:
///
///     imports compare FOLDER DATA ROUNDS SLOW_ROUNDS    times, with the texts of `generate imports`
///     imports few FILE ROUNDS                           times of small imports into a large file
///     imports loading URL FOLDER ROUNDS                 loads of a service with the texts of `generate imports`
///     imports lists URL FOLDER ROUNDS                   pages, pruning and lists of such a service
///     imports lifecycle DATA FOLDER COUNT ROUNDS [CASE] migrations of COUNT rows, search, upgrades and observed queries
///     imports request URL                               requests the tasks of a service
///     imports load URL FILE                             loads the tasks of a service
///     imports open FILE                                 creates an empty store, to measure its memory
///     imports read FILE DATA EACH                       imports a folder of texts, with a commit after EACH elements
///     imports context|grdb FILE DATA                    maps and saves, or upserts, batches of 1,000 tasks
///
/// Each line of the output is a case, a number, a unit, and for each peer its name and the median of its rounds, separated
/// by tabs.
@main enum Imports {
    @MainActor static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let file = URL(fileURLWithPath: arguments.dropFirst().first ?? "")
        let data = URL(fileURLWithPath: arguments.dropFirst(2).first ?? "")
        let url = URL(string: arguments.dropFirst().first ?? "") ?? file
        let numbers = arguments.compactMap { Int($0) }
        switch (arguments.first, arguments.count, numbers.count) {
        case ("compare", 5, 2):
            try await Comparison(file, rounds: numbers[0], slowRounds: numbers[1]).run(data)
        case ("few", 3, 1):
            try await Comparison(file.deletingLastPathComponent(), rounds: numbers[0], slowRounds: numbers[0]).few(file)
        case ("loading", 4, 1):
            try await LoadingComparison(url, data, rounds: numbers[0]).run()
        case ("lists", 4, 1):
            try await LoadingComparison(url, data, rounds: numbers[0]).runLists()
        case ("lifecycle", 5...6, 2):
            let only = arguments.dropFirst(5).first
            try await LifecycleComparison(file, data, rounds: numbers[1]).run(numbers[0], only: only)
        case ("request", 2, _): try await LoadingComparison.load(url, into: nil)
        case ("load", 3, _): try await LoadingComparison.load(url, into: data)
        case ("open", 2, _): _ = try ManagedObjectStore.tasks(at: file)
        case ("read", 4, 1): try await read(data, into: .tasks(at: file), each: numbers[0])
        case ("context", 3, _): try writeBatches(of: data, ContextWriter(file))
        case ("grdb", 3, _):
            #if GRDB
                try writeBatches(of: data, GRDBWriter(file))
            #endif
        default:
            print("usage: imports compare|few|loading|lists|lifecycle|request|load|open|read|context|grdb FILE …")
            exit(64)
        }
    }

    /// Imports the files of a folder.
    private static func read(_ data: URL, into store: ManagedObjectStore, each count: Int) async throws {
        _ = try await store.importJSON(data.appending(path: "users.json"), with: User.mapping)
        _ = try await store.importJSON(data.appending(path: "projects.json"), with: Project.mapping)
        let tasks = data.appending(path: "tasks.json")
        _ = try await store.importJSON(tasks, with: ProjectTask.mapping, commit: .every(count))
        try store.checkpoint()
    }

    /// Writes the numbered files of a folder.
    @MainActor private static func writeBatches(of data: URL, _ writer: some BatchWriter) throws {
        try writer.write(Data(contentsOf: data.appending(path: "users.json")), .users)
        try writer.write(Data(contentsOf: data.appending(path: "projects.json")), .projects)
        for file in data.batches { try writer.write(Data(contentsOf: file), .tasks) }
    }
}
