import Testing

@testable import RequestQueue

@Suite("Age and freshness of stored responses")
struct FreshnessTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)
    private static let date = "Fri, 15 Jan 2027 08:00:00 GMT"

    private func stored(
        _ headers: HTTPHeaders, requested: Double = 0, came: Double = 0
    ) -> CachedResponse {
        CachedResponse(
            status: 200, headers: headers, body: Data(), requestTime: Self.start + requested,
            responseTime: Self.start + came, variation: Variation(names: [], digest: ""))
    }

    @Test(
        arguments: [
            (["Cache-Control": "max-age=60"], 60.0),
            (["Cache-Control": "max-age=60", "Expires": "Fri, 15 Jan 2027 09:00:00 GMT"], 60),
            (["Cache-Control": "max-age=x", "Expires": "Fri, 15 Jan 2027 09:00:00 GMT"], 0),
            (["Cache-Control": "s-maxage=60"], 0),
            (["Expires": "Fri, 15 Jan 2027 08:00:10 GMT"], 10),
            (["Expires": "Fri, 15 Jan 2027 08:00:10 GMT", "Date": "Fri, 15 Jan 2027 07:59:00 GMT"], 70),
            (["Expires": "Fri, 15 Jan 2027 07:00:00 GMT"], 0),
            (["Expires": "0"], 0), (["Expires": "-1"], 0), (["Expires": "soon"], 0),
            (["Expires": "Fri, 15 Jan 2027 09:00:00 PST"], 0),
            // No guesses.
            (["Last-Modified": "Fri, 15 Jan 2016 08:00:00 GMT"], 0), ([:], 0),
        ] as [(HTTPHeaders, Double)])
    func `The server declares the freshness lifetime`(headers: HTTPHeaders, lifetime: Double) {
        #expect(stored(headers).lifetime == lifetime)
    }

    @Test(arguments: [
        // Now, and when it was asked and came; Date, Age; its age.
        (0.0, 0.0, 0.0, "", "", 0.0), (10, 0, 0, "", "", 10), (10, -2, 0, "", "", 12),
        (10, -2, 0, "", "100", 112), (10, 0, 0, "Fri, 15 Jan 2027 07:58:20 GMT", "", 110),
        // The greater of both counts.
        (10, 0, 0, "Fri, 15 Jan 2027 07:58:20 GMT", "30", 110), (10, 0, 0, "Fri, 15 Jan 2027 07:58:20 GMT", "300", 310),
        // The server's clock is ahead, and its age is invalid.
        (10, 0, 0, "Fri, 15 Jan 2027 09:00:00 GMT", "", 10), (10, 0, 0, "", "-5", 10), (10, 0, 0, "", "x", 10),
        (10, 0, 0, "", "5, 7", 15), (10, 0, 0, "", "99999999999999999999", 2_147_483_658),
        // Our clock was set back.
        (-10, 0, 0, "", "", 0), (10, 5, 0, "", "", 10),
    ])
    func `The age is calculated by RFC 9111`(
        now: Double, requested: Double, came: Double, date: String, age: String, expected: Double
    ) {
        var headers: HTTPHeaders = [:]
        if !date.isEmpty { headers["Date"] = date }
        if !age.isEmpty { headers["Age"] = age }
        #expect(stored(headers, requested: requested, came: came).age(at: Self.start + now) == expected)
    }

    @Test(arguments: [
        ("max-age=60", 59.9, 0.0, true), ("max-age=60", 60, 0, false), ("max-age=60", 60, 10, true),
        ("max-age=60", 70, 10, false), ("max-age=60", 1e6, .infinity, true), ("", 0, 0, false), ("", 0, 1, true),
        ("max-age=60, must-revalidate", 59, 0, true), ("max-age=60, must-revalidate", 60, 10, false),
        ("max-age=60, no-cache", 0, .infinity, false), ("max-age=60, no-cache=\"set-cookie\"", 0, 0, false),
        ("max-age=60, private", 0, 0, true),
        // A response from the future is not fresh.
        ("max-age=60", -0.001, .infinity, false),
    ])
    func `A response is fresh until its lifetime ends`(control: String, now: Double, staleness: Double, isFresh: Bool) {
        let response = stored(["Cache-Control": control])
        #expect(response.isFresh(at: Self.start + now, staleness: staleness) == isFresh)
    }

    @Test(arguments: [
        ("stale-if-error=60", 60.0), ("", 0), ("stale-if-error=60, must-revalidate", 0),
        ("stale-if-error=60, no-cache", 0), ("stale-if-error", 0),
    ])
    func `The server declares how long a stale response may replace an error`(control: String, seconds: Double) {
        #expect(stored(["Cache-Control": control]).staleIfError == seconds)
    }

    @Test func `A clock that is set back does not make responses younger during the lifetime of the cache`() {
        let hand = HandClock()
        let clock = hand.cacheClock
        let begin = clock.now
        hand.pass(100)
        hand.wall -= 1_000_000
        #expect(clock.now == begin + 100)
        hand.pass(10)
        #expect(clock.now == begin + 110)
        hand.wall += 2_000_000
        #expect(clock.now == begin + 1_000_110)
        hand.wall -= 1_000_000
        #expect(clock.now == begin + 110)
    }
}
