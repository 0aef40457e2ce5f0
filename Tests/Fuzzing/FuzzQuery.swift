import Foundation
import LoopbackServer
import RequestQueue

private let client = RESTClient(baseURL: URL(string: "http://a.example/base?x=y") ?? URL(fileURLWithPath: "/"))

/// An encoded form is parsed as equal, also by another reader; a path never leaves the base URL.
func fuzzQuery(_ text: LentText) {
    let string = String(decoding: text.bytes, as: UTF8.self)
    let value = FormValue(formEncoded: string)
    let encoded = value.formEncoded
    expect(encoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "the text \(encoded)")
    let entries = value.entries.map { ($0.name, $0.text ?? "") }
    let items = Query(encoded).items
    expect(
        entries.count == items.count && zip(entries, items).allSatisfy { $0.0 == $1.name && $0.1 == $1.value },
        "\(entries) became \(encoded), read as \(items)")

    let request = client.request(.get, string, query: ["k": string])
    guard let url = request.url else { return }
    let shown = url.absoluteString
    expect(shown.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "the URL \(shown)")
    guard !string.contains("://") else { return }
    expect(url.host() == "a.example" && url.scheme == "http", "another server: \(shown)")
    expect(shown.hasPrefix("http://a.example/base"), "out of the base URL: \(shown)")
    let query = Query(String(shown.drop { $0 != "?" }.dropFirst())).items
    expect(query.first?.name == "x" && query.last?.name == "k" && query.last?.value == string, "the query of \(shown)")
}
