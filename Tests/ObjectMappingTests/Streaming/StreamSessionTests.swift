import ObjectMapping
import Testing

struct StreamSessionTests {
    @Test func `Elements of a stream share a given session`() async throws {
        let session = MappingSession()
        let jobs = #"[{"id": 1, "user_id": 7}, {"id": 2, "user_id": 8}, {"id": 3, "user_id": 7}]"#
        var all: [Job] = []
        var stream = Job.mapping.stream(from: CountedChunks(jobs.utf8, by: 7), in: session)
        stream.windowSize = 8
        for try await job in stream { all.append(job) }
        #expect(all.allSatisfy { $0.user == nil })
        let workers = "{\"id\": 7}\n{\"id\": 8}\n"
        for try await worker in Worker.mapping.stream(
            from: CountedChunks(workers.utf8, by: 3), each: .line, in: session)
        {
            #expect(all.filter { $0.user === worker }.map(\.id) == (worker.id == 7 ? [1, 3] : [2]))
        }
        #expect(session.unresolved.isEmpty)
    }

    @Test func `A rejected element leaves the session unchanged`() async throws {
        let session = MappingSession()
        let text = Data(#"[{"id": 7, "boss": {"id": 8, "name": {}}}, {"id": 9}]"#.utf8)
        var count = 0
        for try await _ in Worker.mapping.stream(from: text, in: session, rejecting: { _ in }) { count += 1 }
        #expect(count == 1)
        #expect(session.find(Worker.self, 7) == nil && session.find(Worker.self, 8) == nil)
        #expect(session.find(Worker.self, 9) != nil)
    }

    @Test func `Without a session each element has its own, and nothing is kept`() async throws {
        let text = """
            [{"jobs": [{"id": 1, "user_id": 7}], "workers": [{"id": 7}]}, {"jobs": [{"id": 2, "user_id": 7}]}]
            """
        weak var first: Job?
        var count = 0
        for try await office in Office.mapping.stream(from: Data(text.utf8)) {
            let job = try #require(office.jobs.first)
            if count == 0 {
                #expect(job.user === office.workers.first)
                first = job
                office.workers.first?.release()
            } else {
                #expect(job.user == nil)
            }
            count += 1
        }
        #expect(count == 2)
        #expect(first == nil)
    }
}
