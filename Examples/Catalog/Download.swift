import ExampleSupport
import Foundation
import LoopbackServer
import RequestQueue

let download = Example(
    "download", group: "Requests", "A downloaded file is complete, or it does not exist and the error has the reason"
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
    /// The outcome of a download in one line, without parts that differ from run to run.
    func attempt(_ target: String) async throws -> String {
        do {
            let response = try await client.download(target, to: map)
            return "status \(response.status): \(response.text ?? "")"
        } catch {
            return error.kind == .truncatedResponse
                ? "\(error.kind), after \(error.bytesReceived) bytes" : "\(error.kind)"
        }
    }

    story.say("A large file is written to disk while it arrives. Memory does not grow with its size:")
    story.showCode("download")

    let response = try await fetch("/bytes?n=3000000&bps=6000000", to: map, with: client)
    let bytes = try Data(contentsOf: map)
    let expected = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) })
    story.say("The file has the bytes of the server:")
    story.show("status \(response.status), \(bytes.count) bytes, \(bytes == expected ? "all equal" : "DIFFERENT")")
    story.show("in the folder: \(try listing())")
    try FileManager.default.removeItem(at: map)

    story.say(
        """
        Many programs mistake a connection that is closed too early for the end of the file. This server announces
        a million bytes and sends 300,000:
        """)
    story.show(try await attempt("/truncate?len=1000000&sent=300000"))
    story.show("in the folder: \(try listing())")

    story.say("This server sends a truncated compressed file. The number of bytes is as announced:")
    story.show(try await attempt("/gzip-bad?mode=trunc"))
    story.show("in the folder: \(try listing())")

    story.say("This server does not have the file. Its response is returned, but not written to the file:")
    story.show(try await attempt("/status/404?body=gone"))
    story.show("in the folder: \(try listing())")

    story.say("So a file that exists is complete. An app needs no other check.")
}

// snippet.download
func fetch(_ path: String, to file: URL, with client: RESTClient) async throws -> RESTResponse {
    let bar = ProgressBar()
    return try await client.request(.get, path)
        .onProgress { bar.show($0.fractionCompleted) }
        .download(to: file)
}
// snippet.end
