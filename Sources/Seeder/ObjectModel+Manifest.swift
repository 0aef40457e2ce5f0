public import ObjectMapping
public import ObjectStore

extension ObjectModel {
    /// Reads the model of a manifest, for a store without classes; see <doc:Manifest>.
    ///
    /// ```swift
    /// let store = try await ManagedObjectStore.open(at: url, model: ObjectModel(manifest: manifestURL))
    /// try await store.perform { context in
    ///     let task = try context.insert("Task")
    ///     task["name"] = "Paint"
    ///     try context.save()
    /// }
    /// ```
    ///
    /// - Parameter manifest: The manifest, a JSON file. Its sources are not read.
    /// - Throws: `SeedError` of kind `inputMissing` if the manifest cannot be read, or of kind `badData` with all
    ///   problems of the manifest.
    public init(manifest: URL) throws(SeedError) {
        let path = manifest.path
        self = try Manifest(readText(of: path), file: inputName(path), formats: nil).model
    }
}
