import ExampleSupport
import Foundation
import ObjectMapping

let streaming = Example(
    "streaming", group: "Mapping",
    "A dump larger than the memory of the process, read element by element"
) { story in
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("catalog-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("readings.json")
    let size = try writeReadings(150_000, to: file)
    story.say(
        """
        \(size / 1_000_000) MB of measurements are in a file, in a nested array, one of them broken. This process limits
        itself to \(memoryLimit >> 20) MB of memory, a third of the size:
        """)
    story.showCode("loop")

    let mean = try await meanTemperature(in: file)
    story.say("The loop reads every element, and memory does not grow with the file:")
    story.show(
        """
        \(mean.count) readings, mean \((mean.celsius * 100).rounded() / 100) °C
        memory grew by less than \(memoryLimit >> 20) MB
        """)
    story.say("The broken element was rejected, with its JSON and its position in the file:")
    for element in mean.rejected {
        story.show("\(element.path), \(element.json.count) bytes")
        for issue in element.issues { story.show("\(issue)") }
    }

    let lines =
        "{\"at\": \"2026-11-21T07:00:00Z\", \"celsius\": 4.5}\n{\"at\": \"2026-11-21T08:00:00Z\", \"celsius\": 6}\n"
    let parts = AsyncStream<Data> { stream in
        for start in stride(from: 0, to: lines.utf8.count, by: 16) {
            stream.yield(Data(lines.utf8.dropFirst(start).prefix(16)))
        }
        stream.finish()
    }
    story.say("A stream reads any sequence of bytes in any pieces. Here, 16 bytes at a time, one element per line:")
    for try await reading in Reading.mapping.stream(from: parts, each: .line) { story.show("\(reading.celsius) °C") }
}

// snippet.loop
func meanTemperature(in file: URL) async throws -> (count: Int, celsius: Double, rejected: [RejectedElement]) {
    let limit = residentBytes() + memoryLimit
    var (count, sum) = (0, 0.0)
    var rejected: [RejectedElement] = []
    let readings = Reading.mapping.stream(from: file, at: "export.readings", rejecting: { rejected.append($0) })
    for try await reading in readings {
        count += 1
        sum += reading.celsius
        if count % 10_000 == 0, residentBytes() > limit { throw TooMuchMemory() }
    }
    return (count, sum / Double(count), rejected)
}

struct Reading: Mappable {
    var at = Date(timeIntervalSince1970: 0)
    var celsius = 0.0
    static let mapping = Mapping(Reading.init) {
        Attribute("at", \.at).required
        Attribute("celsius", \.celsius).required
    }
}
// snippet.end

struct TooMuchMemory: Error {}

/// The memory limit, a fraction of the file size.
private let memoryLimit = 8 << 20

/// Writes a large dump and returns its size in bytes.
private func writeReadings(_ count: Int, to file: URL) throws -> Int {
    var text = #"{"export": {"station": "Pier 3", "readings": ["#
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    var size = 0
    for index in 0..<count {
        let celsius = index == 70_000 ? "\"warm\"" : "\(Double(index % 300) / 10 - 5)"
        text += index == 0 ? "\n" : ",\n"
        text += #"{"id": \#(index), "at": "2026-11-\#(10 + index % 20)T07:00:00Z", "celsius": \#(celsius), "#
        text += #""remark": "\#(String(repeating: "read by hand, ", count: 6))"}"#
        if text.utf8.count > 1 << 16 || index == count - 1 {
            if index == count - 1 { text += "\n]}}" }
            try handle.write(contentsOf: Data(text.utf8))
            size += text.utf8.count
            text = ""
        }
    }
    try handle.close()
    return size
}

/// The memory of the process in bytes, or 0 if it is unknown.
private func residentBytes() -> Int {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return 0 }
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first).flatMap { Int($0) }.map { $0 << 10 } ?? 0
}
