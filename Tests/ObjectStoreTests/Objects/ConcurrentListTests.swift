import ObjectMapping
import Testing

@testable import ObjectStore

private final class Queue: ManagedObject {
    @Stored(.identity) var number = 0
    @ToMany(inverse: \Job.queue, isOrdered: true) var jobs: [Job]
    @ToMany(inverse: \Job.watchers, isOrdered: true) var watched: [Job]
    @ToMany(inverse: nil, isOrdered: true) var favorites: [Job]
}

private final class Job: ManagedObject {
    @Stored(.identity) var number = 0
    @Stored var title = ""
    @ToOne var queue: Queue?
    @ToMany var watchers: [Queue]
}

/// Ordered lists that several contexts, or both sides of the relationship, change.
@Suite struct `Ordered lists that are changed elsewhere` {
    enum Kind: CaseIterable { case oneToMany, manyToMany, oneSided }

    private let store: ManagedObjectStore
    private let context: ObjectContext
    private let queue: Queue

    /// A queue with the jobs 1 to 4 in every list; the jobs 5 to 8 are in none.
    init() throws {
        store = try ManagedObjectStore(inMemory: ObjectModel(Queue.self, Job.self))
        let new = ObjectContext(store)
        let (queue, jobs) = (Queue(in: new), (1...8).map { _ in Job(in: new) })
        for (index, job) in jobs.enumerated() { job.number = index + 1 }
        queue.number = 1
        (queue.jobs, queue.watched, queue.favorites) = (Array(jobs[..<4]), Array(jobs[..<4]), Array(jobs[..<4]))
        try new.save()
        context = ObjectContext(store)
        self.queue = try #require(try context.find(Queue.self, 1))
    }

    private static func list(_ kind: Kind) -> ReferenceWritableKeyPath<Queue, [Job]> {
        switch kind {
        case .oneToMany: \.jobs
        case .manyToMany: \.watched
        case .oneSided: \.favorites
        }
    }

    /// Sets a list in a context to jobs with numbers.
    private func set(_ kind: Kind, _ numbers: [Int], in context: ObjectContext) throws {
        let queue = try #require(try context.find(Queue.self, 1))
        queue[keyPath: Self.list(kind)] = try numbers.map { try #require(try context.find(Job.self, $0)) }
    }

    /// The numbers of a list in the file.
    private func stored(_ kind: Kind) throws -> [Int] {
        let context = ObjectContext(store)
        let queue = try #require(try context.find(Queue.self, 1))
        return queue[keyPath: Self.list(kind)].map(\.number)
    }

    // MARK: Two contexts

    /// Two contexts change the list of 1 to 4; then both save.
    private func change(_ kind: Kind, _ theirs: [Int], _ mine: [Int], _ policy: MergePolicy) throws -> [Int] {
        let other = ObjectContext(store)
        #expect(queue[keyPath: Self.list(kind)].count == 4)
        try set(kind, theirs, in: other)
        try set(kind, mine, in: context)
        try other.save()
        context.mergePolicy = policy
        try context.save()
        let stored = try stored(kind)
        #expect(queue[keyPath: Self.list(kind)].map(\.number) == stored)
        let positions = try store.rows(
            sql:
                "SELECT position FROM Queue_\(kind == .oneToMany ? "jobs" : kind == .manyToMany ? "watched" : "favorites") ORDER BY 1"
        )
        #expect(positions.map { $0.values[0].integer } == (0..<Int64(stored.count)).map { $0 })
        return stored
    }

    @Test(arguments: Kind.allCases) func `two orders of one list are a conflict`(_ kind: Kind) throws {
        let error = #expect(throws: StoreError.self) {
            try change(kind, [4, 3, 2, 1], [2, 1, 3, 4], .throwConflict)
        }
        #expect(error?.kind == .conflict)
        let conflict = try #require(error?.conflicts.first)
        #expect(error?.conflicts.count == 1 && conflict.object.description == "Queue/1")
        #expect(conflict.base == "[1,2,3,4]" && conflict.mine == "[2,1,3,4]" && conflict.theirs == "[4,3,2,1]")
        #expect(try stored(kind) == [4, 3, 2, 1])
        context.refresh(queue)
        #expect(queue[keyPath: Self.list(kind)].map(\.number) == [4, 3, 2, 1])
        try context.save()
    }

