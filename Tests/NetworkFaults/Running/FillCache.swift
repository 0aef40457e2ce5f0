import Foundation
import RequestQueue

/// Requests films of a server through a cache in a folder until it is killed: those in a range once, or `/film/0` to
/// `/film/99` repeatedly, with a cache that is cleared at times.
///
/// - Parameter words: The folder, the URL of the server, the first number, and for a range the number after the last.
func fillCache(_ words: [String]) async {
    guard (3...4).contains(words.count), let url = URL(string: words[1]), let start = Int(words[2]) else { exit(64) }
    let client = RESTClient(baseURL: url)
    let cache = RequestCache(directory: URL(filePath: words[0]))
    client.cache = cache
    if let end = words.dropFirst(3).first.flatMap({ Int($0) }) {
        for number in start..<end { await request(number, client) }
        try? await Task.sleep(for: .seconds(60))
    } else {
        for number in start... {
            await request(number % 100, client)
            if number % 250 == 249 { cache.invalidateAll() }
        }
    }
}

private func request(_ number: Int, _ client: RESTClient) async {
    do { _ = try await client.get("/film/\(number)") } catch { exit(1) }
}
