/// Calls with completion closures, for objects of the main actor.
///
/// ```swift
/// manager.post(task) { outcome in
///     if case .failure(let error) = outcome { show(error) }
/// }
/// ```
///
/// Closures receive results, whose objects they read in a context; the objects that were sent are those of the caller. Cancel
/// the returned task to cancel the request.
@MainActor extension ObjectManager {
    // MARK: Completion closures

    /// Receives the outcome of a call, once and on the main actor.
    public typealias Completion<Value> = @MainActor (Result<Value, any Error>) -> Void

    /// Loads an object again, and calls a closure with the outcome; see ``get(_:query:headers:owner:)``.
    @discardableResult public func get<Object: ManagedObjectClass>(
        _ object: Object, query: FormValue = [:],
        headers: HTTPHeaders = [:], owner: (any Hashable & Sendable)? = nil,
        completion: @escaping Completion<LoadResult>
    ) -> Task<Void, Never> {
        run(completion) { try await self.get(object, query: query, headers: headers, owner: owner) }
    }

    /// Sends a new or saved object, and calls a closure with the outcome; see ``post(_:to:query:headers:owner:)-(Object,_,_,_,_)``.
    @discardableResult public func post<Object: ManagedObjectClass>(
        _ object: Object, to path: String? = nil, query: FormValue = [:],
        headers: HTTPHeaders = [:], owner: (any Hashable & Sendable)? = nil,
        completion: @escaping Completion<LoadResult>
    ) -> Task<Void, Never> {
        run(completion) { try await self.post(object, to: path, query: query, headers: headers, owner: owner) }
    }

    /// Replaces the resource of an object, and calls a closure with the outcome; see ``put(_:to:query:headers:owner:)-(Object,_,_,_,_)``.
    @discardableResult public func put<Object: ManagedObjectClass>(
        _ object: Object, to path: String? = nil, query: FormValue = [:],
        headers: HTTPHeaders = [:], owner: (any Hashable & Sendable)? = nil,
        completion: @escaping Completion<LoadResult>
    ) -> Task<Void, Never> {
        run(completion) { try await self.put(object, to: path, query: query, headers: headers, owner: owner) }
    }

    /// Sends the changes of an object, and calls a closure with the outcome; see ``patch(_:to:query:headers:owner:)``.
    @discardableResult public func patch<Object: ManagedObjectClass>(
        _ object: Object, to path: String? = nil, query: FormValue = [:],
        headers: HTTPHeaders = [:], owner: (any Hashable & Sendable)? = nil,
        completion: @escaping Completion<LoadResult>
    ) -> Task<Void, Never> {
        run(completion) { try await self.patch(object, to: path, query: query, headers: headers, owner: owner) }
    }

    /// Deletes the resource of an object and the object, and calls a closure with the outcome; see
    /// ``delete(_:at:query:headers:owner:)-(Object,_,_,_,_)``.
    @discardableResult public func delete<Object: ManagedObjectClass>(
        _ object: Object, at path: String? = nil, query: FormValue = [:],
        headers: HTTPHeaders = [:], owner: (any Hashable & Sendable)? = nil,
        completion: @escaping Completion<RESTResponse>
    ) -> Task<Void, Never> {
        run(completion) { try await self.delete(object, at: path, query: query, headers: headers, owner: owner) }
    }

    /// Loads the objects of a relationship, and calls a closure with the outcome; see `load(_:_:query:headers:owner:policy:pruning:)`.
    @discardableResult public func load<Object: ManagedObject, Target>(
        _ object: Object, _ relationship: any KeyPath<Object, Target> & Sendable, query: FormValue = [:],
        headers: HTTPHeaders = [:], owner: (any Hashable & Sendable)? = nil, policy: MappingReport.Policy = .fail,
        completion: @escaping Completion<LoadResult>
    ) -> Task<Void, Never> {
        run(completion) {
            try await self.load(object, relationship, query: query, headers: headers, owner: owner, policy: policy)
        }
    }

    private func run<Value: Sendable>(
        _ completion: @escaping Completion<Value>, _ body: @escaping @MainActor () async throws -> Value
    ) -> Task<Void, Never> {
        Task {
            do { completion(.success(try await body())) } catch { completion(.failure(error)) }
        }
    }
}
