import Testing

@testable import RequestQueue

@Suite("Dates of header fields")
struct HTTPDateTests {
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "Sun Nov 06 08:49:37 1994", " Sun, 06 Nov 1994 08:49:37 GMT ",
    ])
    func `All three forms are read`(text: String) {
        #expect(
            Date(httpDate: text, now: Date(timeIntervalSince1970: 1_800_000_000))?.timeIntervalSince1970 == 784_111_777)
    }

    @Test(arguments: [
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
        ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
    ])
    func `Days and leap seconds are counted`(text: String, seconds: Double) {
        #expect(Date(httpDate: text)?.timeIntervalSince1970 == seconds)
    }

    @Test(arguments: [(26, 2026), (76, 2076), (77, 1977), (99, 1999), (0, 2000)])
    func `A year of two digits is at most 50 years ahead`(short: Int, year: Int) throws {
        // The middle of 2026.
        let now = Date(timeIntervalSince1970: 1_782_000_000)
        let text = "Monday, 01-Mar-\(short < 10 ? "0" : "")\(short) 00:00:00 GMT"
        let date = try #require(Date(httpDate: text, now: now))
        #expect(date == Date(utcYear: year, month: 3, day: 1, hour: 0, minute: 0, second: 0))
    }

    @Test(arguments: [
        "", "0", "-1", "soon", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET", "06 Nov 1994 08:49:37 GMT",
        "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
        "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08:49:37:00 GMT", "Sun, 06 Now 1994 08:49:37 GMT",
        "Sun, 06 Nov 94 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 06-Nov-94-1 08:49:37 GMT",
        "Sun, 06 Nov 0000 08:49:37 GMT", "Sun, ٠٦ Nov 1994 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
        "Sun Nov 6 08:49:37 1994 GMT", "1994-11-06T08:49:37Z", ", , , , , GMT", "Sun, 06 Nov 1994 08:49:37 GMT now",
    ])
    func `Other text is not a date`(text: String) { #expect(Date(httpDate: text) == nil) }
}
