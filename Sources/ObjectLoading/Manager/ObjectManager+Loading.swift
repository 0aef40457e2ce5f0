/// The object that a response must contain.
struct Expectation: Sendable {
    let id: ObjectID
    /// Its saved properties when the request began, without changes.
    let changes: UnsavedChanges
}

/// The object that a response must contain, by its identity: an attribute and the text of its value for each known part.
struct ExpectedObject: Sendable {
    let type: ManagedObject.Type
    let identity: [(name: String, text: String)]

    func matches(_ object: ManagedObject) -> Bool {
        ObjectIdentifier(Swift.type(of: object)) == ObjectIdentifier(type)
            && identity.allSatisfy { object.hasIdentity($0.text, at: $0.name) }
    }
}

extension ObjectManager {
    /// Sends a request, and loads the objects and values of its response.
    ///
    /// - Parameters:
    ///   - expectation: An object that a response with a body must contain; `nil` for any.
    ///   - isConditional: Whether the server may answer that the stored objects are current.
    ///   - scope: The objects of the path, for which the time of the response is kept; `nil` without queries.
    ///   - keepsAnswer: Whether the result has what a pruning needs, and the response is recorded by it.
    func load(
        _ request: RESTRequest, _ owner: (any Hashable & Sendable)? = nil, _ policy: MappingReport.Policy = .fail,
        expecting expectation: Expectation? = nil, isConditional: Bool = true, scope: OfflineScope? = nil,
        keepsAnswer: Bool = false, object: ExpectedObject? = nil
    ) async throws -> LoadResult {
        let confirmations = keepsAnswer ? Confirmations() : nil
        let number = runningLoads.begin(confirmations)
        var result = try await loadUnlisted(
            request, owner, policy, expecting: expectation, isConditional: isConditional, scope: scope,
            keepsAnswer: keepsAnswer, object)
        if request.method == .get { runningLoads.end(number, result) }
        result.answer?.confirmations = confirmations.map { [$0] } ?? []
        return result
    }

    private func loadUnlisted(
        _ request: RESTRequest, _ owner: (any Hashable & Sendable)?, _ policy: MappingReport.Policy,
        expecting expectation: Expectation?, isConditional: Bool, scope: OfflineScope?, keepsAnswer: Bool,
        _ object: ExpectedObject?
    ) async throws -> LoadResult {
        var start = store?.commitMark()
        let earlier = isConditional ? await earlierLoad(by: request, of: expectation?.id) : nil
        var condition = earlier
        // A response that is unchanged prunes nothing.
        if keepsAnswer, let record = earlier?.record, try await hasOthers(than: record, scope) {
            condition = earlier?.unconditional
        }
        var reply = try await reply(to: request, owner, policy, since: condition)
        if let earlier, reply.confirmed != nil, start?.isLatest == false, await !isCurrent(earlier) {
            // What the server has confirmed was overwritten during the request.
            start = store?.commitMark()
            reply = try await self.reply(to: request, owner, policy)
        }
        let time = offline.now
        if let confirmed = reply.confirmed {
            // Without the time, the next load sends a request.
            if scope != nil, let earlier { try? await store?.confirmLoad(of: earlier.source, at: time) }
            return confirmed
        }
        return try await save(
            reply, isLoad: request.method == .get, since: start, earlier, expecting: expectation, at: time,
            isTimed: scope != nil, keepsAnswer: keepsAnswer, object: object)
    }

    /// Whether the store has objects of a path that an earlier response does not have: other loads have inserted them, or they
    /// had unsaved changes when it was pruned.
    private func hasOthers(than record: LoadRecord, _ scope: OfflineScope?) async throws -> Bool {
        guard let scope, let store else { return false }
        let known = Set(record.objects.values.joined())
        return try await store.ids(scope.queries).joined().contains { !known.contains($0) }
    }

