import Foundation
import RequestQueue

/// The head of a response is refused, or its fields are unambiguous; and type, length, cookies and location can be
/// read.
func fuzzHead(_ text: LentText) {
    var reader = ResponseHeadReader(limit: 200 + text.hash)
    var rest = text.bytes[...]
    do throws(TransportFailure) {
        while !rest.isEmpty {
            let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
            let head = try reader.read(RawSpan(_unsafeBytes: rest[..<end]))
            rest = rest[end...]
            if let head { check(head, body: Data(rest)) }
            expect(reader.isComplete || head == nil, "an incomplete head")
        }
    } catch {
        expect(!error.cause.isEmpty, "a failure that says nothing")
    }
}

private func check(_ head: ResponseHead, body: Data) {
    expect((200...999).contains(head.status), "the status \(head.status)")
    for field in head.headers {
        expect(!field.name.isEmpty, "a field without a name")
        expect(!field.name.utf8.contains { $0 <= 0x20 || $0 == 0x3A || $0 == 0x7F }, "the name '\(field.name)'")
        expect(!field.value.utf8.contains { $0 == 0x0A || $0 == 0x0D }, "a line end in '\(field.value)'")
        expect(head.headers[field.name] != nil && !head.headers.values(for: field.name).isEmpty, "a field is lost")
    }
    guard let url = URL(string: "http://a.example/b/c?d") else { return }
    let response = RESTResponse(status: head.status, headers: head.headers, body: body, url: url)
    expect(!response.description.contains("\n"), "a description of two lines")
    if let type = response.mimeType { expect(!type.isEmpty && !type.contains(";"), "the type '\(type)'") }
    if let set = response.charset { expect(!set.contains("\""), "the character set '\(set)'") }
    if let location = response.location { expect(location.scheme != nil, "a relative location") }
    _ = (response.text, response.isJSON, response.isXML, response.contentLength, response.cookies)
}
