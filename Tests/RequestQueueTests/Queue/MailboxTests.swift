import Dispatch
import RequestQueue
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct MailboxTests {
    /// The delivered items, and the maximum number of concurrent deliveries.
    private final class Log: Sendable {
        private let state = Mutex((items: [Int](), running: 0, peak: 0))

        var items: [Int] { state.withLock { $0.items } }
        var peak: Int { state.withLock { $0.peak } }

        func begin() {
            state.withLock {
                $0.running += 1
                $0.peak = max($0.peak, $0.running)
            }
        }

        func end(_ item: Int) {
            state.withLock {
                $0.running -= 1
                $0.items.append(item)
            }
        }
    }

    @Test func `Items are delivered serially and in order`() async {
        let log = Log()
        let (done, doneContinuation) = AsyncStream<Void>.makeStream()
        let mailbox = Mailbox<Int> { item in
            log.begin()
            log.end(item)
            if item == 1999 { doneContinuation.finish() }
        }
        for item in 0..<2000 { mailbox.post(item) }
        for await _ in done {}
        #expect(log.items == Array(0..<2000))
        #expect(log.peak == 1)
    }

    @Test func `Items of several threads are delivered in the order of each thread`() async {
        let log = Log()
        let (done, doneContinuation) = AsyncStream<Void>.makeStream()
        let mailbox = Mailbox<Int> { item in
            log.begin()
            log.end(item)
            if log.items.count == 8000 { doneContinuation.finish() }
        }
        await withTaskGroup { group in
            for poster in 0..<8 {
                group.addTask { for item in 0..<1000 { mailbox.post(poster * 1000 + item) } }
            }
        }
        for await _ in done {}
        for poster in 0..<8 {
            #expect(log.items.filter { $0 / 1000 == poster } == Array(poster * 1000..<(poster + 1) * 1000))
        }
        #expect(log.peak == 1)
    }

    @Test func `An item can replace the last waiting item only`() async {
        let log = Log()
        let (entered, enteredContinuation) = AsyncStream<Void>.makeStream()
        let gate = DispatchSemaphore(value: 0)
        let (done, doneContinuation) = AsyncStream<Void>.makeStream()
        let mailbox = Mailbox<Int> { item in
            if item == 0 {
                enteredContinuation.finish()
                gate.wait()
            }
            log.end(item)
            if item == 99 { doneContinuation.finish() }
        }
        mailbox.post(0)
        for await _ in entered {}
        // 0 is being delivered and waits no longer: it cannot be replaced.
        mailbox.post(1, replacing: { _ in true })
        mailbox.post(2, replacing: { $0 == 1 })
        mailbox.post(3)
        mailbox.post(4, replacing: { $0 == 2 })
        mailbox.post(99)
        gate.signal()
        for await _ in done {}
        #expect(log.items == [0, 2, 3, 4, 99])
    }

    @Test func `A mailbox is retained only until its items are delivered`() async {
        let (done, doneContinuation) = AsyncStream<Int>.makeStream()
        weak var weakMailbox: Mailbox<Int>?
        do {
            let mailbox = Mailbox<Int> { doneContinuation.yield($0) }
            weakMailbox = mailbox
        }
        #expect(weakMailbox == nil)
        do {
            let mailbox = Mailbox<Int> {
                doneContinuation.yield($0)
                if $0 == 2 { doneContinuation.finish() }
            }
            weakMailbox = mailbox
            mailbox.post(1)
            mailbox.post(2)
        }
        var items: [Int] = []
        for await item in done { items.append(item) }
        #expect(items == [1, 2])
        #expect(await eventually { weakMailbox == nil })
    }

    @Test func `An item posted during a delivery is delivered next`() async {
        let (done, doneContinuation) = AsyncStream<Int>.makeStream()
        let box = Mutex<Mailbox<Int>?>(nil)
        let mailbox = Mailbox<Int> { item in
            doneContinuation.yield(item)
            if item == 3 { return doneContinuation.finish() }
            box.withLock { $0 }?.post(item + 1)
        }
        box.withLock { $0 = mailbox }
        mailbox.post(0)
        var items: [Int] = []
        for await item in done { items.append(item) }
        #expect(items == [0, 1, 2, 3])
    }
}
