/// The response of a success, with what maps its body.
struct Reply: Sendable {
    /// A body that is not empty, with the descriptors that apply to it.
    struct Content: Sendable {
        let matches: ResponseDescriptors.Matches
        let body: Payload
        let options: MappingOptions
    }

    let response: RESTResponse
    let report: MappingReport
    /// `nil` for an empty body.
    let content: Content?
    /// The stored objects, if the server confirmed that they are current.
    var confirmed: LoadResult?

    /// Whether the body has managed objects.
    var isManaged: Bool { content?.matches.isManaged ?? false }

    /// The mapped models, whose objects have permanent IDs after the save.
    struct Models {
        /// The expected object, and the number of the descriptor at whose key path the body has it.
        fileprivate var updated: (index: Int, object: ManagedObject)?
        /// The models of the other descriptors.
        fileprivate var mapped: (result: MappingResult, report: MappingReport)?
        /// The objects of all descriptors, whose rows were written without creating them; `nil` for others.
        fileprivate var rows: [LoadedIDs]?

        /// Returns the managed objects of a descriptor; `nil` without a value in the body.
        fileprivate func objects(_ index: Int, _ descriptor: ResponseDescriptor) -> [ManagedObject]? {
            if let updated, updated.index == index { return [updated.object] }
            return mapped.flatMap { descriptor.objects($0.result) }
        }

        /// Returns the models of a descriptor; `nil` without a value in the body.
        fileprivate func models(_ index: Int, _ descriptor: ResponseDescriptor) -> ResponseDescriptor.Models? {
            if let rows { return .objects(rows[index]) }
            if let updated, updated.index == index {
                return .objects(LoadedIDs([updated.object].filter { $0.managed.context != nil }.map(\.managed.id)))
            }
            return mapped.flatMap { descriptor.models($0.result) }
        }
    }

    /// Returns the models as a result.
    func result(_ models: Models) -> LoadResult {
        let descriptors = content?.matches.descriptors ?? []
        let parts = descriptors.enumerated().compactMap { index, descriptor in
            models.models(index, descriptor).map { found in
                LoadResult.Part(
                    keyPath: descriptor.keyPath, models: found,
                    nullCount: models.mapped?.result.nullCount(at: descriptor.keyPath) ?? 0)
            }
        }
        return LoadResult(parts: parts, response: response, report: models.mapped?.report ?? report)
    }

    /// Returns what is recorded of the response with its objects; `nil` unless the body is complete, without other models.
    func recorded(_ models: Models, as response: LoadedResponse?) -> RecordedResponse? {
        guard let response, let content, content.matches.descriptors.allSatisfy(\.isManaged) else { return nil }
        guard models.mapped != nil || models.updated != nil, models.mapped?.report.rejected.isEmpty ?? true else {
            return nil
        }
        let objects = content.matches.descriptors.enumerated().reduce(into: [:]) { objects, descriptor in
            objects[descriptor.offset] = models.objects(descriptor.offset, descriptor.element)
        }
        return RecordedResponse(response, objects)
    }

    /// Adds objects that the store has refused to the rejected elements of the report.
    func reject(_ refused: [ObjectContext.Refused], in models: inout Models) {
        guard var mapped = models.mapped else { return }
        let places = places(of: models)
        for refused in refused {
            let place = places[ObjectIdentifier(refused.object)]
            let issue = MappingIssue(
                kind: .dataSource, path: place?.path ?? "$", expected: "an object that the store can hold",
                found: "\(type(of: refused.object)): \(refused.reasons.joined(separator: "; "))",
                value: refused.identity)
            mapped.report.issues.append(issue)
            // An object inside of an element is an issue of it, whose other values are saved.
            guard let place else { continue }
            mapped.report.rejected.append(
                RejectedElement(index: place.index, path: place.path, json: place.json.data, issues: [issue]))
        }
        mapped.report.rejected.sort { $0.index < $1.index }
        models.mapped = mapped
    }

    /// Adds the paths of objects in the body to the problems of an error that a closure throws.
    func locatingProblems<Result>(
        of models: Models, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        do throws(StoreError) { return try body() } catch {
            guard error.kind == .invalidObjects else { throw error }
            let places = places(of: models).values
            let paths = Dictionary(places.map { ($0.id, $0.path) }, uniquingKeysWith: { first, _ in first })
            var error = error
            error.problems = error.problems.map { problem in
                var problem = problem
                problem.path = paths[problem.object]
                return problem
            }
            throw error
        }
    }

    /// The place of an object in the body.
    private typealias Place = (id: ObjectID, path: String, index: Int, json: JSON)

    /// Returns the places of the managed objects in the body.
    private func places(of models: Models) -> [ObjectIdentifier: Place] {
        guard let content, let mapped = models.mapped, let body = try? content.body.json else { return [:] }
        var places: [ObjectIdentifier: Place] = [:]
        for (index, descriptor) in content.matches.descriptors.enumerated() where descriptor.isManaged {
            let base = "$" + (descriptor.keyPath.description.isEmpty ? "" : ".\(descriptor.keyPath)")
            let known = Set(mapped.report.rejected.filter { $0.path.hasPrefix("\(base)[") }.map(\.index))
            let value = body[at: descriptor.keyPath]
            let elements = value.array
            var place = 0
            for object in models.objects(index, descriptor) ?? [] {
                while known.contains(place) || elements.map({ place < $0.count && $0[place].isNull }) ?? false {
                    place += 1
                }
                let id = object.managed.id
                if let elements {
                    let element = place < elements.count ? elements[place] : .null
                    places[ObjectIdentifier(object)] = (id, "\(base)[\(place)]", place, element)
                } else {
                    places[ObjectIdentifier(object)] = (id, base, place, value)
                }
                place += 1
            }
        }
        return places
    }