    /// Maps a response, and saves its objects in one transaction.
    ///
    /// - Parameters:
    ///   - isLoad: Whether it is the response of a GET.
    ///   - start: The moment at which the request began.
    ///   - time: When it was received.
    ///   - isTimed: Whether the time is recorded in any case.
    func save(
        _ reply: Reply, isLoad: Bool, since start: CommitMark?, _ earlier: EarlierLoad? = nil,
        expecting expectation: Expectation? = nil, at time: Int64 = 0,
        isTimed: Bool = false, keepsAnswer: Bool = false, object expected: ExpectedObject? = nil
    ) async throws -> LoadResult {
        do {
            guard reply.isManaged || expectation != nil else { return try reply.map() }
            guard let store, let start else {
                throw LoadError(
                    .noStore, "the response contains managed objects; create the ObjectManager with a store",
                    response: reply.response)
            }
            return try await store.performWithLatest { context in
                try context.checkStore()
                context.savesReply()
                if isLoad { context.savesResponse(since: start) }
                let loaded = earlier.flatMap { reply.response.recorded($0.source, at: time, isTimed: isTimed) }
                if isLoad, expectation == nil, expected == nil,
                    let result = reply.saveRows(context, since: start, recording: loaded, keepsRows: keepsAnswer)
                {
                    return result
                }
                if earlier != nil || keepsAnswer { context.keepLoadedObjects() }
                let object = try expectation.map { try context.object(with: $0.id) }
                var isComplete = object.map { $0.hasSaved(expectation?.changes) } ?? true
                var models =
                    if let object, let expectation {
                        try context.update(object, expectation.changes, since: start) {
                            try context.map(reply, onto: object)
                        }
                    } else { try reply.map(into: context) }
                if let expected, reply.content != nil,
                    !reply.managedObjects(models).contains(where: expected.matches)
                {
                    throw LoadError(otherThan: expected, in: reply.response)
                }
                if let object, reply.content != nil { context.accept(object, nil) }
                // Their rows are newer than the response.
                let kept = [object].compactMap(\.self)
                if context.discardChanges(committedSince: start, except: kept) { isComplete = false }
                if try context.keepUnsentValues() { isComplete = false }
                if context.forgetResponses(savedSince: start) { isComplete = false }
                let recorded = isComplete ? reply.recorded(models, as: loaded) : nil
                if let recorded, !keepsAnswer { context.record(recorded) }
                let objects = keepsAnswer ? context.loadedObjects(reply.managedObjects(models)) : []
                let refused = try reply.locatingProblems(of: models) { () throws(StoreError) in
                    try context.saveWaiting(skippingElements: reply.report.policy != .fail, except: object)
                }
                if !refused.isEmpty { reply.reject(refused, in: &models) }
                // After the save, new objects have permanent IDs.
                var result = reply.result(models)
                if keepsAnswer {
                    let rows = context.loadedRows(objects, recording: refused.isEmpty ? recorded : nil)
                    result.answer = LoadedAnswer(reply, models, result, since: start, rows)
                }
                return result
            }
        } catch { throw reply.failure(error) }
    }

    /// Sends a request, and returns its response with the descriptors that apply to it.
    func reply(
        to request: RESTRequest, _ owner: (any Hashable & Sendable)? = nil, _ policy: MappingReport.Policy = .fail,
        since earlier: EarlierLoad? = nil
    ) async throws -> Reply {
        let report = MappingReport(policy: policy)
        if let earlier, let conditional = earlier.condition(for: request) {
            let response = try await queue.response(of: conditional, owner: owner)
            if let result = earlier.result(confirmedBy: response, report) {
                return Reply(response: response, report: report, content: nil, confirmed: result)
            }
            // A status 304 of another response is followed by a request without a condition.
            if !response.isNotModified { return try reply(to: request, response, report) }
        }
        return try reply(to: request, try await queue.response(of: request, owner: owner), report)
    }

    /// Returns a response with the descriptors that apply to it.
    func reply(to request: RESTRequest, _ response: RESTResponse, _ report: MappingReport) throws -> Reply {
        let (response, place) = try success(response)
        guard !response.isBlank else { return Reply(response: response, report: report, content: nil) }
        let matches: ResponseDescriptors.Matches
        do throws(LoadError) { matches = try responses.matches(place, isError: false) } catch {
            throw error.with(response)
        }
        let reader = ResponseReader(response)
        do throws(MappingError) {
            let options = MappingOptions(metadata: metadata(of: response, request, matches, place))
            let content = Reply.Content(matches: matches, body: try reader.payload(), options: options)
            return Reply(response: response, report: report, content: content)
        } catch { throw reader.failure(error) }
    }

    /// Sends a request, and returns its response if the status is 200 to 299.
    ///
    /// - Throws: `MappedRequestError` if there is no response, and for another status, with the models of the error
    ///   descriptors that apply to it.
    func success(
        of request: RESTRequest, _ owner: (any Hashable & Sendable)? = nil
    ) async throws(MappedRequestError) -> (response: RESTResponse, place: ResponseDescriptor.Place) {
        try success(try await queue.response(of: request, owner: owner))
    }

