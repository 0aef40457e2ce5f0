import ExampleSupport
import Foundation
import LoopbackServer
import RequestQueue

let download = Example(
    "download", group: "Requests", "A file that is there whole, or not at all and with the reason"
) { story in
    let server = try LoopbackServer()
    let client = RESTClient(baseURL: server.url)
    let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "catalog-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func listing() throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return names.isEmpty ? "(nothing)" : names.joined(separator: ", ")
    }

    let map = folder.appending(path: "map.bin")
    /// What becomes of a download, in a line without what is another each time.
    func attempt(_ target: String) async throws -> String {
        do {
            let response = try await client.download(target, to: map)
            return "status \(response.status): \(response.text ?? "")"
        } catch {
            return error.kind == .truncatedResponse
                ? "\(error.kind), after \(error.bytesReceived) bytes" : "\(error.kind)"
        }
    }

    story.say("A large file goes straight to the disk, in memory that does not grow with it:")
    story.showCode("download")

    let response = try await fetch("/bytes?n=3000000&bps=6000000", to: map, with: client)
    let bytes = try Data(contentsOf: map)
    let expected = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) })
    story.say("It has the server's bytes:")
    story.show("status \(response.status), \(bytes.count) bytes, \(bytes == expected ? "all equal" : "DIFFERENT")")
    story.show("in the folder: \(try listing())")
    try FileManager.default.removeItem(at: map)

    story.say(
        """
        A connection that ends too soon looks like the end of a file to many a program. This server announces a million
        bytes and sends 300,000:
        """)
    story.show(try await attempt("/truncate?len=1000000&sent=300000"))
    story.show("in the folder: \(try listing())")

    story.say("This one sends a compressed file that is cut, though as many bytes come as were announced:")
    story.show(try await attempt("/gzip-bad?mode=trunc"))
    story.show("in the folder: \(try listing())")

    story.say("And this one has no such file. That is a response, but what it tells is no map:")
    story.show(try await attempt("/status/404?body=gone"))
    story.show("in the folder: \(try listing())")

    story.say("So a file that is there is whole. An app that finds one need not ask whether its download went well.")
}

// snippet.download
func fetch(_ path: String, to file: URL, with client: RESTClient) async throws -> RESTResponse {
    let bar = ProgressBar()
    return try await client.request(.get, path)
        .onProgress { bar.show($0.fractionCompleted) }
        .download(to: file)
}
// snippet.end
