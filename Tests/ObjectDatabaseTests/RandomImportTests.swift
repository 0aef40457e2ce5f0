import ObjectMapping
import TestSupport
import Testing

/// Random payloads, with random failures of the database, against a `MappingSession` and against a run without failures.
struct RandomImportTests {
    enum Mode: CaseIterable { case ownState, keptState, lateIdentity }

    /// A mapping whose identity cannot be read before its objects.
    private static let late = Mapping({ User() }) {
        Attribute("id", \.id)
        Attribute("other id", \.id)
        Attribute("name", \.name)
        Attribute("version", \.version)
        Attribute("friend", \.friendID)
        Connection(\.friend, by: \.friendID, to: User.mapping)
        Relationship("tasks", \.tasks, Task.mapping).policy(.replace)
    }
    .identified(by: \.id)
    .modified(by: \.version)

    @Test(arguments: Mode.allCases)
    func `Random imports equal those into a session, and failures change nothing`(mode: Mode) throws {
        var random = SeededGenerator(seed: 7)
        let mapping = mode == .lateIdentity ? Self.late : User.mapping
        for round in 0..<150 {
            let context = Context(Database())
            let session = MappingSession()
            // A session keeps orphans.
            context.deletesOrphans = false
            context.usesKeptState = mode == .keptState
            context.requiresIdentity = mode != .lateIdentity
            for _ in 0..<6 {
                let isUsers = Bool.random(using: &random)
                let payload = isUsers ? users(&random) : tasks(&random)
                let before = context.description
                let calls: [Context.Fault.Call] = [.find, .add, .update, .replace, .connect, .commit]
                context.fault = calls.randomElement(using: &random).map {
                    Context.Fault(call: $0, number: Int.random(in: 1...4, using: &random))
                }
                let policy: MappingReport.Policy = Bool.random(using: &random) ? .skipElement : .collect
                var found = issues { try read(payload, isUsers ? mapping : nil, context, policy) }
                if !found.isEmpty {
                    #expect(context.description == before, "round \(round): \(payload)\n\(found)")
                    context.fault = nil
                    found = issues { try read(payload, isUsers ? mapping : nil, context, policy) }
                }
                var report = MappingReport(policy: policy)
                let expected = issues {
                    if isUsers {
                        _ = try mapping.mapAll(payload, in: session, report: &report)
                    } else {
                        _ = try Task.mapping.mapAll(payload, in: session, report: &report)
                    }
                }
                #expect(found.isEmpty == expected.isEmpty, "round \(round): \(payload)\n\(found)\n\(expected)")
                #expect(texts(context) == texts(session), "round \(round): \(payload)")
                #expect(texts(Context(context.database, loadsAll: true)) == texts(context))
            }
        }
    }

    private func read(
        _ payload: String, _ users: Mapping<User>?, _ context: Context, _ policy: MappingReport.Policy
    ) throws {
        if let users { try users.all(payload, context, policy) } else { try Task.import(payload, context, policy) }
    }

    private func texts(_ context: Context) -> [String] {
        context.objects.map(text).sorted()
    }

    private func texts(_ session: MappingSession) -> [String] {
        (session.all(User.self).map(text) + session.all(Task.self).map(text)).sorted()
    }

    private func text(_ object: AnyObject) -> String {
        switch object {
        case let user as User:
            "user \(user.id) \(user.name) \(String(describing: user.version)) \(user.friend?.id ?? 0) "
                + "\(user.tasks.map(\.id))"
        case let task as Task: "task \(task.id) \(task.title) \(task.user?.id ?? 0)"
        default: ""
        }
    }

    // MARK: Payloads

    private func members(_ members: [String], _ random: inout SeededGenerator) -> String {
        "{" + members.filter { !$0.isEmpty }.shuffled(using: &random).joined(separator: ", ") + "}"
    }

    private func maybe(_ text: String, _ random: inout SeededGenerator) -> String {
        Bool.random(using: &random) ? text : ""
    }

    private func users(_ random: inout SeededGenerator) -> String {
        let elements = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            let isBroken = Int.random(in: 0..<8, using: &random) == 0
            let friend = Int.random(in: 0...5, using: &random)
            let all = [
                #""id": \#(Int.random(in: 1...4, using: &random))"#,
                isBroken ? #""name": []"# : maybe(#""name": "\#(random.next() % 100)""#, &random),
                maybe(#""version": \#(Int.random(in: 1...9, using: &random))"#, &random),
                maybe(#""friend": \#(friend == 0 ? "null" : "\(friend)")"#, &random),
                maybe(#""tasks": \#(tasks(&random))"#, &random),
            ]
            return members(all, &random)
        }
        return "[\(elements.joined(separator: ", "))]"
    }

    private func tasks(_ random: inout SeededGenerator) -> String {
        let elements = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            let all = [
                #""id": \#(Int.random(in: 1...5, using: &random))"#,
                maybe(#""title": "\#(random.next() % 100)""#, &random),
                maybe(#""user": \#(Int.random(in: 1...5, using: &random))"#, &random),
            ]
            return members(all, &random)
        }
        return "[\(elements.joined(separator: ", "))]"
    }
}
