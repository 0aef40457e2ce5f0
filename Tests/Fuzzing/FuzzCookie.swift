import Foundation
import RequestQueue

private let urls = [
    "https://a.b.example/c/d", "http://a.b.example/c/d", "http://b.example/", "https://127.0.0.1/", "http://[::1]/c",
    "https://example/c%20d/",
].compactMap { URL(string: $0) }

/// Cookies that lines of a text set, from any host: each is sent only where it is allowed, and in one line.
func fuzzCookie(_ text: LentText) {
    let store = CookieStore { Date(timeIntervalSince1970: 1_800_000_000) }
    var headers = HTTPHeaders()
    for line in text.bytes.split(separator: 0x0A) {
        headers.add(String(decoding: line, as: UTF8.self), for: "Set-Cookie")
    }
    let setter = urls[text.hash % urls.count]
    store.receive(headers, from: setter)

    let all = store.all
    expect(all.count <= 180, "\(all.count) cookies of a host")
    for cookie in all {
        expect(!cookie.name.isEmpty && cookie.path.hasPrefix("/"), "the cookie \(cookie)")
        expect(cookie.expires.map { $0.timeIntervalSince1970 > 1_800_000_000 } ?? true, "an expired cookie")
        let host = setter.host()?.lowercased() ?? ""
        let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        expect(bare == cookie.domain || bare.hasSuffix("." + cookie.domain), "\(cookie.domain) set by \(setter)")
        expect(!cookie.isSecure || setter.scheme == "https", "a secure cookie set by \(setter)")
        let made = Cookie(
            name: cookie.name, value: cookie.value, domain: cookie.domain, isHostOnly: cookie.isHostOnly,
            path: cookie.path, expires: cookie.expires, isSecure: cookie.isSecure, isHTTPOnly: cookie.isHTTPOnly)
        expect(made == cookie, "a cookie that cannot be made again: \(cookie)")
    }
    for url in urls {
        guard let header = store.header(for: url) else { continue }
        expect(!header.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }, "a control character in '\(header)'")
        let isSecure = url.scheme == "https"
        let most = all.filter { isSecure || !$0.isSecure }.map { $0.name.utf8.count + $0.value.utf8.count + 3 }
        expect(header.utf8.count + 2 <= most.reduce(0, +), "more is sent to \(url) than may be")
    }
}
