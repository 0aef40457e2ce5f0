import Foundation
import RequestQueue

private let bases = [
    "http://a.example/b/c/d;p?q#f", "https://a.example", "http://user:word@[::1]:8080/b?c", "https://127.0.0.1:443/",
].compactMap { URL(string: $0) }

/// The target of any redirect is HTTP, has a host, and gets no credentials of another host.
func fuzzRedirect(_ text: LentText) {
    let base = bases[text.hash % bases.count]
    let status = [301, 302, 303, 307, 308][text.hash / 4 % 5]
    let location = String(decoding: text.bytes, as: UTF8.self)
    var request = TransportRequest(method: .post, url: base, headers: ["Authorization": "a", "Cookie": "b=c"])
    request.tls.clientCertificate = nil
    do throws(TransportFailure) {
        let head = ResponseHead(status: status, headers: ["Location": location])
        guard let redirect = try Redirect(head, to: request) else { return }
        let next = try redirect.request(after: request)
        let scheme = next.url.scheme?.lowercased()
        expect(scheme == "http" || scheme == "https", "the scheme of \(next.url)")
        expect(next.url.host(percentEncoded: true)?.isEmpty == false, "no host in \(next.url)")
        expect(next.url.user(percentEncoded: true) == nil, "a user in \(next.url)")
        let isSameHost = next.url.host()?.lowercased() == base.host()?.lowercased() && scheme == base.scheme
        expect(isSameHost || next.headers["Cookie"] == nil, "a cookie goes to \(next.url)")
        expect(isSameHost || next.headers["Authorization"] != "a", "credentials go to \(next.url)")
        for line in next.url.absoluteString.utf8 { expect(line > 0x20 && line != 0x7F, "a blank in \(next.url)") }
    } catch {
        expect(!error.cause.isEmpty && !error.cause.contains("\n"), "a failure that says nothing, or two lines")
    }
}
