import ExampleSupport
import Foundation
import ObjectMapping
import ObjectStore

let queries = Example(
    "queries", group: "Objects", "Conditions, sorts, counts and sums, checked by the compiler and answered by SQLite"
) { story in
    let context = ObjectContext(try ManagedObjectStore(inMemory: ObjectModel(Job.self, Worker.self)))
    try addJobs(to: context)
    story.say("Two classes, and a few objects in memory:")
    story.showCode("declaration")

    story.say("A query is a closure over properties and relationships. It includes changes that are not saved yet:")
    story.showCode("conditions")
    for line in try search(context) { story.show(line) }

    story.say("Counts and sums need no objects: SQLite computes them, with a row for each group:")
    story.showCode("aggregates")
    for line in try summarize(context) { story.show(line) }

    story.say("The query plan of SQLite, for tuning:")
    story.show(try context.explain(Job.where { $0.name == "Tea" }))
}

// snippet.declaration
private final class Job: ManagedObject {
    @Stored(.identity) var number = 0
    @Stored(.indexed) var name = ""
    @Stored var hours: Double? = nil
    @ToOne var worker: Worker?
}

private final class Worker: ManagedObject {
    @Stored(.identity) var name = ""
    @ToMany(inverse: \Job.worker) var jobs: [Job]
}
// snippet.end

// snippet.conditions
private func search(_ context: ObjectContext) throws -> [String] {
    let long = try context.fetch(Job.where { $0.hours > 2 || $0.name.hasPrefix("T") }.sorted(by: \.name))
    let ann = try context.fetch(Job.where { $0.worker.name == "Ann" }.sorted { $0.hours.descending }.limit(1))
    let busy = try context.fetch(Worker.where { $0.jobs.count > 1 && $0.jobs.any { $0.hours == nil } })
    return [
        "long: \(long.map(\.name))", "Ann's longest: \(ann.map(\.name))", "busy: \(busy.map(\.name))",
    ]
}
// snippet.end

// snippet.aggregates
private func summarize(_ context: ObjectContext) throws -> [String] {
    let hours = try context.aggregate(Job.all, by: { $0.worker.name }) { ($0.rowCount(), $0.hours.sum()) }
    return hours.map { "\($0.key ?? "nobody"): \($0.values.0) jobs, \($0.values.1) hours" }
}
// snippet.end

private func addJobs(to context: ObjectContext) throws {
    let (ann, bob) = (Worker(in: context), Worker(in: context))
    (ann.name, bob.name) = ("Ann", "Bob")
    for (number, name, hours, worker) in [
        (1, "Kettle", 3.5, ann), (2, "Tea", nil, ann), (3, "Cups", 1, bob), (4, "Table", 8, nil),
    ] as [(Int, String, Double?, Worker?)] {
        let job = Job(in: context)
        (job.number, job.name, job.hours, job.worker) = (number, name, hours, worker)
    }
    try context.save()
}
