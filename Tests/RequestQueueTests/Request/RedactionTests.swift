import Foundation
import MappingSystemCalls
import Testing

@testable import RequestQueue

@Suite("Redaction of secrets")
struct RedactionTests {
    private static let values: [(String, any Sendable)] = {
        let headers: HTTPHeaders = [
            "Authorization": "Bearer s3cret", "Cookie": "a=s3cret", "Set-Cookie": "a=s3cret", "X-API-Key": "s3cret",
            "X-Auth-Token": "s3cret", "Proxy-Authorization": "s3cret", "Accept": "shown",
        ]
        guard let url = URL(string: "https://me:s3cret@api.example.com/a?access_token=s3cret"),
            let cookie = Cookie(name: "a", value: "s3cret", domain: "example.com")
        else { return [] }
        let client = RESTClient(baseURL: url)
        client.headers = headers
        client.authentication = .basic(user: "me", password: "s3cret")
        var request = client.request(.get, "/a", query: ["token": "s3cret"])
        request.setBody(DataBody(Data("password=s3cret".utf8)))
        let store = CookieStore()
        store.set(cookie)
        return [
            ("headers", headers), ("field", headers.fields[0]), ("client", client), ("request", request),
            ("transport request", TransportRequest(method: .get, url: url, headers: headers)),
            ("head", ResponseHead(status: 200, headers: headers)),
            ("response", RESTResponse(status: 200, headers: headers, body: Data("s3cret".utf8), url: url)),
            ("error", RequestError(.offline, "no network", url: url)), ("cookie", cookie), ("store", store),
            ("bearer token", BearerToken("s3cret") { "s3cret" }), ("authentication", client.authentication),
            ("queued", QueuedRequest(request, owner: nil, queue: RequestQueue(), completion: nil)),
            (
                "redirection",
                Redirection(
                    status: 307, source: url, target: url, method: .get, sendsBody: false, isSameOrigin: true)
            ),
        ]
    }()

    @Test func `The cause of an error does not contain the user info of another one`() {
        let url = "https://example.com/?access_token=s3cret"
        let error = NSError(domain: NSURLErrorDomain, code: -1009, userInfo: ["NSErrorFailingURLStringKey": url])
        let pipe = BodyPipe()
        pipe.finish(error)
        var buffer = [UInt8](repeating: 0, count: 1)
        let failure = #expect(throws: RequestError.self) {
            _ = try buffer.withMutableRawSpan { bytes in try pipe.read(into: &bytes) }
        }
        #expect(failure?.cause.contains("-1009") == true)
        for text in [causeText(of: error), "\(failure, default: "")"] { #expect(!text.contains("s3cret")) }
        #expect(failure?.details.contains("s3cret") == true)
    }

    @Test(arguments: values.map(\.0))
    func `Neither print nor dump nor a mirror shows a secret`(name: String) throws {
        let value = try #require(Self.values.first { $0.0 == name }?.1)
        var dumped = ""
        dump(value, to: &dumped)
        for text in ["\(value)", String(reflecting: value), dumped, "\([value])", "\(Optional(value) as Any)"] {
            #expect(!text.contains("s3cret") && !text.contains("115, 51, 99"))
        }
        if name == "headers" { #expect("\(value)".contains("Accept: shown") && dumped.contains("Accept: shown")) }
    }

    @Test(arguments: [
        ("Authorization", true), ("X-API-Key", true), ("api_key", true), ("key", true), ("accessToken", true),
        ("client_secret", true), ("X-Amz-Signature", true), ("sig", true), ("PHPSESSID", false), ("sid", true),
        ("Accept", false), ("monkey", false), ("keyword", false), ("author", false), ("page", false), ("design", false),
    ])
    func `Secrets are recognized by words of their names`(name: String, isSecret: Bool) {
        #expect(isSecretName(name) == isSecret)
    }
}