    @Test(arguments: Kind.allCases) func `the merge policy decides between two orders`(_ kind: Kind) throws {
        #expect(try change(kind, [4, 3, 2, 1], [2, 1, 3, 4], .objectWins) == [2, 1, 3, 4])
    }

    @Test(arguments: Kind.allCases) func `the order of the store is kept if it wins`(_ kind: Kind) throws {
        #expect(try change(kind, [4, 3, 2, 1], [2, 1, 3, 4, 5], .storeWins) == [4, 3, 2, 1, 5])
    }

    @Test(arguments: [
        ([1, 2, 3, 4, 5], [1, 2, 3, 4, 6], [1, 2, 3, 4, 5, 6]), ([4, 3, 2, 1], [1, 2, 3, 4, 6], [4, 3, 2, 1, 6]),
        ([1, 2, 3, 4, 5], [3, 1, 2, 4], [3, 1, 2, 4, 5]), ([4, 3, 2, 1], [1, 2, 3], [3, 2, 1]),
        ([1, 2, 3], [4, 1, 2, 3], [1, 2, 3]), ([5, 1, 2, 3, 4], [6, 1, 2, 3, 4], [5, 6, 1, 2, 3, 4]),
        ([2, 1, 3, 4], [2, 1, 3, 4], [2, 1, 3, 4]), ([4, 3, 2, 1], [1, 2, 6, 3, 4], [4, 6, 3, 2, 1]),
    ]) func `additions, removals and one order are merged`(_ theirs: [Int], _ mine: [Int], _ expected: [Int]) throws {
        #expect(try change(.manyToMany, theirs, mine, .throwConflict) == expected)
    }

    @Test func `a list that nobody else changed is written without a conflict`() throws {
        try set(.manyToMany, [2, 1], in: context)
        try context.save()
        try set(.manyToMany, [5, 2, 1, 6], in: context)
        try context.save()
        context.delete(try #require(try context.find(Job.self, 2)))
        queue.watched.swapAt(0, 2)
        try context.save()
        #expect(try stored(.manyToMany) == [6, 1, 5])
    }

    // MARK: The other side

    /// Adds jobs to the queue by their own relationships, after the last one was changed first.
    private func append(_ kind: Kind, _ numbers: [Int], isRead: Bool) throws {
        let jobs = try numbers.map { try #require(try context.find(Job.self, $0)) }
        if isRead { #expect(queue[keyPath: Self.list(kind)].count == 4) }
        for job in jobs.reversed() { job.title = "changed" }
        for job in jobs { if kind == .oneToMany { job.queue = queue } else { job.watchers.append(queue) } }
    }

    @Test(arguments: [Kind.oneToMany, .manyToMany], [false, true])
    func `objects that are added by the other side are stored in the order of their addition`(
        _ kind: Kind, isRead: Bool
    ) throws {
        try append(kind, [7, 5, 8, 6], isRead: isRead)
        #expect(queue[keyPath: Self.list(kind)].map(\.number) == [1, 2, 3, 4, 7, 5, 8, 6])
        try context.save()
        #expect(try stored(kind) == [1, 2, 3, 4, 7, 5, 8, 6])
    }

    @Test(arguments: [Kind.oneToMany, .manyToMany])
    func `objects that are added by the other side of a list that is not read keep their order`(_ kind: Kind) throws {
        try append(kind, [7, 5, 8, 6], isRead: false)
        try context.save()
        #expect(try stored(kind) == [1, 2, 3, 4, 7, 5, 8, 6])
        #expect(queue[keyPath: Self.list(kind)].map(\.number) == [1, 2, 3, 4, 7, 5, 8, 6])
    }

    @Test func `an object that leaves a list and returns to it keeps its position, if the list is not read`() throws {
        let job = try #require(try context.find(Job.self, 2))
        job.queue = nil
        job.queue = queue
        let isRead = queue.jobs.map(\.number)
        try context.save()
        #expect(try stored(.oneToMany) == isRead)
    }
}