    private func success(
        _ response: RESTResponse
    ) throws(MappedRequestError) -> (response: RESTResponse, place: ResponseDescriptor.Place) {
        let place = ResponseDescriptor.Place(
            url: response.url, method: response.method, status: response.status, baseURL: client.baseURL)
        guard response.isSuccessful else { throw failure(of: response, place) }
        return (response, place)
    }

    /// The error of a response with another status, with the models of the error descriptors that apply to it.
    private func failure(of response: RESTResponse, _ place: ResponseDescriptor.Place) -> MappedRequestError {
        // A body that is not the error that was expected, such as a page of a proxy, is not another failure.
        let mapped = try? responses.matches(place, isError: true)
        let result = mapped.flatMap { matches in
            try? ResponseReader(response).read { (body) throws(MappingError) in try matches.payload.map(body) }
        }
        let models = (mapped?.descriptors ?? []).flatMap { descriptor -> [any Sendable] in
            guard let result, case .values(let values)? = descriptor.models(result) else { return [] }
            return values
        }
        return MappedRequestError(status: response, models: models)
    }

    /// The metadata for rules such as `.metadata("HTTP.response.headers.X-Rev")`.
    private func metadata(
        of response: RESTResponse, _ request: RESTRequest, _ matches: ResponseDescriptors.Matches,
        _ place: ResponseDescriptor.Place
    ) -> JSON {
        let parameters = matches.descriptors.reduce(into: [:]) {
            $0.merge($1.parameters(in: place)) { first, _ in first }
        }
        let items = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true)?.queryItems } ?? []
        // Names of fields are case-insensitive, and members are not: servers and proxies write `x-rev` for `X-Rev`.
        let headers = response.headers.flatMap { field in
            let value = JSON.string(response.headers[field.name] ?? field.value)
            return Set([field.name, field.name.capitalized, field.name.lowercased()]).map { (key: $0, value: value) }
        }
        return [
            "HTTP": [
                "request": [
                    "URL": .string(request.url?.absoluteString ?? ""), "method": .string(request.method.rawValue),
                ],
                "response": [
                    "URL": .string(response.url.absoluteString), "status": .integer(response.status),
                    "headers": .object(JSONObject(headers)),
                ],
            ],
            "routing": ["parameters": .object(JSONObject(parameters.map { (key: $0.key, value: .string($0.value)) }))],
            "query": [
                "parameters": .object(JSONObject(items.map { (key: $0.name, value: .string($0.value ?? "")) }))
            ],
        ]
    }
}

extension ObjectContext {
    /// Maps a response onto an object.
    ///
    /// - Throws: `LoadError` if the response has another identity, or objects without this one.
    func map(_ reply: Reply, onto object: ManagedObject) throws -> Reply.Models {
        let identity = object.identityValues
        let advice =
            object.managed.state == .inserted
            ? "leave the identity of a new object unassigned if the server assigns it"
            : "check the path of its route and the identity in the response"
        let other = LoadError(
            .otherObject,
            "\(reply.response.summary): expected the object \(object.managed.id), found the identity of another one; "
                + advice, response: reply.response)
        let models: Reply.Models
        do { models = try reply.map(into: self, updating: object) } catch let error as MappingError {
            // An object without identity is merged into the one that has it.
            guard hasRejectedIdentity, !identity.allSatisfy({ $0 == nil }) else { throw error }
            throw other
        }
        guard object.keepsIdentity(identity) else { throw other }
        return models
    }

    /// Saves the objects of a response.
    ///
    /// - Parameters:
    ///   - isSkipping: Whether objects that the store refuses are discarded, and the others saved.
    ///   - object: An object whose refusal is an error in any case; `nil` for none.
    /// - Returns: The objects that were discarded.
    fileprivate func saveWaiting(
        skippingElements isSkipping: Bool, except object: ManagedObject?
    ) throws(StoreError) -> [Refused] {
        var refused: [Refused] = []
        while true {
            do throws(StoreError) {
                try saveWaiting()
                return refused
            } catch {
                guard isSkipping, error.kind == .invalidObjects else { throw error }
                if let object, error.problems.contains(where: { $0.object == object.managed.id }) { throw error }
                let new = discardRefused(by: error)
                guard !new.isEmpty else { throw error }
                refused += new
            }
        }
    }
}

extension LoadError {
    fileprivate init(otherThan expected: ExpectedObject, in response: RESTResponse) {
        let identity = expected.identity.map { "\($0.name) \($0.text)" }.joined(separator: ", ")
        self.init(
            .otherObject,
            "\(response.summary): expected the \(expected.type) with \(identity), found another object or none; check the path "
                + "of its route, the key paths and the identity in the response", response: response)
    }
}
