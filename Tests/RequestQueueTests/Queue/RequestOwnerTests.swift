import Testing

@testable import RequestQueue

@Suite struct RequestOwnerTests {
    /// All are equal, so that only identity distinguishes them.
    private final class Screen: Hashable, Sendable {
        static func == (one: Screen, other: Screen) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }

    private final class Plain {}

    private func owner(_ value: any Hashable & Sendable) -> RequestOwner { RequestOwner(value) }

    @Test func `Values are compared by equality and type`() {
        #expect(owner("a").isEqual(owner("a")))
        #expect(!owner("a").isEqual(owner("b")))
        #expect(owner(1).isEqual(owner(1)))
        #expect(!owner(1).isEqual(owner(1.0)))
        #expect(!owner(1).isEqual(owner(Screen())))
    }

    @Test func `Objects are compared by identity`() {
        let one = Screen()
        let other = Screen()
        #expect(owner(one).isEqual(owner(one)))
        #expect(!owner(one).isEqual(owner(other)))
        #expect(!owner(one).isEqual(owner(1)))
        let plain = Plain()
        #expect(RequestOwner(plain).isEqual(RequestOwner(plain)) && !RequestOwner(plain).isEqual(RequestOwner(Plain())))
        #expect(RequestOwner(one as AnyObject).isEqual(owner(one)))
    }

    @Test func `An owner is held weakly, and a new object at its address is another owner`() {
        var owners: [RequestOwner] = []
        weak var gone: Screen?
        for _ in 0..<200 {
            let screen = Screen()
            // The memory of a released object is used again for the next.
            #expect(!owners.contains { $0.isEqual(owner(screen)) })
            owners.append(owner(screen))
            gone = screen
        }
        #expect(gone == nil)
    }
}
