import MappingDigests
import Foundation
import RequestQueue

/// A part of a form that must arrive.
struct FormPart: Sendable {
    let name: String
    let fileName: String?
    let size: Int
    let sha256: String

    init(_ name: String, fileName: String? = nil, _ bytes: Data) {
        self.name = name
        self.fileName = fileName
        size = bytes.count
        sha256 = SHA256.hex(of: bytes)
    }
}

extension Trial {
    /// Posts a form and reports a finding unless exactly these parts arrive with their bytes.
    func sendForm(_ params: Params, to target: String = "/upload", _ parts: [FormPart]) async {
        let outcome = await send(.post, target) { $0.setBody(params) }
        if outcome.response?.status == 501 { return }  // said in the beginning: Python's multipart is not there
        guard outcome.response?.status == 200, let found = outcome.answer["parts"] as? [[String: Any]] else {
            return fail("the server refused the form: \(outcome), \(outcome.answer["error"] ?? "without a reason")")
        }
        let framing = outcome.answer["framing"] as? String ?? "nothing"
        expect((framing == "chunked") == (params.contentLength == nil), "it was framed by \(framing)")
        expect(found.count == parts.count, "\(found.count) parts arrived instead of \(parts.count)")
        for (part, found) in zip(parts, found) { expect(part, found) }
    }

    private func expect(_ part: FormPart, _ found: [String: Any]) {
        let (name, fileName) = (found["name"] as? String, found["filename"] as? String)
        // One parser reverts the escapes of browsers, the other keeps them.
        expect(name == part.name || name == escaped(part.name), "the name \(part.name) became \(name ?? "none")")
        // Python's parser removes the folders of a Windows path.
        let isCut = part.fileName.map { $0.contains(":\\") && $0.hasSuffix("\\" + (fileName ?? "")) } ?? false
        expect(
            fileName == part.fileName || fileName == part.fileName.map(escaped) || isCut,
            "the file name \(part.fileName ?? "none") became \(fileName ?? "none")")
        expect(
            found["size"] as? Int == part.size, "\(part.name): \(found["size"] ?? "no") bytes instead of \(part.size)")
        expect(found["sha256"] as? String == part.sha256, "\(part.name): other bytes came")
        let fields = (found["headers"] as? [Any])?.count ?? 0
        expect(fields == (part.fileName == nil ? 1 : 2), "\(part.name): \(fields) header fields")
    }
}

/// Escapes a name like browsers (HTML Standard, multipart/form-data).
private func escaped(_ name: String) -> String {
    let escapes: [Unicode.Scalar: String] = ["\"": "%22", "\r": "%0D", "\n": "%0A"]
    return name.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
}
