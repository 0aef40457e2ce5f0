import MappingDigests
import Foundation
import LoopbackServer
import RequestQueue

/// An independent strict reader reads a written form: the same names, files and bytes, and nothing else.
///
/// Bytes 0xFF separate the fields; in each, 0xFE separates name, file name, type and content.
func fuzzMultipart(_ text: LentText) {
    let params = Params { "boundary" }
    var wanted: [(name: String, fileName: String?, content: Data)] = []
    for field in text.bytes.split(separator: 0xFF).prefix(20) {
        let pieces = field.split(separator: 0xFE, maxSplits: 3, omittingEmptySubsequences: false)
        func text(_ index: Int) -> String? {
            pieces.count > index + 1 && !pieces[index].isEmpty ? String(decoding: pieces[index], as: UTF8.self) : nil
        }
        let content = Data(pieces[pieces.count - 1])
        let (name, fileName) = (text(0) ?? "", text(1))
        params.set(data: content, fileName: fileName, mimeType: text(2), for: name)
        wanted.append((name, fileName, content))
    }
    // The strict reader refuses a form without a part.
    if wanted.isEmpty { return }
    do {
        guard let stream = try params.makeBodyStream() else { return }
        var judge = MultipartJudge(boundary: params.boundary, isHashing: true)
        var count: Int64 = 0
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 + text.hash % 97, alignment: 1)
        defer { buffer.deallocate() }
        var parts: [FormPart] = []
        do {
            while case .bytes(let read) = try read(stream, into: buffer) {
                count += Int64(read)
                try judge.take(UnsafeRawBufferPointer(rebasing: buffer[..<read]))
            }
            parts = try judge.finish()
        } catch { fatalError("\(error)") }
        expect(count == params.contentLength, "\(count) bytes, \(String(describing: params.contentLength)) declared")
        expect(parts.count == wanted.count, "\(parts.count) parts instead of \(wanted.count)")
        for (part, wanted) in zip(parts, wanted) {
            expect(part.name == shown(wanted.name), "the name \(part.name) instead of \(wanted.name)")
            expect(part.filename == wanted.fileName.map(shown), "the file \(String(describing: part.filename))")
            expect(part.size == wanted.content.count, "\(part.size) bytes of \(wanted.content.count)")
            expect(part.sha256 == SHA256.hex(of: wanted.content), "other bytes")
        }
    } catch {
        let isTyped = (error as? RequestError).map { $0.kind == .invalidBody && !$0.cause.isEmpty } ?? false
        expect(isTyped, "\(error)")
    }
}

/// A name as read by servers: the HTML standard's escapes cannot be distinguished from the escaped characters.
private func shown(_ name: String) -> String {
    [("%22", "\""), ("%0D", "\r"), ("%0A", "\n")].reduce(name) { $0.replacing($1.0, with: $1.1) }
}

private func read(_ stream: any BodyStream, into buffer: UnsafeMutableRawBufferPointer) throws -> BodyRead {
    var room = MutableRawSpan(_unsafeBytes: buffer)
    return try stream.read(into: &room)
}
