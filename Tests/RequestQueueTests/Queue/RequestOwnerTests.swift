import Testing

@testable import RequestQueue

@Suite struct RequestOwnerTests {
    /// All are equal, so that only identity tells them apart.
    private final class Screen: Hashable, Sendable {
        static func == (one: Screen, other: Screen) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }

    @Test func `Values are compared by equality and type`() {
        #expect(RequestOwner("a").isEqual("a"))
        #expect(!RequestOwner("a").isEqual("b"))
        #expect(RequestOwner(1).isEqual(1))
        #expect(!RequestOwner(1).isEqual(1.0))
        #expect(!RequestOwner(1).isEqual(Screen()))
    }

    @Test func `Objects are compared by identity`() {
        let one = Screen()
        let other = Screen()
        #expect(RequestOwner(one).isEqual(one))
        #expect(!RequestOwner(one).isEqual(other))
        #expect(!RequestOwner(one).isEqual(1))
    }

    @Test func `An owner that is gone is not kept alive, and none is taken for it`() {
        var owners: [RequestOwner] = []
        weak var gone: Screen?
        for _ in 0..<200 {
            let screen = Screen()
            // The memory of one that is gone is used again for the next.
            #expect(!owners.contains { $0.isEqual(screen) })
            owners.append(RequestOwner(screen))
            gone = screen
        }
        #expect(gone == nil)
    }
}
