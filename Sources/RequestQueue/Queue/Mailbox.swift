public import Dispatch

/// Delivers items serially in the order in which they were posted, usually not on the posting thread.
///
/// A block runs on the executor only while items wait. It retains the mailbox and the posted items until all are
/// delivered.
package final class Mailbox<Item: Sendable>: Sendable {
    private struct State {
        var waiting = FIFOQueue<Item>()
        var isDraining = false
        var isClosed = false
    }

    private let state = Mutex(State())
    private let deliver: @Sendable (Item) -> Void

    /// Creates a mailbox.
    ///
    /// - Parameter deliver: Receives an item; called for the next item after it has returned.
    package init(_ deliver: @escaping @Sendable (Item) -> Void) { self.deliver = deliver }

    /// Adds an item after the waiting ones, and delivers it on an executor unless a delivery is running.
    package func post(
        _ item: Item, on executor: CallbackExecutor = .separateThreads,
        replacing isReplaced: (Item) -> Bool = { _ in false }
    ) {
        if append(item, replacing: isReplaced) { start(on: executor) }
    }

    /// Adds an item, or replaces the last waiting one, as with consecutive progress reports.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - isReplaced: Whether the last waiting item is replaced by the new one. It must not post items.
    /// - Returns: Whether the caller has to start the delivery.
    package func append(_ item: Item, replacing isReplaced: (Item) -> Bool = { _ in false }) -> Bool {
        // The replaced item is returned, so that its deinitializer does not run under the lock.
        let (mustStart, _): (Bool, Item?) = state.withLock { state in
            if state.isClosed { return (false, nil) }
            if let last = state.waiting.last, isReplaced(last) {
                state.waiting.replace(at: state.waiting.count - 1, with: item)
                return (false, last)
            }
            state.waiting.append(item)
            defer { state.isDraining = true }
            return (!state.isDraining, nil)
        }
        return mustStart
    }

    /// Delivers the waiting items and those added during the delivery.
    package func start(on executor: CallbackExecutor) { executor.run { self.drain() } }

    /// Delivers the items on this thread.
    func drain() {
        while let item = next() { deliver(item) }
    }

    /// Drops the waiting items and those that are posted later; a delivery that is in progress continues.
    package func close() {
        // The items are released outside the lock.
        var waiting = FIFOQueue<Item>()
        state.withLock { state in
            state.isClosed = true
            swap(&state.waiting, &waiting)
        }
    }

    private func next() -> Item? {
        state.withLock { state in
            let item = state.waiting.takeFirst()
            state.isDraining = item != nil
            return item
        }
    }
}

/// Where completions, progress closures and delegates are called.
///
/// ```swift
/// client.callbackExecutor = .queue(.main)
/// ```
///
/// The calls for one request are serial and in order. The calls for different requests can be concurrent if the executor
/// allows it. A call may block: it delays no request and occupies no thread of Swift's cooperative pool.
public struct CallbackExecutor: Sendable {
    let run: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// Creates an executor from a closure.
    ///
    /// The closure must run each block once, on any thread, after it has returned.
    public init(_ run: @escaping @Sendable (_ block: @escaping @Sendable () -> Void) -> Void) { self.run = run }

    /// Runs the callbacks of each request on a separate thread outside Swift's cooperative pool; the default.
    public static let separateThreads = CallbackExecutor { block in
        // A new serial queue gets a thread even if many other queues are blocked.
        DispatchQueue(label: "RequestQueue.callbacks").async(execute: block)
    }

    /// A dispatch queue, such as `.main`.
    public static func queue(_ queue: DispatchQueue) -> CallbackExecutor {
        CallbackExecutor { block in queue.async(execute: block) }
    }

    /// A task executor; a call that blocks occupies one of its threads.
    public static func executor(_ executor: any TaskExecutor) -> CallbackExecutor {
        CallbackExecutor { block in Task(executorPreference: executor) { block() } }
    }
}

/// A first-in, first-out queue; its operations at the ends take amortized constant time.
struct FIFOQueue<Element> {
    /// `nil` for removed elements.
    private var elements: [Element?] = []
    private var head = 0

    var count: Int { elements.count - head }
    var first: Element? { head < elements.count ? elements[head] : nil }
    var last: Element? { head < elements.count ? elements[elements.count - 1] : nil }

    mutating func append(_ element: Element) { elements.append(element) }

    /// Inserts an element before the first element that matches, in linear time from the front.
    mutating func insert(_ element: Element, before isBehind: (Element) -> Bool) {
        let place = elements[head...].firstIndex { $0.map(isBehind) ?? false } ?? elements.endIndex
        elements.insert(element, at: place)
    }

    mutating func replace(at index: Int, with element: Element) { elements[head + index] = element }

    /// Removes and returns the first element; `nil` if the line is empty.
    mutating func takeFirst() -> Element? {
        guard let element = first else { return nil }
        elements[head] = nil
        head += 1
        if head * 2 > elements.count { compact() }
        return element
    }

    mutating func removeAll(where isRemoved: (Element) -> Bool) {
        compact()
        elements.removeAll { $0.map(isRemoved) ?? true }
    }

    private mutating func compact() {
        elements.removeFirst(head)
        head = 0
    }
}

extension FIFOQueue: Sendable where Element: Sendable {}
