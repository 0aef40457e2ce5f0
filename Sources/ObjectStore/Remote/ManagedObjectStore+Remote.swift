import ObjectMapping

extension ManagedObjectStore {
    /// Opens a file with a remote behind it.
    ///
    /// ```swift
    /// let store = try await ManagedObjectStore.open(at: url, model: model, remote: RESTStore(rails: client))
    /// let people = try await context.fetch(Person.all, policy: .remote)
    /// ```
    ///
    /// The file stores the type and the identifier of the remote, and can be opened only with the same ones afterwards. See
    /// <doc:IncrementalStores>.
    ///
    /// - Parameters:
    ///   - url: The file; one named `:memory:` is in memory.
    ///   - model: The managed classes.
    ///   - remote: The remote.
    ///   - seed: A file written by `seed-db` or an `ObjectSeeder`. Defaults to `nil`.
    ///   - options: The options. Defaults to the default options.
    ///   - handler: Receives what happens between the file and the remote, on any thread. Defaults to `nil`.
    /// - Throws: `StoreError`: of kind `otherRemote` if the file belongs to another remote or user, `unknownEntity` if the
    ///   model does not have an entity of the remote; otherwise like ``open(at:model:seed:options:)``. The errors of the
    ///   remote's `metadata()`.
    public static func open(
        at url: URL, model: ObjectModel, remote: any IncrementalStore, seed: URL? = nil, options: Options = Options(),
        onRemoteEvent handler: (@Sendable (RemoteEvent) -> Void)? = nil
    ) async throws -> ManagedObjectStore {
        let metadata = try await SharedTask.value {
            try await remote.willOpen(model)
            return try await remote.metadata()
        }
        for name in (metadata.entities ?? []).sorted() { _ = try model.table(of: name) }
        let connection = RemoteConnection(remote, metadata, handler)
        return try await blocking { () throws(StoreError) in
            let store = try ManagedObjectStore(at: url, model: model, seed: seed, options, connection)
            do throws(StoreError) { try store.checkRemote(metadata) } catch {
                store.close()
                throw error
            }
            return store
        }
    }

    /// Throws if the file belongs to a remote.
    func checkNoRemote() throws(StoreError) {
        guard let type = try remoteProperty("remote.type") else { return }
        let identifier = try remoteProperty("remote.identifier") ?? ""
        throw StoreError(
            .otherRemote, "the file belongs to the remote '\(type)' (\(identifier)), and is opened without it",
            advice:
                "open it with ManagedObjectStore.open(at:model:remote:), for reading only, or with ignoresRemote of the "
                + "options")
    }

    /// Compares the remote with that of the file, which is recorded when it has none.
    private func checkRemote(_ metadata: RemoteMetadata) throws(StoreError) {
        let expected = [("remote.type", metadata.typeName), ("remote.identifier", metadata.identifier)]
        for (key, value) in expected {
            let known = try remoteProperty(key)
            if known == value { continue }
            guard let known else {
                try write { (connection) throws(StoreError) in
                    try connection.run(
                        #"INSERT INTO "_mappingkit"("key", "value") VALUES(?, ?)"#, [.text(key), .text(value)])
                }
                continue
            }
            throw StoreError(
                .otherRemote,
                "the file belongs to the remote '\(known)', not to '\(value)'",
                advice: "open another file, or delete this one")
        }
    }

    private func remoteProperty(_ key: String) throws(StoreError) -> String? {
        try read { (connection) throws(StoreError) in
            try connection.database.value(
                #"SELECT "value" FROM "_mappingkit" WHERE "key" = ?"#, [.text(key)])?.text
        }
    }
}
