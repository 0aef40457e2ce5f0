import ExampleSupport
import Foundation
import LoopbackServer
import ObjectMapping
import RequestQueue

let params = Example(
    "params", group: "Requests", "A form with two pictures and a film, sent from disk, with a progress bar"
) { story in
    let server = try LoopbackServer()
    let client = RESTClient(baseURL: server.url)
    let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "catalog-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let film = folder.appending(path: "harbour.mp4")
    try filmBytes.write(to: film)

    story.say("A form for a server: a title, two pictures in memory, and a film on disk.")
    story.showCode("form")

    let form = try filmForm(film)
    story.say("The type and length of the body are known before it is sent, so that a server can refuse it early:")
    story.show("Content-Type: multipart/form-data; boundary=(128 random bits)")
    story.show("Content-Length: \(form.contentLength ?? 0)")
    for part in form.attachments {
        story.show("\(part.name): \(part.contentLength ?? 0) bytes\(part.mimeType.map { " of \($0)" } ?? "")")
    }

    story.say("One call sends it. The film is read while it is sent; a film of 1 GiB needs no more memory:")
    story.showCode("upload")
    let received = try await upload(form, with: client)

    story.say("The server has its own parser of forms. Do the parts match what was sent?")
    let contents = [Data("Blue kettle".utf8), bluePicture, redPicture, filmBytes]
    for (part, content) in zip(received, contents) {
        let isEqual = part.sha256 == sha256(of: content)
        let file = part.fileName.map { " \($0) (\(part.contentType))" } ?? ""
        story.show("\(part.name):\(file) \(part.size) bytes, SHA-256 \(isEqual ? "equal" : "DIFFERENT")")
    }

    story.say(
        """
        Quotes and line breaks in a file name are escaped like in browsers, so a name cannot add another field. A film that
        becomes shorter while it is sent is an error, never a shorter film on the server:
        """)
    let cut = try filmForm(film)
    try filmBytes.prefix(1000).write(to: film)
    do {
        _ = try await upload(cut, with: client)
    } catch let error as RequestError {
        story.show("\(error.kind): \(error.cause.replacing(folder.path, with: "…"))")
    }
}

// snippet.form
func filmForm(_ film: URL) throws -> Params {
    let params = Params()
    params.set("Blue kettle", for: "title")
    params.set(data: bluePicture, fileName: "kettle.png", for: "image1")
    params.set(data: redPicture, fileName: "the \"red\" one.png", for: "image2")
    let film = try params.set(file: film, for: "film")
    film.fileName = "kettle, the film.mp4"
    return params
}
// snippet.end

// snippet.upload
func upload(_ form: Params, with client: RESTClient) async throws -> [ReceivedPart] {
    let bar = ProgressBar()
    let response = try await client.request(.post, "/upload", form)
        .onProgress { bar.show($0.fractionCompleted) }
        .send()
    return try ReceivedPart.mapping.mapAll(response.body, at: "parts")
}
// snippet.end

/// A part of a form, as parsed by the server.
struct ReceivedPart: Mappable {
    var name = ""
    var fileName: String?
    var contentType = ""
    var size = 0
    var sha256 = ""

    static let mapping = Mapping(ReceivedPart.init) {
        Attribute("name", \.name)
        Attribute("filename", \.fileName)
        Attribute("content_type", \.contentType)
        Attribute("size", \.size)
        Attribute("sha256", \.sha256)
    }
}

/// 3 MB of bytes in place of a film.
private let filmBytes = Data((1...300).flatMap { [UInt8](repeating: UInt8($0 % 256), count: 10_000) })

/// Two PNG images of 16 by 16 pixels.
private let bluePicture = picture(
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mPQCDhBEmIY1TCqYfhqAAB/t0AQQ7an9gAAAABJRU5ErkJggg==")
private let redPicture = picture(
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mM4oaFBEmIY1TCqYfhqAAB8MxgQ+iSj5QAAAABJRU5ErkJggg==")

private func picture(_ base64: String) -> Data { Data(base64Encoded: base64) ?? Data() }
