import Foundation
import RequestQueue

/// Requests `/film/0` to `/film/99` of a server repeatedly through a cache in a folder, which it clears at times, until
/// it is killed.
///
/// - Parameter words: The folder, the URL of the server, the first number.
func fillCache(_ words: [String]) async {
    guard words.count == 3, let url = URL(string: words[1]), let start = Int(words[2]) else { exit(64) }
    let client = RESTClient(baseURL: url)
    let cache = RequestCache(directory: URL(filePath: words[0]))
    client.cache = cache
    for number in start... {
        do { _ = try await client.get("/film/\(number % 100)") } catch { exit(1) }
        if number % 250 == 249 { cache.invalidateAll() }
    }
}
