#if os(Linux)
    import Foundation
    import Synchronization
    import TestSupport
    import Testing

    @testable import RequestQueue

    /// Lookups that are slow, or never end.
    @Suite(.timeLimit(.minutes(5))) struct NameLookupsTests {
        /// Lookups of names that end when they are released.
        private final class HeldLookups: Sendable {
            let begun = Mutex<[String]>([])
            private let gate = NSCondition()
            private let open = Mutex<Set<String>>([])

            func lookUp(_ host: String) -> NameLookupResult {
                begun.withLock { $0.append(host) }
                gate.lock()
                while !open.withLock({ $0.contains(host) || $0.contains("*") }) { gate.wait() }
                gate.unlock()
                return .notFound
            }

            func release(_ host: String) {
                gate.lock()
                open.withLock { _ = $0.insert(host) }
                gate.broadcast()
                gate.unlock()
            }
        }

        private final class Asker {}

        private let held = HeldLookups()

        @Test
        func `A lookup that hangs does not delay others, and needs one thread for any number of requests`()
            async
        {
            let held = held
            let lookups = NameLookups { held.lookUp($0) }
            let asker = Asker()
            for _ in 0..<1000 { lookups.lookUp("hangs", for: asker) { _ in } }
            held.release("answers")
            #expect(await answer(of: "answers", by: lookups) == .notFound)
            #expect(held.begun.withLock { $0.filter { $0 == "hangs" }.count } == 1)
            held.release("*")
            // Requests during the hang are looked up once more, because the network may be different.
            #expect(await answer(of: "hangs", by: lookups) == .notFound)
            #expect(held.begun.withLock { $0.filter { $0 == "hangs" }.count } <= 3)
        }

        @Test func `Lookups beyond the limit of threads are queued, and run later`() async {
            let held = held
            let lookups = NameLookups { held.lookUp($0) }
            let askers = (0..<100).map { _ in Asker() }
            let (answers, continuation) = AsyncStream<Int>.makeStream()
            for (number, asker) in askers.enumerated() {
                lookups.lookUp("name\(number)", for: asker) { _ in continuation.yield(number) }
            }
            #expect(await eventually { held.begun.withLock({ $0.count }) >= NameLookups.threadLimit })
            #expect(held.begun.withLock { $0.count } == NameLookups.threadLimit)
            held.release("*")
            var answered: Set<Int> = []
            for await number in answers {
                answered.insert(number)
                if answered.count == askers.count { break }
            }
            #expect(answered == Set(0..<100))
        }

        @Test func `Cancelled lookups do not delay others and are not run`() async {
            let held = held
            let lookups = NameLookups { held.lookUp($0) }
            let askers = (0..<100).map { _ in Asker() }
            for (number, asker) in askers.enumerated() {
                lookups.lookUp("name\(number)", for: asker) { _ in }
            }
            #expect(await eventually { held.begun.withLock({ $0.count }) >= NameLookups.threadLimit })
            // Queued ones first: otherwise another one would replace a lookup that is cancelled.
            for (number, asker) in askers.enumerated().reversed() {
                lookups.cancel("name\(number)", of: ObjectIdentifier(asker))
            }
            held.release("localhost")
            #expect(await answer(of: "localhost", by: lookups) == .notFound)
            held.release("*")
            #expect(await answer(of: "last", by: lookups) == .notFound)
            #expect(held.begun.withLock { $0.count } == NameLookups.threadLimit + 2)
        }

        @Test func `The timeout of a lookup starts with it, or immediately if it already hangs`() async {
            let held = held
            let lookups = NameLookups { held.lookUp($0) }
            let begun = Mutex<[String]>([])
            let askers = (0...NameLookups.threadLimit).map { _ in Asker() }
            for (number, asker) in askers.enumerated() {
                lookups.lookUp("name\(number)", for: asker) {
                    begun.withLock { $0.append("\(number)") }
                } completion: { _ in
                }
            }
            #expect(await eventually { begun.withLock({ $0.count }) >= NameLookups.threadLimit })
            let last = "\(NameLookups.threadLimit)"
            #expect(!begun.withLock { $0.contains(last) })
            lookups.lookUp("name0", for: askers[0]) {
                begun.withLock { $0.append("0 again") }
            } completion: { _ in
            }
            #expect(begun.withLock { $0.last } == "0 again")
            held.release("*")
            #expect(await eventually { begun.withLock({ $0.contains(last) }) })
        }

        @Test func `All requests for a name get its result, each once by its last closure`() async {
            let held = held
            let lookups = NameLookups { held.lookUp($0) }
            let (answers, continuation) = AsyncStream<String>.makeStream()
            let first = Asker()
            let second = Asker()
            lookups.lookUp("blocks", for: first) { _ in }
            #expect(await eventually { held.begun.withLock({ !$0.isEmpty }) })
            lookups.lookUp("blocks", for: first) { _ in continuation.yield("first, replaced") }
            lookups.lookUp("blocks", for: first) { _ in continuation.yield("first") }
            lookups.lookUp("blocks", for: second) { _ in continuation.yield("second") }
            held.release("*")
            var told: Set<String> = []
            for await name in answers {
                told.insert(name)
                if told.count == 2 { break }
            }
            #expect(told == ["first", "second"])
            #expect(held.begun.withLock { $0.count } == 2)
        }

        private func answer(of host: String, by lookups: NameLookups) async -> NameLookupResult {
            let asker = Asker()
            return await withCheckedContinuation { continuation in
                lookups.lookUp(host, for: asker) { continuation.resume(returning: $0) }
            }
        }
    }
#endif
