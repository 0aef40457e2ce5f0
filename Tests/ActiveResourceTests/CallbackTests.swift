import ActiveResource
import LoopbackServer
import Testing

@Suite("Callbacks of resources")
struct CallbackTests {
    private static let log = TaskLocal<Events?>(wrappedValue: nil)
    fileprivate static func note(_ text: String) { log.get()?.add(text) }

    fileprivate struct Job: Resource {
        static var site: ResourceSite { Service.site }
        var id: Int?
        var name = ""
        var resource = ResourceState()
        static let mapping = Mapping(Job.init) {
            Attribute("id", \.id); Attribute("name", \.name)
        }

        static let callbacks: ResourceCallbacks<Job> = {
            var callbacks = ResourceCallbacks<Job>()
            let events: [ResourceCallbacks<Job>.Event] = [.validation, .save, .create, .update, .destroy, .reload]
            for event in events {
                callbacks = callbacks.before(event) { _ in note("before \(event)") }
                    .after(event) { _ in note("after \(event)") }
                    .around(event) { _ in
                        note("begin \(event)")
                        return { _ in note("end \(event)") }
                    }
            }
            return callbacks.before(.save) { if $0.name == "stop" { throw ResourceCallbackAbort() } }
                .before(.save) { if $0.name == "fail" { throw CancellationError() } }
                .before(.create) { $0.name += "!" }
                .rescue(.conflict) { job, error in note("rescued \(error.kind) of \(job.name)") }
        }()
    }

    @Test func `Callbacks are called in the order of Rails, and can change the record`() async throws {
        let events = Events()
        let answers = ["POST /jobs.json": Answer.json(#"{"id": 1}"#, 201), "DELETE /jobs/1.json": Answer(204)]
        try await serving(answers) { (service) async throws in
            try await Self.log.withValue(events) {
                var job = Job(name: "x")
                #expect(try await job.save())
                try await job.destroy()
            }
            #expect(service.requests.first == #"POST /jobs.json {"name":"x!"}"#)
        }
        let expected =
            ["validation"].flatMap { ["before \($0)", "begin \($0)", "end \($0)", "after \($0)"] }
            + ["before save", "begin save", "before create", "begin create", "end create", "after create", "end save"]
            + ["after save", "before destroy", "begin destroy", "end destroy", "after destroy"]
        #expect(events.all == expected)
    }

    @Test func `A callback can cancel the operation, and its error is an error of the operation`() async throws {
        try await serving([:]) { (service) async throws in
            var job = Job(name: "stop")
            #expect(try await !job.save())
            job.name = "fail"
            let error = await #expect(throws: ResourceError.self) { try await job.save() }
            #expect(error?.kind == .callbackFailed && error?.underlying is CancellationError)
            #expect(service.requests.isEmpty)
        }
    }

    @Test func `An error is rescued by its kind`() async throws {
        let events = Events()
        try await serving(["POST /jobs.json": .json("{}", 409)]) { (_) async throws in
            try await Self.log.withValue(events) {
                var job = Job(name: "x")
                let isSaved = try await job.save()
                #expect(!isSaved)
            }
        }
        #expect(events.all.last == "rescued conflict of x!")
    }
}
