import ObjectMapping
import Testing

struct ConnectionTests {
    @Test(arguments: [
        #"{"jobs": [{"id": 1, "user_id": 7}, {"id": 2, "user_id": "7"}], "workers": [{"id": 7, "job_ids": [2, 1]}]}"#,
        #"{"workers": [{"id": 7, "job_ids": [2, 1]}], "jobs": [{"id": 1, "user_id": 7}, {"id": 2, "user_id": "7"}]}"#,
        #"{"workers": [{"job_ids": [2, 1], "id": 7}], "jobs": [{"user_id": 7, "id": 1}, {"user_id": "7", "id": 2}]}"#,
    ]) func `Objects of one payload are connected in any order`(text: String) throws {
        let office = try Office.mapping.map(text)
        let worker = try #require(office.workers.first)
        defer { worker.release() }
        #expect(office.jobs.allSatisfy { $0.user === worker })
        #expect(worker.jobs.map(\.id) == [2, 1])
        #expect(worker.jobs[0] === office.jobs[1])
    }

    @Test func `Targets that come in a later payload are connected then`() throws {
        let session = MappingSession()
        let jobs = try Job.mapping.mapAll(
            #"[{"id": 1, "user_id": 7, "watcher_ids": [9, 7, 8]}, {"id": 2, "user_id": 8}]"#, in: session)
        #expect(jobs[0].user == nil && jobs[0].watchers?.isEmpty == true)
        #expect(
            session.unresolved.map(\.debugDescription) == [
                "Job.user waits for a Worker with the key 7", "Job.watchers waits for a Worker with the key 9",
                "Job.watchers waits for a Worker with the key 7", "Job.watchers waits for a Worker with the key 8",
                "Job.user waits for a Worker with the key 8",
            ])
        let first = try Worker.mapping.map(#"{"id": 7, "name": "Ann"}"#, in: session)
        #expect(jobs[0].user === first && jobs[0].watchers?.compactMap(\.id) == [7])
        let others = try Worker.mapping.mapAll(#"[{"id": 8}, {"id": 9}]"#, in: session)
        #expect(jobs[1].user === others[0] && jobs[0].watchers?.compactMap(\.id) == [9, 7, 8])
        #expect(session.unresolved.isEmpty)
        #expect(session.find(Worker.self, 7) === first && session.find(Worker.self, 10) == nil)
        #expect(session.all(Job.self).map(\.id) == [1, 2])
    }
}
