import Foundation
import RequestQueue
import TestSupport

extension Fault {
    /// Files that change while they are sent: an error, and never a complete body at the server.
    static let files: [Fault] = [
        changing("is truncated") { try $0.truncate(atOffset: 1 << 20) },
        changing("grows") { file in
            try file.seekToEnd()
            try file.write(contentsOf: Data(repeating: 9, count: 1000))
        },
        changing("is overwritten") { file in
            try file.seek(toOffset: 15 << 20)
            try file.write(contentsOf: Data(repeating: 9, count: 1000))
        },
        Fault("F21", "a file that is deleted while it is sent", on: [.loopback, .independent], count: 8, quickCount: 2)
        { trial in
            await trial.repeated(atOnce: 4) { _ in
                let folder = try TemporaryDirectory()
                try await trial.upload(folder) { try FileManager.default.removeItem(at: $0) }
            }
        },
        Fault(
            "F21", "a file that is replaced while it is sent", on: [.loopback, .independent], count: 8,
            quickCount: 2
        ) {
            trial in
            await trial.repeated(atOnce: 4) { _ in
                let folder = try TemporaryDirectory()
                let other = try folder.write(Data(repeating: 9, count: 16 << 20), to: "other")
                try await trial.upload(folder) { file in
                    guard rename(other.path, file.path) == 0 else { throw ServerError("not renamed") }
                }
            }
        },
        Fault("F21", "a file that is deleted before it is sent", on: [.loopback]) { trial in
            await trial.repeated { _ in
                let (folder, params) = (try TemporaryDirectory(), Params())
                let file = try folder.write("text", to: "film")
                try params.set(file: file, for: "film")
                try FileManager.default.removeItem(at: file)
                await trial.send(.post, "/upload") { $0.setBody(params) }
                    .expectFailure([.bodyUnreadable, .bodyChanged], in: trial)
            }
        },
        Fault("F21", "a missing file, a folder, an unreadable file", on: [.none], count: 1) { trial in
            let folder = try TemporaryDirectory()
            for path in [folder.file("none"), folder.url, URL(fileURLWithPath: "/dev/null")] {
                do throws(RequestError) {
                    try Params().set(file: path, for: "film")
                    trial.fail("\(path.path) was accepted")
                } catch {
                    trial.expect(error.kind == .bodyUnreadable && error.cause.contains(path.path), "\(error)")
                }
            }
        },
    ]
}

private func changing(_ name: String, _ change: @escaping @Sendable (FileHandle) throws -> Void) -> Fault {
    Fault("F21", "a file that \(name) while it is sent", count: 8, quickCount: 2) { trial in
        await trial.repeated(atOnce: 4) { _ in
            let folder = try TemporaryDirectory()
            try await trial.upload(folder) { url in
                let file = try FileHandle(forUpdating: url)
                defer { try? file.close() }
                try change(file)
            }
        }
    }
}

extension Trial {
    /// Uploads 16 MiB to a server that reads slowly, and changes the file after some bytes.
    fileprivate func upload(
        _ folder: TemporaryDirectory, _ change: @escaping @Sendable (URL) throws -> Void
    ) async throws {
        let file = try folder.write(Data(repeating: 1, count: 16 << 20), to: "film")
        let params = Params()
        try params.set(file: file, for: "film")
        var request = request(.post, "/sink?hash=0&bps=32000000")
        request.setBody(params)
        let watch = Changer { do { try change(file) } catch { self.fail("\(error)") } }
        request.delegate = watch
        let outcome = await send(request)
        expect(watch.hasChanged, "the file was not changed while it was sent")
        outcome.expectFailure([.bodyChanged, .bodyUnreadable], in: self)
        let length = params.contentLength ?? 0
        expect(outcome.error.map { $0.bytesSent < length } ?? true, "it was sent completely: \(outcome)")
    }
}

/// Calls a function once, when a request has sent some bytes.
private final class Changer: RequestDelegate {
    private let change: OneCall

    init(_ change: @escaping @Sendable () -> Void) { self.change = OneCall(change) }

    var hasChanged: Bool { change.isDone }

    func request(_ request: RESTRequest, didProgress progress: RequestProgress) {
        if progress.bytesSent > 1 << 20 { change() }
    }
}
