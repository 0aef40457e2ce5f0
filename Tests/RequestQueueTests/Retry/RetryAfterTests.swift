import Testing

@testable import RequestQueue

@Suite("Retry-After")
struct RetryAfterTests {
    private let now = Date(timeIntervalSince1970: 784_111_777)  // Sun, 06 Nov 1994 08:49:37 GMT

    private func retryAfter(_ fields: String..., date: String? = nil) -> Duration? {
        var head = ResponseHead(status: 503)
        for field in fields { head.headers.add(field, for: "retry-after") }
        head.headers["Date"] = date
        return head.retryAfter(now: now)
    }

    @Test(arguments: [
        ("0", 0), ("1", 1), ("007", 7), ("120", 120), ("1099511627776", 1 << 40), ("99999999999999999999999", 1 << 40),
    ])
    func `A number of seconds is the delay`(text: String, seconds: Int) {
        #expect(retryAfter(text) == .seconds(seconds))
    }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:57 GMT", "Sunday, 06-Nov-94 08:49:57 GMT", "Sun Nov  6 08:49:57 1994",
    ])
    func `A date of any form is relative to now`(text: String) { #expect(retryAfter(text) == .seconds(20)) }

    @Test(arguments: [
        // A clock that is two hours ahead, one that is years behind, one that is unreadable.
        ("Sun, 06 Nov 1994 10:50:00 GMT", "Sun, 06 Nov 1994 10:49:57 GMT", 3),
        ("Thu, 01 Jan 1970 00:01:00 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", 60),
        ("Sun, 06 Nov 1994 08:49:57 GMT", "yesterday", 20), ("Sun, 06 Nov 1994 08:49:57 GMT", "", 20),
        // What is over.
        ("Sun, 06 Nov 1994 08:49:30 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", 0),
    ])
    func `A date is relative to the Date of the response`(text: String, date: String, seconds: Int) {
        #expect(retryAfter(text, date: date) == .seconds(seconds))
    }

    @Test(arguments: [
        "", " ", "soon", "-1", "+1", "1.5", "1s", "0x10", "1 2", "٣", "1, 2", "Sun, 06 Nov 1994 08:49:57 CET",
        "Sun, 31 Nov 1994 08:49:57 GMT", "1994-11-06T08:49:57Z",
    ])
    func `An invalid Retry-After is ignored`(text: String) { #expect(retryAfter(text) == nil) }

    @Test func `Of several fields, the longest delay is used`() {
        #expect(retryAfter("1", "Sun, 06 Nov 1994 08:49:57 GMT", "soon", "5") == .seconds(20))
    }

    @Test func `Without Retry-After there is no delay`() { #expect(retryAfter() == nil) }
}
