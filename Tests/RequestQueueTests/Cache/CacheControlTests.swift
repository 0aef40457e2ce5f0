import Testing

@testable import RequestQueue

@Suite("The field Cache-Control")
struct CacheControlTests {
    @Test(arguments: [
        ("max-age=60", 60.0), ("MAX-AGE=60", 60), (" public , max-age=60 ", 60), ("max-age=\"60\"", 60),
        ("max-age = 60", 60), ("max-age=0", 0), ("max-age=60, max-age=60", 60),
        ("max-age=99999999999999999999", 2_147_483_648), ("max-age=2147483649", 2_147_483_648),
        ("private=\"a, b\", max-age=7", 7), (#"x="a\", max-age=8", max-age=7"#, 7), (",,max-age=7,,", 7),
    ])
    func `A number of seconds is parsed in every valid form`(text: String, seconds: Double) {
        #expect(CacheControl(["Cache-Control": text]).seconds("max-age") == seconds)
    }

    @Test(arguments: [
        "max-age", "max-age=", "max-age=-1", "max-age=+1", "max-age=1.5", "max-age=60s", "max-age=6 0", "max-age=٦",
        "max-age=60, max-age=61", "max-age=\"", "max-age==60",
    ])
    func `An invalid or contradictory number of seconds is 0`(text: String) {
        #expect(CacheControl(["Cache-Control": text]).seconds("max-age") == 0)
    }

    @Test(arguments: ["", "public", "x-max-age=60", "s-maxage=60", #"x="max-age=60""#, "\"max-age=60"])
    func `A directive is not matched by another name`(text: String) {
        #expect(CacheControl(["Cache-Control": text]).seconds("max-age") == nil)
    }

    @Test func `Several fields are parsed as one list`() {
        var headers: HTTPHeaders = ["Cache-Control": "private"]
        headers.add("no-store", for: "cache-control")
        #expect(CacheControl(headers).has("no-store"))
        #expect(CacheControl(headers).has("private"))
        #expect(!CacheControl(headers).has("no-cache"))
    }

    @Test func `Pragma applies only without Cache-Control`() {
        #expect(CacheControl(["Pragma": "No-Cache"]).has("no-cache"))
        #expect(!CacheControl(["Pragma": "no-cache", "Cache-Control": "max-age=1"]).has("no-cache"))
    }

    @Test func `max-stale has a limit, or accepts any age`() {
        #expect(CacheControl(["Cache-Control": "max-stale"]).staleness == .infinity)
        #expect(CacheControl(["Cache-Control": "max-stale=5"]).staleness == 5)
        #expect(CacheControl(["Cache-Control": "max-stale=x"]).staleness == 0)
        #expect(CacheControl([:]).staleness == nil)
    }
}
