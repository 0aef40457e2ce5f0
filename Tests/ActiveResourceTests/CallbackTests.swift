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

    fileprivate struct Eager: Resource {
        static var site: ResourceSite { Service.site }
        var id: Int?
        var name = ""
        var resource = ResourceState()
        static let mapping = Mapping(Eager.init) {
            Attribute("id", \.id); Attribute("name", \.name)
        }
        static let callbacks = ResourceCallbacks<Eager>()
            .before(.validation) { if $0.name == "valid" { _ = try? $0.saveSync() } }
            .before(.save) { if $0.name == "saved" { _ = try $0.saveSync() } }
            .before(.create) { if $0.name == "created" { _ = try? $0.saveSync() } }
    }

    @Test func `A record that a callback saves is sent once`() async throws {
        try await serving(["POST /eagers.json": .json(#"{"id": 1}"#, 201)]) { (service) async throws in
            for name in ["valid", "created"] {
                var record = Eager(name: name)
                #expect(try await record.save())
                #expect(record.id == 1 && !record.isNew)
            }
            #expect(service.requests.count == 2)
            var record = Eager(name: "saved")
            let error = await #expect(throws: ResourceError.self) { try await record.save() }
            #expect((error?.underlying as? ResourceError)?.kind == .saveInProgress || error?.kind == .saveInProgress)
            record.name = "later"
            #expect(try await record.save())
            #expect(service.requests.count == 3)
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

    @Test func `An error that was rescued is thrown by calls that throw`() async throws {
        let events = Events()
        try await serving(["POST /jobs.json": .json("{}", 409)]) { (_) async throws in
            await Self.log.withValue(events) {
                var job = Job(name: "x")
                let error = await #expect(throws: ResourceError.self) { try await job.saveOrThrow() }
                let other = await #expect(throws: ResourceError.self) { try await Job(name: "y").saved() }
                #expect(error?.kind == .conflict && other?.kind == .conflict)
            }
        }
        #expect(events.all.filter { $0.hasPrefix("rescued") } == ["rescued conflict of x!", "rescued conflict of y!"])
    }

    @Test func `A cancelled save is an error of a call that throws`() async throws {
        try await serving([:]) { (service) async throws in
            var job = Job(name: "stop")
            let error = await #expect(throws: ResourceError.self) { try await job.saveOrThrow() }
            #expect(error?.kind == .callbackCancelled && error?.description == "a callback cancelled the save")
            #expect(service.requests.isEmpty)
        }
    }

    fileprivate struct Check: Resource {
        static var site: ResourceSite { Service.site }
        var id: Int?
        var name = ""
        var resource = ResourceState()
        static let mapping = Mapping(Check.init) {
            Attribute("id", \.id); Attribute("name", \.name)
        }
        static let callbacks = ResourceCallbacks<Check>()
            .before(.validation) { $0.name = $0.name.lowercased() }
            .before(.validation) { if $0.name == "stop" { throw ResourceCallbackAbort() } }
            .before(.validation) { if $0.name == "fail" { throw CancellationError() } }
            .before(.destroy) { if $0.name == "keep" { throw ResourceCallbackAbort() } }

        func validate(_ errors: inout ResourceErrors) { if name != "ok" { errors.add("is not ok", to: "name") } }
    }

    @Test(arguments: [
        ("OK", []), ("no", ["Name is not ok"]), ("Stop", ["a callback cancelled the validation"]),
        ("fail", ["a callback threw CancellationError"]),
    ])
    func `Whether a record is valid depends on the callbacks of a save`(_ name: String, _ messages: [String])
        async throws
    {
        try await serving(["POST /checks.json": .json(#"{"id": 1}"#, 201)]) { (service) async throws in
            var check = Check(name: name)
            #expect(check.validationErrors.fullMessages == messages && check.isValid == messages.isEmpty)
            #expect(check.name == name)
            let isSaved = try? await check.save()
            #expect((isSaved == true) == messages.isEmpty && service.requests.count == (messages.isEmpty ? 1 : 0))
        }
    }

    @Test func `Synchronous calls have the callbacks of the others`() async throws {
        let answers = [
            "DELETE /checks/1.json": Answer(204), "DELETE /jobs/1.json": Answer(204),
            "GET /jobs/1.json": .json(#"{"id": 1}"#),
        ]
        let events = Events()
        try await serving(answers) { (service) async throws in
            try Self.log.withValue(events) { try deleteSynchronously() }
            #expect(service.requests == ["DELETE /checks/1.json", "GET /jobs/1.json", "DELETE /jobs/1.json"])
        }
        let expected = ["reload", "destroy"].flatMap { ["before \($0)", "begin \($0)", "end \($0)", "after \($0)"] }
        #expect(events.all == expected)
    }
}

private func deleteSynchronously() throws {
    let kept = try CallbackTests.Check(id: 1, name: "keep").destroySync()
    #expect(kept == nil)
    try CallbackTests.Check(id: 1).destroySync()
    var job = CallbackTests.Job(id: 1)
    try job.reloadSync()
    try job.destroySync()
}
