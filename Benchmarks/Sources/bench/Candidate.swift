import Foundation
import ObjectMapping

/// A way to create models from a text, with the measured operation and the checksum of its models.
struct Candidate {
    /// Decodes and frees the models; returns their number.
    let run: (Data) throws -> Int
    /// Decodes; returns a checksum over every value of the models.
    let checksum: (Data) throws -> UInt32

    private init<Model: Checksummed>(_ decode: @escaping (Data) throws -> [Model]) {
        run = { try decode($0).count }
        checksum = { data in
            var checksum = Checksum()
            for model in try decode(data) { model.add(to: &checksum) }
            return checksum.value
        }
    }

    /// A candidate that writes models; its checksum is that of the values in the written text.
    private init(writing write: @escaping ([TextTask]) throws -> Data) {
        var tasks: [TextTask] = []
        run = { _ in try write(tasks).count }
        checksum = { data in
            tasks = try JSONDecoder().decode([TextTask].self, from: data)
            var checksum = Checksum()
            for task in try JSONDecoder().decode([TextTask].self, from: write(tasks)) { task.add(to: &checksum) }
            return checksum.value
        }
    }

    /// Returns the candidate for a peer and a shape of data; `nil` if the peer does not support the shape.
    init?(peer: String, shape: String) {
        switch (peer, shape) {
        case ("JSONDecoder", "tasks-dates"):
            self.init { try JSONDecoder.forDates.decode([DatedTask].self, from: $0) }
        case ("JSONDecoder", "tasks"): self.init { try JSONDecoder().decode([TextTask].self, from: $0) }
        case ("JSONDecoder", "citm"): self.init { try JSONDecoder().decode(Catalog.self, from: $0).performances }
        case ("JSONDecoder", "canada"): self.init { try JSONDecoder().decode(Canada.self, from: $0).features }
        case ("JSONDecoder", "twitter"): self.init { try JSONDecoder().decode(Twitter.self, from: $0).statuses }

        case ("MappingDecoder", "tasks-dates"):
            self.init { try MappingDecoder.forDates.decode([DatedTask].self, from: $0) }
        case ("MappingDecoder", "tasks"): self.init { try MappingDecoder().decode([TextTask].self, from: $0) }
        case ("MappingDecoder", "citm"): self.init { try MappingDecoder().decode(Catalog.self, from: $0).performances }
        case ("MappingDecoder", "canada"): self.init { try MappingDecoder().decode(Canada.self, from: $0).features }
        case ("MappingDecoder", "twitter"): self.init { try MappingDecoder().decode(Twitter.self, from: $0).statuses }

        case ("structs", "tasks-dates"): self.init { try DatedTask.mapping.mapAll($0) }
        case ("structs", "tasks"): self.init { try TextTask.mapping.mapAll($0) }
        case ("structs", "citm"): self.init { try Performance.mapping.mapAll($0, at: "performances") }
        case ("structs", "canada"): self.init { try Feature.mapping.mapAll($0, at: "features") }
        case ("structs", "twitter"): self.init { try Status.mapping.mapAll($0, at: "statuses") }
        case ("fresh", "tasks-dates"): self.init { try DatedTask.makeMapping().mapAll($0) }
        case ("fresh", "tasks"): self.init { try TextTask.makeMapping().mapAll($0) }
        case ("parallel", "tasks-dates"): self.init { try DatedTask.mapping.mapAll($0, parallel: true) }
        case ("parallel", "tasks"): self.init { try TextTask.mapping.mapAll($0, parallel: true) }
        case ("elements", "tasks-dates"): self.init { try oneByOne($0) }
        case ("classes", "tasks-dates"): self.init { try TaskObject.mapping.mapAll($0) }
        case ("session", "tasks-dates"):
            self.init { try TaskObject.identifiedMapping.mapAll($0, in: MappingSession()) }
        case ("classes-of-structs", "tasks-dates"): self.init { try MadeTask.mapping.mapAll($0) }

        case ("JSONDecoder", "dynamic"): self.init { try JSONDecoder().decode([FeedItem].self, from: $0) }
        case ("structs", "dynamic"): self.init { try FeedItem.mapping.mapAll($0) }
        case ("JSONDecoder", "dynamic-nested"): self.init { try JSONDecoder().decode([FeedTask].self, from: $0) }
        case ("structs", "dynamic-nested"): self.init { try FeedTask.mapping.mapAll($0) }
        case ("JSONDecoder", "parent"): self.init { try JSONDecoder().decode([OwnerTask].self, from: $0) }
        case ("structs", "parent"): self.init { try OwnerTask.mapping.mapAll($0) }

        case ("JSONEncoder", "written"): self.init(writing: { try JSONEncoder().encode($0) })
        case ("structs", "written"): self.init(writing: { try TextTask.mapping.serialize($0) })

        // Not for canada: JSONSerialization rounds some of its numbers differently.
        case ("JSONSerialization", "tasks"): self.init { try objects($0).map(TextTask.init) }
        case ("JSONSerialization", "citm"): self.init { try objects($0, at: "performances").map(Performance.init) }
        case ("JSONSerialization", "twitter"): self.init { try objects($0, at: "statuses").map(Status.init) }
        default: return nil
        }
    }
}

extension MappingDecoder {
    static var forDates: MappingDecoder {
        let decoder = MappingDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }
}

extension JSONDecoder {
    static var forDates: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }
}

/// Tasks that are created individually.
private func oneByOne(_ data: Data) throws -> [DatedTask] {
    let elements = DatedTask.mapping.elements(of: data)
    var tasks: [DatedTask] = []
    while let task = try elements.next() { tasks.append(task) }
    return tasks
}

/// The objects of an array, as JSONSerialization creates them.
private func objects(_ data: Data, at key: String? = nil) throws -> [[String: Any]] {
    let value = try JSONSerialization.jsonObject(with: data)
    let array = key.flatMap { (value as? [String: Any])?[$0] } ?? value
    return array as? [[String: Any]] ?? []
}
