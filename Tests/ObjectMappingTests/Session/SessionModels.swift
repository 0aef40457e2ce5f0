import ObjectMapping

/// A task that belongs to a user, by key.
final class Job: Mappable {
    var id = 0
    var title = "untitled"
    var userID: Int?
    var watcherIDs: [Int]?
    var user: Worker?
    var watchers: [Worker]? = []

    static let mapping = Mapping({ Job() }) {
        Attribute("id", \.id)
        Attribute("title", \.title)
        Attribute("user_id", \.userID)
        Attribute("watcher_ids", \.watcherIDs)
        Connection(\.user, by: \.userID)
        Connection(\.watchers, by: \.watcherIDs)
    }
    .identified(by: \.id)
}

/// A user who has tasks and friends, by keys.
final class Worker: Mappable, Hashable {
    var id: Int?
    var name = "nobody"
    var jobIDs: [Int] = []
    var friendIDs: Set<Int> = []
    var jobs: [Job] = []
    var friends: Set<Worker> = []
    var boss: Worker?

    static let mapping = Mapping({ Worker() }) {
        Attribute("id", \.id)
        Attribute("name", \.name)
        Attribute("job_ids", \.jobIDs)
        Attribute("friend_ids", \.friendIDs)
        Relationship("boss", \.boss)
        Connection(\.jobs, by: \.jobIDs)
        Connection(\.friends, by: \.friendIDs)
    }
    .identified(by: \.id)

    static func == (a: Worker, b: Worker) -> Bool { a === b }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Removes the references to others, to break cycles.
    func release() { (jobs, friends, boss) = ([], [], nil) }
}

/// Both, in one document.
struct Office: Mappable {
    var jobs: [Job] = []
    var workers: [Worker] = []

    static let mapping = Mapping(Office.init) {
        Relationship("jobs", \.jobs)
        Relationship("workers", \.workers)
    }
}