    /// The reason why the response lacks objects of its path, apart from its body; `nil` if it can have all of them.
    var responseDefect: String? {
        if response.status != 200 { return "the status is \(response.status), not 200" }
        if response.redirects > 0 { return "the request was redirected" }
        if let field = response.unreadableField { return "the field '\(field)' cannot be read" }
        // A stored response that the server did not confirm is older than the request.
        return response.isFromCache && !response.isRevalidated ? "it is from the cache" : nil
    }

    /// Returns the reason why a response does not have all objects of its path; `nil` if it does.
    func defect(_ models: Models) -> String? {
        if let responseDefect { return responseDefect }
        if models.rows != nil { return nil }
        guard let content, let mapped = models.mapped else { return "the body has no list" }
        guard mapped.report.rejected.isEmpty, mapped.report.issues.isEmpty else { return "the body has issues" }
        for descriptor in content.matches.descriptors where descriptor.isManaged {
            let keyPath = descriptor.keyPath
            if descriptor.objects(mapped.result) == nil { return "the body has no value at '\(keyPath)'" }
            if mapped.result.nullCount(at: keyPath) > 0 { return "the body has null elements at '\(keyPath)'" }
        }
        return nil
    }

    /// Returns the managed objects in the body, in the order of the descriptors.
    func managedObjects(_ models: Models) -> [ManagedObject] {
        (content?.matches.descriptors ?? []).enumerated().flatMap { index, descriptor in
            descriptor.isManaged ? models.objects(index, descriptor) ?? [] : []
        }
        .filter { $0.managed.context != nil }
    }

    /// Maps a body without managed objects.
    func map() throws(MappingError) -> LoadResult {
        guard let content else { return result(Models()) }
        var report = report
        let mapped = try content.matches.payload.map(content.body, options: content.options, report: &report)
        return result(Models(mapped: (mapped, report)))
    }

    /// Maps the body into a context.
    ///
    /// - Parameter object: An object that the body must contain if it has managed objects; `nil` for any.
    func map(into context: ObjectContext, updating object: ManagedObject? = nil) throws -> Models {
        var models = Models()
        guard let content else { return models }
        let descriptors = content.matches.descriptors
        var payload = content.matches.payload
        if let object, isManaged {
            let body = try content.body.json
            if let (index, value) = object.part(of: body, descriptors) {
                try descriptors[index].update?(object, value, content.options)
                models.updated = (index, object)
                // The others are optional: the response has what was requested.
                let others = descriptors.indices.filter { other in
                    if other != index, case .absent = descriptors[other].content(of: body) { return false }
                    return other != index
                }
                guard !others.isEmpty else { return models }
                payload = PayloadMapping { for index in others { descriptors[index].root } }
            }
        }
        var report = report
        let found = try context.map(content.body, with: payload, options: content.options, report: &report)
        if let object, isManaged, models.updated == nil,
            !found.models.contains(where: { ($0 as? ManagedObject) === object })
        {
            throw LoadError(
                otherThan: object.managed.id, in: response,
                at: descriptors.filter { $0.isFor(object) }.map { "\($0.keyPath)" })
        }
        models.mapped = (found, report)
        return models
    }

    /// The body as rows; `nil` if it has other models.
    var rowContent: RowContent? {
        guard let content, let text = content.body.receivedText else { return nil }
        let parts = content.matches.descriptors.compactMap(\.rows)
        guard parts.count == content.matches.descriptors.count else { return nil }
        return RowContent(text, metadata: content.options.metadata, parts)
    }

    /// Saves the objects in the body as rows.
    ///
    /// - Parameters:
    ///   - mark: The moment at which the request began.
    ///   - response: What is recorded of the response; `nil` for nothing.
    ///   - keepsRows: Whether a pruning needs the rows.
    /// - Returns: The result with what a pruning needs; `nil` if the body has to be mapped to objects.
    func saveRows(
        _ context: ObjectContext, since mark: CommitMark, recording response: LoadedResponse?, keepsRows: Bool
    ) -> LoadResult? {
        guard let rows = rowContent,
            let saved = context.saveRows(of: [rows], since: mark, recording: response, keepsRows: keepsRows)
        else { return nil }
        let models = Models(rows: saved.objects)
        var result = result(models)
        result.answer = saved.rows.map { LoadedAnswer(self, models, result, since: mark, $0) }
        return result
    }

    /// Returns an error of the mapping as that of the response.
    func failure(_ error: any Error) -> any Error {
        (error as? MappingError).map(ResponseReader(response).failure) ?? error
    }
}

extension ManagedObject {
    /// Returns the value of the object in a body, with or without its identity, and the number of its descriptor.
    ///
    /// - Returns: The only object at the key paths of its class, or the only element of their only list; otherwise `nil`.
    fileprivate func part(of body: JSON, _ descriptors: [ResponseDescriptor]) -> (index: Int, value: JSON)? {
        var (objects, singles, others): ([(Int, JSON)], [(Int, JSON)], Int) = ([], [], 0)
        for (index, descriptor) in descriptors.enumerated() where descriptor.isFor(self) {
            switch descriptor.content(of: body) {
            case .absent: continue
            case .object(let value): objects.append((index, value))
            case .single(let value): singles.append((index, value))
            case .other: others += 1
            }
        }
        if objects.isEmpty, others == 0 { objects = singles }
        return objects.count == 1 ? objects[0] : nil
    }
}

extension ResponseDescriptor {
    /// Whether the descriptor maps objects of the class of an object.
    fileprivate func isFor(_ object: ManagedObject) -> Bool {
        isManaged && ObjectIdentifier(type) == ObjectIdentifier(Swift.type(of: object))
    }
}
