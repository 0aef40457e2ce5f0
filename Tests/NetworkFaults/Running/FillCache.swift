import Foundation
import RequestQueue

/// Requests the films of a server repeatedly through a cache in a folder, which it clears at times, until it is killed.
///
/// - Parameter words: The folder, the URL of the server, the first number, the number of films.
func fillCache(_ words: [String]) async {
    guard words.count == 4, let url = URL(string: words[1]), let start = Int(words[2]), let count = Int(words[3]) else {
        exit(64)
    }
    let client = RESTClient(baseURL: url)
    let cache = RequestCache(directory: URL(filePath: words[0]))
    client.cache = cache
    for number in start... {
        do { _ = try await client.get("/film/\(number % count)") } catch { exit(1) }
        if number % (count * 5 / 2) == count * 5 / 2 - 1 { cache.invalidateAll() }
    }
}
