import ExampleSupport
import Foundation
import ObjectMapping
import ObjectStore

let observation = Example(
    "observation", group: "Objects",
    "A live list in the terminal, with sections and differences, that follows imports and background saves"
) { story in
    story.say("A board shows the next departures of a station, by platform:")
    story.showCode("declaration")
    let store = try ManagedObjectStore(inMemory: ObjectModel(Departure.self))
    try await importDepartures(timetable[0], into: store)

    story.say(
        """
        The board observes a query. It shows the objects again after each commit that changes them. The \
        differences are the positions that animated lists require:
        """)
    story.showCode("board")

    story.say("Meanwhile, an import brings delays and a new train, and a background task removes one that left:")
    story.showCode("writers")
    for line in try await runBoard(store) { story.show(line) }
}

private let timetable = [
    #"""
    [{ "id": 1, "time": "10:05", "platform": 1, "to": "Bath" }, { "id": 2, "time": "10:09", "platform": 2, "to": "York" },
     { "id": 3, "time": "10:15", "platform": 1, "to": "Hull" }]
    """#,
    #"[{ "id": 1, "time": "10:20" }, { "id": 4, "time": "10:12", "platform": 2, "to": "Ely" }]"#,
]

// snippet.declaration
private final class Departure: ManagedObject, Mappable {
    @Stored(.identity) var id = 0
    @Stored var time = ""
    @Stored var platform = 0
    @Stored var destination = ""

    static let mapping = Mapping(Departure.self) {
        Attribute("id", \.id)
        Attribute("time", \.time)
        Attribute("platform", \.platform)
        Attribute("to", \.destination)
    }
}
// snippet.end

private func importDepartures(_ list: String, into store: ManagedObjectStore) async throws {
    _ = try await store.importJSON(Data(list.utf8), with: Departure.mapping)
}

// snippet.board
@MainActor private func showBoard(
    _ store: ManagedObjectStore, steps: Int, afterEach: () async throws -> Void
) async throws -> [String] {
    let departures = Departure.all.sorted(by: \.platform).sorted(by: \.time)
    var lines: [String] = []
    for try await change in store.mainContext.observe(departures, sectionedBy: { "platform \($0.platform)" }) {
        for section in change.sections {
            let trains = change.objects[section.range].map { "\($0.time) \($0.destination)" }
            lines.append("\(section.name): \(trains.joined(separator: ", "))")
        }
        let moves = change.moved.map { "\($0.from) to \($0.to)" }
        lines.append(
            "  inserted \(change.inserted), deleted \(change.deleted), moved \(moves), updated \(change.updated)")
        try await afterEach()
        if lines.filter({ $0.hasPrefix("  ") }).count == steps { break }
    }
    return lines
}
// snippet.end

// snippet.writers
@MainActor private func runBoard(_ store: ManagedObjectStore) async throws -> [String] {
    var writers: [() async throws -> Void] = [
        { try await importDepartures(timetable[1], into: store) },
        {
            try await store.perform { context in
                if let train = try context.find(Departure.self, 2) { context.delete(train) }
                try context.save()
            }
        },
    ]
    return try await showBoard(store, steps: 3) {
        if !writers.isEmpty { try await writers.removeFirst()() }
    }
}
// snippet.end
