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

    /// Loads an object again, and calls a closure with the outcome; see ``get(_:query:)``.
    @discardableResult public func get<Object: ManagedObjectClass>(
        _ object: Object, query: FormValue = [:], completion: @escaping Completion<LoadResult>
    ) -> Task<Void, Never> {
        run(completion) { try await self.get(object, query: query) }
    }

    /// Sends a new or saved object, and calls a closure with the outcome; see ``post(_:to:query:)-(Object,_,_)``.
    @discardableResult public func post<Object: ManagedObjectClass>(
        _ object: Object, to path: String? = nil, query: FormValue = [:], completion: @escaping Completion<LoadResult>
    ) -> Task<Void, Never> {
        run(completion) { try await self.post(object, to: path, query: query) }
    }

    /// Replaces the resource of an object, and calls a closure with the outcome; see ``put(_:to:query:)-(Object,_,_)``.
    @discardableResult public func put<Object: ManagedObjectClass>(
        _ object: Object, to path: String? = nil, query: FormValue = [:], completion: @escaping Completion<LoadResult>
    ) -> Task<Void, Never> {
        run(completion) { try await self.put(object, to: path, query: query) }
    }

    /// Sends the changes of an object, and calls a closure with the outcome; see ``patch(_:to:query:)``.
    @discardableResult public func patch<Object: ManagedObjectClass>(
        _ object: Object, to path: String? = nil, query: FormValue = [:], completion: @escaping Completion<LoadResult>
    ) -> Task<Void, Never> {
        run(completion) { try await self.patch(object, to: path, query: query) }
    }

    /// Deletes the resource of an object and the object, and calls a closure with the outcome; see
    /// ``delete(_:at:query:)-(Object,_,_)``.
    @discardableResult public func delete<Object: ManagedObjectClass>(
        _ object: Object, at path: String? = nil, query: FormValue = [:], completion: @escaping Completion<RESTResponse>
    ) -> Task<Void, Never> {
        run(completion) { try await self.delete(object, at: path, query: query) }
    }

    /// Loads the objects of a relationship, and calls a closure with the outcome; see `load(_:_:query:policy:pruning:)`.
    @discardableResult public func load<Object: ManagedObject, Target>(
        _ object: Object, _ relationship: any KeyPath<Object, Target> & Sendable, query: FormValue = [:],
        policy: MappingReport.Policy = .fail, completion: @escaping Completion<LoadResult>
    ) -> Task<Void, Never> {
        run(completion) { try await self.load(object, relationship, query: query, policy: policy) }
    }

    private func run<Value: Sendable>(
        _ completion: @escaping Completion<Value>, _ body: @escaping @MainActor () async throws -> Value
    ) -> Task<Void, Never> {
        Task {
            do { completion(.success(try await body())) } catch { completion(.failure(error)) }
        }
    }
}
