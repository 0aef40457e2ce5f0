/// The responses of the paths of the server.
///
/// Parameters are in brackets, with their defaults.
///
/// | Path | Response |
/// | --- | --- |
/// | `/ok` | `{"ok":true}` |
/// | `/echo` | the request: method, target, headers, framing, size and SHA-256 of its body, and a body of up to 64 KiB in Base64 |
/// | `/method` | the method |
/// | `/json[n=10, size=16]` | a document with `n` items, each with a text of `size` bytes |
/// | `/bytes[n=1048576, bps, chunked, trailer]` | `n` bytes 0, 1, … 255, 0, …, at most `bps` bytes a second |
/// | `/slow[n=4096, bps=1024]` | the same |
/// | `/status/CODE[body={}, retry_after]` | a status |
/// | `/204`, `/304` | the status, without a body |
/// | `/1xx[n=3]` | `n` informational responses before the final one |
/// | `/headers[n=100, len=10]` | `n` header fields with values of `len` bytes |
/// | `/cookie[name=sid, value=abc, …]` | the `Cookie` of the request; sets a cookie, whose attributes are the other parameters |
/// | `/delay[ms=1000]` | a delayed response |
/// | `/hold[key]` | a response when the server releases the path or the key |
/// | `/release[key]` | releases like the server's method |
/// | `/stats` | the server's statistics |
/// | `/sink[bps]` | framing, size and SHA-256 of a body of any size |
/// | `/upload[bps, status=200]` | the parts of a form, or 400 and why RFC 7578 does not allow it |
/// | `/early[status=413, after=0, close=linger]` | a response after `after` bytes of the body; close: linger, keep or now |
/// | `/stall-upload[after=65536]` | nothing: stops reading, until released; then a RST |
/// | `/rst-upload[after=65536]` | a RST while the body arrives |
/// | `/truncate[len=1000, sent=500]` | less body than announced |
/// | `/overrun[len=10, sent=50]` | more body than announced |
/// | `/badlength`, `/twolengths` | `Content-Length` below zero, or two different ones |
/// | `/chunked-bad[mode=eof]` | a chunk without an end, or with mode=size, one with a bad size |
/// | `/close` | the connection closes without a response |
/// | `/rst[after=0]` | a RST after `after` bytes of a body |
/// | `/stall[after=0]` | a head and `after` bytes of a body and then nothing, until released; then the connection closes |
/// | `/redirect[n=1, status=302, to=/echo, drain=1]` | a redirect, in `n` steps, to a path or a URL |
/// | `/redirect-loop[status=302]` | a redirect to itself |
/// | `/flap[key, fail=2, status=503]` | the status `fail` times, then 200 |
/// | `/retry-after[key, fail=1, s=1, status=503, date]` | the same with `Retry-After` in seconds or as a date |
/// | `/max-age[key, s=60]` | the number of requests; cacheable for `s` seconds |
/// | `/etag[v=1]` | an `ETag`; 304 to a request with it |
/// | `/gzip[n=1000]`, `/deflate[n=1000, raw]` | a document with `n` numbers, compressed |
/// | `/gzip-bad[mode=trunc, n]` | mode: trunc, crc, garbage, notgzip, or bomb of `n` bytes |
/// | `/basic[user=user, pass=pass]` | the response of `/echo`, or 401 |
/// | `/digest[user, pass, alg=MD5, realm=loopback, uses, next, userhash, utf8, drain=1]` | the same; alg: MD5, SHA-256, each with -sess, several with a comma; a nonce lasts for `uses`, with `next` for one; drain=0 does not read the body before a 401 |
/// | `/bearer[token=t]` | the same |
/// | `/token[key=t, ms=0]`, `/bearer?key=t[uses]` | a new token after `ms`; the response of `/echo` to the newest, which lasts for `uses`, or 401 |
/// | `/outbox[drop=none]` | applies each `Idempotency-Key` once; drop: before, after or odd lose the response |
/// | `/outbox-stats` | what `/outbox` received and applied |
///
/// `hash=0` skips the SHA-256 of a body, which takes most of the time.
enum Endpoints {
    /// Returns a response, or nil if it has sent one itself.
    typealias Endpoint = @Sendable (Request) throws -> Answer?

    private static let table = [plain, bodies, faults, redirects, retries, coding, authorization, outbox].reduce(
        into: [:]) {
            $0.merge($1) { $1 }
        }

    static func answer(_ request: Request) throws -> Answer? {
        if let endpoint = table[request.path] { return try endpoint(request) }
        if request.path.hasPrefix("/status/"), let status = Int(request.path.dropFirst(8)), 200...999 ~= status {
            return self.status(status, request)
        }
        return Answer(404, json: ["error": "no such endpoint", "path": .string(request.path)])
    }
}
