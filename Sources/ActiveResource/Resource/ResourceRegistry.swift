import Synchronization

/// The records of a process by type and identifier, which resolves foreign keys without a request.
///
/// ```swift
/// struct Person: RegisteredResource {
///     static let registry = ResourceRegistry()
///     …
/// }
///
/// let people = try await Person.all().records
/// let author = try await post.author.record        // no request if the author was loaded
/// ```
///
/// Records are added when they are loaded or saved, in any order, and remain until they are destroyed or removed. The
/// registry stores values: a record that is loaded again replaces the earlier one.
public final class ResourceRegistry: Sendable {
    private struct Key: Hashable {
        let type: ObjectIdentifier
        let id: String
        let prefix: [String: String]
    }

    private let records = Mutex<[Key: any RegisteredResource]>([:])

    /// Creates an empty registry.
    public init() {}

    /// Returns the record of a type with an identifier; `nil` if it is not registered.
    public func record<Record: RegisteredResource>(
        _ type: Record.Type, _ id: some ResourceID, prefix: [String: String] = [:]
    ) -> Record? {
        guard let text = id.pathText else { return nil }
        return records.withLock { $0[Key(type: ObjectIdentifier(type), id: text, prefix: prefix)] } as? Record
    }

    /// Returns the records of a type for which a closure returns `true`, such as those with a foreign key.
    public func records<Record: RegisteredResource>(
        _ type: Record.Type, where isIncluded: (Record) -> Bool = { _ in true }
    ) -> [Record] {
        let all = records.withLock { Array($0.values) }
        return all.compactMap { $0 as? Record }.filter(isIncluded)
    }

    /// Removes a record, such as one that another program destroyed.
    public func remove<Record: RegisteredResource>(_ record: Record) {
        remove(Record.self, record.id, prefix: record.resource.prefixOptions)
    }

    fileprivate func remove(_ type: any RegisteredResource.Type, _ id: some ResourceID, prefix: [String: String]) {
        guard let text = id.pathText else { return }
        // The record is released outside the lock.
        _ = records.withLock { $0.removeValue(forKey: Key(type: ObjectIdentifier(type), id: text, prefix: prefix)) }
    }

    /// Removes all records.
    public func removeAll() {
        // Released outside the lock.
        var removed: [Key: any RegisteredResource] = [:]
        records.withLock { swap(&$0, &removed) }
    }

    func add(_ record: some RegisteredResource) {
        guard let key = key(of: record) else { return }
        var previous: (any RegisteredResource)? = record
        records.withLock { records in
            let new = previous
            previous = records[key]
            records[key] = new
        }
    }

    private func key<Record: RegisteredResource>(of record: Record) -> Key? {
        record.id.pathText.map {
            Key(type: ObjectIdentifier(Record.self), id: $0, prefix: record.resource.prefixOptions)
        }
    }
}

/// A resource whose records are registered when they are loaded or saved.
public protocol RegisteredResource: Resource, Sendable {
    /// The registry.
    static var registry: ResourceRegistry { get }
}

extension RegisteredResource {
    func enter() { Self.registry.add(self) }

    static func remove(_ id: some ResourceID, prefix: [String: String]) {
        registry.remove(Self.self, id, prefix: prefix)
    }

    static func registered(_ id: String, prefix: [String: String]) -> Self? {
        registry.record(Self.self, id, prefix: prefix)
    }
}
