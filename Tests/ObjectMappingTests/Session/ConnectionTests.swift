import ObjectMapping
import Testing

struct ConnectionTests {
    @Test(arguments: [
        #"{"jobs": [{"id": 1, "user_id": 7}, {"id": 2, "user_id": "7"}], "workers": [{"id": 7, "job_ids": [2, 1]}]}"#,
        #"{"workers": [{"id": 7, "job_ids": [2, 1]}], "jobs": [{"id": 1, "user_id": 7}, {"id": 2, "user_id": "7"}]}"#,
        #"{"workers": [{"job_ids": [2, 1], "id": 7}], "jobs": [{"user_id": 7, "id": 1}, {"user_id": "7", "id": 2}]}"#,
    ]) func `Objects of one payload are connected in any order`(text: String) throws {
        let office = try Office.mapping.map(GuardedText(text))
        let worker = try #require(office.workers.first)
        defer { worker.release() }
        #expect(office.jobs.allSatisfy { $0.user === worker })
        #expect(worker.jobs.map(\.id) == [2, 1])
        #expect(worker.jobs[0] === office.jobs[1])
    }

    @Test func `Targets of a later payload are connected when they arrive`() throws {
        let session = MappingSession()
        let jobs = try Job.mapping.mapAll(
            #"[{"id": 1, "user_id": 7, "watcher_ids": [9, 7, 8]}, {"id": 2, "user_id": 8}]"#, in: session)
        #expect(jobs[0].user == nil && jobs[0].watchers?.isEmpty == true)
        #expect(
            session.unresolved.map(\.details) == [
                "Job.user waits for a Worker with the key 7", "Job.watchers waits for a Worker with the key 9",
                "Job.watchers waits for a Worker with the key 7", "Job.watchers waits for a Worker with the key 8",
                "Job.user waits for a Worker with the key 8",
            ])
        #expect(session.unresolved.first?.description == "Job.user waits for a Worker")
        #expect(session.unresolved.first?.source === jobs[0] && session.unresolved.first?.key == [7])
        #expect(session.unresolved.first?.targetType == Worker.self)
        let first = try Worker.mapping.map(#"{"id": 7, "name": "Ann"}"#, in: session)
        #expect(jobs[0].user === first && jobs[0].watchers?.compactMap(\.id) == [7])
        let others = try Worker.mapping.mapAll(#"[{"id": 8}, {"id": 9}]"#, in: session)
        #expect(jobs[1].user === others[0] && jobs[0].watchers?.compactMap(\.id) == [9, 7, 8])
        #expect(session.unresolved.isEmpty)
    }

    @Test func `Friends can refer to each other`() throws {
        let workers = try Worker.mapping.mapAll(
            """
            [{"id": 1, "friend_ids": [2, 3]}, {"id": 2, "friend_ids": [1, 2]}, {"friend_ids": [1], "id": 3},
             {"id": 4, "boss": {"id": 5, "boss": {"id": 4}}}]
            """)
        defer { for worker in workers { worker.release() } }
        #expect(workers[0].friends == [workers[1], workers[2]])
        #expect(workers[1].friends == [workers[0], workers[1]] && workers[2].friends == [workers[0]])
        #expect(workers[3].boss?.boss === workers[3])
    }

    @Test func `A null key clears the relationship, an absent one keeps it, an unknown one is pending`() throws {
        let session = MappingSession()
        let worker = try Worker.mapping.map(#"{"id": 7}"#, in: session)
        let job = try Job.mapping.map(#"{"id": 1, "user_id": 7, "watcher_ids": [7]}"#, in: session)
        try Job.mapping.update(job, from: #"{"title": "t"}"#, in: session)
        #expect(job.user === worker && job.watchers?.count == 1)
        // Another session has no objects; absent values are unchanged there, too.
        try Job.mapping.update(job, from: #"{"title": "t"}"#)
        #expect(job.user === worker)
        try Job.mapping.update(job, from: #"{"watcher_ids": []}"#, in: session)
        #expect(job.user === worker && job.watchers?.isEmpty == true)
        try Job.mapping.update(job, from: #"{"user_id": null, "watcher_ids": null}"#, in: session)
        #expect(job.user == nil && job.watchers == nil)
        try Job.mapping.update(job, from: #"{"user_id": 8}"#, in: session)
        try Job.mapping.update(job, from: #"{"user_id": 7}"#, in: session)
        #expect(job.user === worker && session.unresolved.isEmpty)
        _ = try Worker.mapping.map(#"{"id": 8}"#, in: session)
        #expect(job.user === worker)
        try Job.mapping.update(job, from: #"{"user_id": 9}"#, in: session)
        #expect(job.user == nil)
    }

    @Test func `A repeated key adds its object twice to an array`() throws {
        let session = MappingSession()
        let job = try Job.mapping.map(#"{"id": 1, "watcher_ids": [8, 7, 8, 6]}"#, in: session)
        _ = try Worker.mapping.mapAll(#"[{"id": 7}, {"id": 8}]"#, in: session)
        #expect(job.watchers?.compactMap(\.id) == [8, 7, 8])
        #expect(session.unresolved.map(\.key) == [[6]])
        session.removeAll()
        _ = try Worker.mapping.map(#"{"id": 6}"#, in: session)
        #expect(job.watchers?.compactMap(\.id) == [8, 7, 8])
        #expect(session.unresolved.isEmpty && session.all(Worker.self).compactMap(\.id) == [6])
    }

    private final class Crew: Mappable {
        var memberIDs: Set<Int>?
        var members: Set<Worker>? = []

        static let mapping = Mapping({ Crew() }) {
            Attribute("member_ids", \.memberIDs)
            Connection(\.members, by: \.memberIDs)
        }
    }

    @Test func `A set of targets is nil if its keys are`() throws {
        let session = MappingSession()
        let workers = try Worker.mapping.mapAll(#"[{"id": 7}, {"id": 8}]"#, in: session)
        let crew = try Crew.mapping.map(#"{"member_ids": [8, 7, 8, 9]}"#, in: session)
        #expect(crew.members == [workers[0], workers[1]])
        let late = try Worker.mapping.map(#"{"id": 9}"#, in: session)
        #expect(crew.members == [workers[0], workers[1], late])
        try Crew.mapping.update(crew, from: #"{"member_ids": null}"#, in: session)
        #expect(crew.members == nil)
    }

    // MARK: Compound keys and conditions

    private final class Seat: Mappable {
        var row = ""
        var number = 0

        static let mapping = Mapping({ Seat() }) {
            Attribute("row", \.row)
            Attribute("number", \.number)
        }
        .identified(by: \.row).identified(by: \.number)
    }

    private final class Ticket: Mappable {
        var kind = "none"
        var row: String?
        var number = 0
        var standID: Int?
        var seat: Seat?
        var place: Seat?

        static let mapping = Mapping({ Ticket() }) {
            Attribute("kind", \.kind)
            Attribute("row", \.row)
            Attribute("number", \.number)
            Attribute("stand", \.standID)
            Connection(\.seat, by: \.row, \.number)
            Connection(\.place, by: \.row, \.number, when: { $0.kind == "seat" })
            Connection(\.place, by: \.standID, to: stand).when(\.kind, equals: "stand")
        }

        static let stand = Mapping({ Seat() }) { Attribute("id", \.number) }.identified(by: \.number)
    }

    @Test func `Targets are found by several keys, in the order of the identity`() throws {
        let session = MappingSession()
        let tickets = try Ticket.mapping.mapAll(
            #"[{"row": "A", "number": 1}, {"number": 2}, {"row": null, "number": 2}, {"row": "B", "number": "1"}]"#,
            in: session)
        #expect(session.unresolved.map(\.key) == [["A", 1], ["B", 1]])
        #expect(
            session.unresolved.map(\.details) == [
                "Ticket.seat waits for a Seat with the key A, 1", "Ticket.seat waits for a Seat with the key B, 1",
            ])
        let seats = try Seat.mapping.mapAll(#"[{"row": "B", "number": 1}, {"row": "A", "number": 1}]"#, in: session)
        #expect(tickets[0].seat === seats[1] && tickets[3].seat === seats[0])
        #expect(tickets[1].seat == nil && tickets[2].seat == nil)
        #expect(session.find(Seat.self, "B", 1) === seats[0])
        #expect(session.find(Seat.self, 1, "B") == nil && session.find(Seat.self, "B") == nil)
    }

    @Test func `The first of several connections whose condition is met sets the property`() throws {
        let session = MappingSession()
        let seat = try Seat.mapping.map(#"{"row": "A", "number": 1}"#, in: session)
        let stand = try Ticket.stand.map(#"{"id": 1}"#, in: session)
        let ticket = try Ticket.mapping.map(#"{"kind": "seat", "row": "A", "number": 1, "stand": 1}"#, in: session)
        #expect(ticket.place === seat && seat !== stand)
        try Ticket.mapping.update(ticket, from: #"{"kind": "stand"}"#, in: session)
        #expect(ticket.place === stand && ticket.seat === seat)
        try Ticket.mapping.update(ticket, from: #"{"kind": "lawn"}"#, in: session)
        #expect(ticket.place == nil && ticket.seat === seat)
    }

    // MARK: Mistakes

    private final class Careless: Mappable {
        var name = ""
        var id: Int?
        var other: Careless?
        var seat: Seat?
        var worker: Worker?
        var workers: [Worker] = []
        var names: Set<String> = []

        static let mapping: Mapping<Careless> = Mapping({ Careless() }) {
            Connection(\.other, by: \.id)
            Connection(\.seat, by: \.name)
            Connection(\.worker, by: \.name)
            Connection(\.workers, by: \.names)
            Connection(\.worker, by: \.id)
            Attribute("a.@avgg", \.id)
        }
    }

    @Test func `Connections without a possible target are mistakes of the mapping`() {
        expectIssues(
            """
            expected a mapping of Careless that is identified(by:) a property, found a mapping without an identity \
            (rule Careless.id -> Careless.other)
            expected a key for each of Seat.row, Seat.number, found 1 key (rule Careless.name -> Careless.seat)
            expected keys of the type Int, like Worker.id, found String (rule Careless.name -> Careless.worker)
            expected keys of the type Int, like Worker.id, found String (rule Careless.names -> Careless.workers)
            expected a collection operator, found '@avgg' in the key path 'a.@avgg' (rule a.@avgg -> Careless.id); \
            did you mean '@avg'?
            """
        ) { try Careless.mapping.validate() }
        expectIssues(issues { try Careless.mapping.validate() }) { _ = try Careless.mapping.map("{}") }
    }

    // MARK: Effort

    /// A quadratic search would take minutes.
    @Test(.timeLimit(.minutes(1))) func `Ten thousand objects are connected to a thousand`() throws {
        let session = MappingSession()
        let text = (0..<10_000).map { #"{"id": \#($0), "user_id": \#($0 % 1000), "watcher_ids": [\#($0 % 7), 2]}"# }
        let jobs = try Job.mapping.mapAll("[\(text.joined(separator: ","))]", in: session)
        #expect(session.unresolved.count == 30_000)
        let all = (0..<10_000).map(String.init).joined(separator: ",")
        let users = (0..<1000).map { #"{"id": \#($0), "job_ids": [\#($0 == 0 ? all : "")]}"# }
        let workers = try Worker.mapping.mapAll("[\(users.joined(separator: ","))]", in: session)
        defer { workers[0].release() }
        #expect(session.unresolved.isEmpty)
        #expect(jobs.allSatisfy { $0.user?.id == $0.id % 1000 && $0.watchers?.compactMap(\.id) == [$0.id % 7, 2] })
        #expect(workers[0].jobs.count == 10_000 && workers[0].jobs[9999] === jobs[9999])
    }
}
