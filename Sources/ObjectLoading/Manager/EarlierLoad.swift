/// A load of a request whose objects may be in the store, so that they are not mapped again if they are current.
struct EarlierLoad: Sendable {
    let source: LoadSource
    let descriptors: [ResponseDescriptor]
    /// The earlier response; `nil` without one, or if some of its rows were deleted.
    let record: LoadRecord?

    /// The load without the response, so that the next one is complete.
    var unconditional: EarlierLoad { EarlierLoad(source: source, descriptors: descriptors, record: nil) }

    /// Returns the request that asks whether the objects are current; `nil` without an earlier response.
    func condition(for request: RESTRequest) -> RESTRequest? {
        guard let record, record.tag != nil || record.date != nil else { return nil }
        var request = request
        // A cache has the body, also for other readers, and adds its own conditions.
        guard !request.usesCache else { return request }
        request.headers["If-None-Match"] = record.tag
        request.headers["If-Modified-Since"] = record.date
        return request
    }

    /// Returns the stored objects if a response is the earlier one.
    func result(confirmedBy response: RESTResponse, _ report: MappingReport) -> LoadResult? {
        guard let record, record.tag != nil || record.date != nil else { return nil }
        let (tag, date) = (response.headers["ETag"], response.headers["Last-Modified"])
        let isConfirmed =
            response.isNotModified
            ? response.headers.confirm(record.tag)
            : response.isFromCache && (tag, date) == (record.tag, record.date)
        guard isConfirmed else { return nil }
        let parts = descriptors.enumerated().compactMap { index, descriptor in
            record.objects[index].map { LoadResult.Part(keyPath: descriptor.keyPath, models: .objects($0)) }
        }
        return LoadResult(parts: parts, response: response, report: report)
    }
}

extension ObjectManager {
    /// Returns the earlier load of a request; `nil` if its response is not recorded.
    ///
    /// - Parameter id: An object that the response must contain; `nil` for any.
    func earlierLoad(by request: RESTRequest, of id: ObjectID?) async -> EarlierLoad? {
        guard let store, let url = request.url, let key = request.responseKey(salt: store.salt) else { return nil }
        let place = ResponseDescriptor.Place(url: url, method: .get, status: 200, baseURL: client.baseURL)
        guard let matches = try? responses.matches(place, isError: false),
            matches.descriptors.allSatisfy(\.isManaged)
        else { return nil }
        let source = LoadSource(
            request: key.request, account: key.user, mapping: responses.digest(of: matches))
        // Without the record, the request is sent without a condition.
        var record = try? await store.loadRecord(of: source)
        if let id, record?.objects.values.contains(where: { $0.contains(id) }) != true { record = nil }
        return EarlierLoad(source: source, descriptors: matches.descriptors, record: record)
    }
}

extension ObjectManager {
    /// Whether the rows of an earlier load are still those of its response.
    func isCurrent(_ earlier: EarlierLoad) async -> Bool {
        guard let known = earlier.record, let record = try? await store?.loadRecord(of: earlier.source) else {
            return false
        }
        return (record.tag, record.date) == (known.tag, known.date)
    }
}

extension RESTResponse {
    /// Whether a later load can use the response.
    var isStorable: Bool { status == 200 && redirects == 0 && headers.allowStoring }

    /// Returns what is recorded of the response; `nil` if no later load can use it.
    ///
    /// - Parameters:
    ///   - time: When it was received.
    ///   - isTimed: Whether later loads use the time.
    func recorded(_ source: LoadSource, at time: Int64, isTimed: Bool) -> LoadedResponse? {
        let (tag, date) = (headers["ETag"], headers["Last-Modified"])
        guard isStorable, tag != nil || date != nil || isTimed else { return nil }
        return LoadedResponse(source, tag: tag, date: date, time: time)
    }

    /// Whether a later request can ask if the response is current.
    var isValidated: Bool {
        isStorable && (headers["ETag"] != nil || headers["Last-Modified"] != nil)
    }
}
