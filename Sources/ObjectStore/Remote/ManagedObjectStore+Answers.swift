extension ManagedObjectStore {
    /// The remote.
    ///
    /// - Throws: `StoreError` of kind `misuse` for a store without a remote.
    var connectedRemote: RemoteConnection {
        get throws(StoreError) {
            guard let remote else {
                throw StoreError(
                    .misuse, "the store has no remote", advice: "open it with ManagedObjectStore.open(at:model:remote:)"
                )
            }
            return remote
        }
    }

    /// Imports the answer of the remote to a fetch.
    ///
    /// - Parameter isConditional: Whether the remote can answer that nothing has changed; otherwise others can be pruned.
    func load(
        _ fetch: RemoteFetch, isConditional: Bool, from remote: RemoteConnection
    ) async throws -> RemoteConnection.FetchedRows {
        let source = LoadSource(fetch)
        // Without the record, the remote returns the objects.
        let record = isConditional ? try? await loadRecord(of: source) : nil
        let fetch = fetch.knowing(record?.tag)
        remote.report(.willFetch(fetch))
        do {
            return try await remote.loading { deletions in
                try await load(fetch, record, source, from: remote, without: deletions, canPrune: !isConditional)
            }
        } catch {
            remote.report(.didFetch(fetch, .failure(error)))
            throw error
        }
    }

    private func load(
        _ fetch: RemoteFetch, _ record: LoadRecord?, _ source: LoadSource, from remote: RemoteConnection,
        without deletions: RemoteConnection.LaterDeletions, canPrune: Bool
    ) async throws -> RemoteConnection.FetchedRows {
        let (mark, time) = (commitMark(), Self.now)
        let answer = try await remote.remote.fetch(fetch)
        try Task.checkCancellation()
        if answer.isUnchanged { return try await confirm(record, fetch, source, time, remote) }
        let version = answer.version
        let decidesRange = answer.decidesRange(of: fetch)
        let response = LoadedResponse(source, tag: version, date: nil, time: time)
        let written = decidesRange ? nil : try await saveRows(of: answer, since: mark, without: deletions, response)
        let (ids, rows) =
            if let written { written } else {
                try await load(answer, since: mark, without: deletions) { objects, context, isCurrent in
                    let entity = context.core.store.entities.first { $0.name == fetch.entity }?.index
                    var parts: [Int: [ManagedObject]] = [:]
                    if version != nil { parts[LoadRecord.answer] = objects }
                    if decidesRange {
                        parts[LoadRecord.range] = Array(
                            objects.filter { Int($0.entityIndex) == entity }.prefix(fetch.limit ?? .max))
                    }
                    context.record(
                        RecordedResponse(isCurrent ? response : response.withoutTag, parts),
                        isConditional: version != nil)
                }
            }
        remote.report(.didFetch(fetch, .success(ids)))
        let own = ids.filter { $0.entity == fetch.entity }
        let range = decidesRange ? Array(own.prefix(fetch.limit ?? .max)) : nil
        guard canPrune else { return RemoteConnection.FetchedRows(range: range, answer: nil) }
        let reason =
            if !fetch.isUnrestricted { "the fetch has conditions, a limit or an offset" } else {
                // An answer with other objects only says nothing about these.
                answer.defect(with: ids)
                    ?? (own.isEmpty == ids.isEmpty ? nil : "it has no objects of '\(fetch.entity)', and others")
            }
        return RemoteConnection.FetchedRows(
            range: range, answer: reason.map { .incomplete($0) } ?? .complete(rows, mark))
    }

    /// Uses the objects of the last answer, because the remote has no others.
    private func confirm(
        _ record: LoadRecord?, _ fetch: RemoteFetch, _ source: LoadSource, _ time: Int64, _ remote: RemoteConnection
    ) async throws -> RemoteConnection.FetchedRows {
        guard let record, record.tag != nil else {
            throw RemoteError(
                .invalidResult, "expected objects, found an unchanged answer to a fetch without known version")
        }
        try await confirmLoad(of: source, at: time)
        remote.report(.didFetch(fetch, .success(record.objects[LoadRecord.answer].map(Array.init) ?? [])))
        return RemoteConnection.FetchedRows(range: record.objects[LoadRecord.range].map(Array.init), answer: nil)
    }

    /// Returns the last answer to a fetch; `nil` if it is older than an age.
    func answer(to fetch: RemoteFetch, upTo age: Duration) async -> RemoteConnection.FetchedRows? {
        guard let record = try? await loadRecord(of: LoadSource(fetch), isStale: true),
            record.time > 0
        else { return nil }
        let passed = Self.now - record.time
        // The clock may have been set back.
        guard passed >= 0, .milliseconds(passed) < age else { return nil }
        return RemoteConnection.FetchedRows(range: record.objects[LoadRecord.range].map(Array.init), answer: nil)
    }

    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

    /// Writes objects of a remote as rows, if they need not be created.
    ///
    /// - Parameter response: What is recorded of the answer.
    /// - Returns: The IDs of the objects, and the rows of all objects in the answer; `nil` if nothing was written.
    private func saveRows(
        of answer: RemoteObjects, since mark: CommitMark, without deletions: RemoteConnection.LaterDeletions,
        _ response: LoadedResponse
    ) async throws -> (objects: [ObjectID], rows: LoadedRows)? {
        guard !answer.rows.isEmpty, answer.identity.isEmpty else { return nil }
        return try await performWithLatest { context in
            context.savesReply()
            context.savesResponse(since: mark)
            guard deletions.isEmpty,
                let saved = context.saveRows(
                    of: answer.rows, since: mark, recording: response, isOnePart: true, keepsRows: true),
                let rows = saved.rows
            else { return nil }
            return (saved.objects.flatMap(Array.init), rows)
        }
    }

    /// Imports objects of a remote in one transaction.
    ///
    /// - Parameters:
    ///   - answer: The objects.
    ///   - mark: The moment at which the request began: rows that were committed later keep their values.
    ///   - deletions: The objects that the remote has deleted since.
    ///   - finish: Connects or records the objects in the same transaction, with whether the rows have the values of the
    ///     answer. Defaults to nothing.
    /// - Returns: The IDs of the objects, in the order of the answer, and the rows of all objects in it.
    func load(
        _ answer: RemoteObjects, since mark: CommitMark,
        without deletions: RemoteConnection.LaterDeletions,
        finish: @escaping @Sendable ([ManagedObject], ObjectContext, Bool) throws -> Void = { _, _, _ in }
    ) async throws -> (objects: [ObjectID], rows: LoadedRows) {
        try await performWithLatest { context in
            context.savesReply()
            context.savesResponse(since: mark)
            context.keepLoadedObjects()
            var objects = try answer.load(context)
            var isCurrent = !context.discardObjects(in: deletions)
            if context.discardChanges(committedSince: mark) { isCurrent = false }
            objects.removeAll { $0.core !== context.core }
            if try context.keepUnsentValues() { isCurrent = false }
            if context.forgetResponses(savedSince: mark) { isCurrent = false }
            try finish(objects, context, isCurrent)
            // Not what was only changed by their inverses.
            let all = context.payloadObjects(objects)
            try context.saveWaiting()
            // After the save, new objects have permanent IDs.
            return (objects.map(context.core.id), context.loadedRows(all, recording: nil))
        }
    }
}

extension ObjectContext {
    /// Discards the new objects that a remote has deleted after it was asked for them.
    ///
    /// - Returns: Whether there were any.
    fileprivate func discardObjects(in deletions: RemoteConnection.LaterDeletions) -> Bool {
        core.reconcile()
        let deleted = core.changedObjects.filter { object in
            object.state?.phase == .inserted
                && deletions.contains(core.entity(of: object).name, object.identityValues)
        }
        for object in deleted { delete(object) }
        return !deleted.isEmpty
    }
}

extension LoadSource {
    /// The answers of the remote to a fetch.
    fileprivate init(_ fetch: RemoteFetch) { self.init(request: "fetch \(fetch)", account: "", mapping: "") }
}

extension LoadRecord {
    /// The parts of an answer to a fetch: all of its objects, and those of a limited fetch.
    fileprivate static let (answer, range) = (0, 1)
}
