import ExampleSupport
import Foundation
import ObjectMapping
import ObjectStore
import Synchronization

let importExample = Example(
    "import", group: "Objects",
    "A dump is imported into an app's store, twice: with progress, in batches, without objects"
) { story in
    let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "catalog-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let dump = folder.appending(path: "stops.json")
    try writeDump(to: dump)
    let store = try ManagedObjectStore(at: folder.appending(path: "app.sqlite"), model: ObjectModel(Stop.self))

    story.say("The mapping of a class reads a dump of any size. Memory does not grow with the file:")
    story.showCode("declaration")

    story.say("Each batch is one transaction: written completely or not at all. Progress arrives after each of them:")
    story.showCode("importing")
    for line in try await importStops(from: dump, into: store) { story.show(line) }

    story.say(
        """
        The second import finds the rows by their identity. Equal rows are not written, so an app can import the whole \
        dump again after each release:
        """)
    try writeDump(to: dump, renaming: 4711)
    for line in try await importStops(from: dump, into: store) { story.show(line) }

    story.say("An issue has the position in the dump. The batches before it are in the store, its own batch is not:")
    try writeDump(to: dump, count: 12_000, breaking: 11_234)
    do {
        _ = try await importStops(from: dump, into: store)
    } catch let error as ImportError {
        story.show("\(error)")
    }
    story.show("\(try await store.perform { try $0.count(Stop.all) }) stops")

    story.say("Or the elements with issues are left out, and listed:")
    story.showCode("skipping")
    story.show(try await importSoundStops(from: dump, into: store))
}

// snippet.declaration
private final class Stop: ManagedObject, Mappable {
    @Stored(.identity) var number = 0
    @Stored(.indexed) var name = ""
    @Stored var zone: Int? = nil

    static let mapping = Mapping(Stop.self) {
        Attribute("id", \.number)
        Attribute("name", \.name)
        Attribute("fare.zone", \.zone)
    }
}
// snippet.end

// snippet.importing
private func importStops(from dump: URL, into store: ManagedObjectStore) async throws -> [String] {
    let lines = Mutex<[String]>([])
    let report = try await store.importJSON(dump, with: Stop.mapping, at: "stops", commit: .every(4000)) { report in
        lines.withLock { $0.append("\(report.elements) of the dump are in the store") }
    }
    let stops = report["Stop"]
    return lines.withLock { $0 } + [
        "\(stops?.inserted ?? 0) inserted, \(stops?.updated ?? 0) updated, \(stops?.unchanged ?? 0) unchanged"
    ]
}
// snippet.end

// snippet.skipping
private func importSoundStops(from dump: URL, into store: ManagedObjectStore) async throws -> String {
    let report = try await store.importJSON(
        dump, with: Stop.mapping, at: "stops", commit: .every(4000), skipsInvalidElements: true)
    return "\(report.elements) imported, \(report.skipped) skipped: \(report.issues.map(\.description))"
}
// snippet.end

/// Writes a dump of stops.
///
/// - Parameters:
///   - renamed: The stop with another name.
///   - broken: The stop whose zone is not a number.
private func writeDump(to file: URL, count: Int = 10_000, renaming renamed: Int = 0, breaking broken: Int = 0) throws {
    let stops = (1...count).map { number in
        let zone = number == broken ? "\"centre\"" : "\(number % 9)"
        let name = number == renamed ? "Harbour" : "Stop \(number)"
        return #"{ "id": \#(number), "name": "\#(name)", "fare": { "zone": \#(zone) } }"#
    }
    try Data("{ \"stops\": [\n\(stops.joined(separator: ",\n"))\n] }\n".utf8).write(to: file)
}
