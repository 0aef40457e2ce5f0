/// The state of a record in addition to its attributes: whether it is persisted, its prefix options and its problems.
///
/// It is the only stored property that `Resource` requires: `var resource = ResourceState()`.
public struct ResourceState: Sendable {
    /// Whether the service has the record: it was loaded from there, or saved.
    public internal(set) var isPersisted = false
    /// The values of the prefix parameters, such as `post_id`.
    public var prefixOptions: [String: String] = [:]
    /// The problems of the last validation or save.
    public internal(set) var errors = ResourceErrors()
    /// The problems in the response to the last save; they remain until the next save.
    var remoteErrors = ResourceErrors()
    /// The received and sent attributes; `nil` for a record that was not received or sent.
    var known: KnownAttributes?
    /// The attributes that were assigned by name since the record was received or sent, an object with the values that they
    /// had then.
    var assigned: JSON = [:]
    /// The same with complete elements of lists.
    var assignedValues: JSON = [:]
    /// Whether a save is in progress.
    var isSaving = false

    /// Creates the state of a record that was not loaded by a request.
    ///
    /// - Parameters:
    ///   - isPersisted: Whether the service has the record, such as one from a cache. Defaults to `false`.
    ///   - prefixOptions: The values of the prefix parameters. Defaults to none.
    public init(isPersisted: Bool = false, prefixOptions: [String: String] = [:]) {
        (self.isPersisted, self.prefixOptions) = (isPersisted, prefixOptions)
    }
}

extension ResourceState: Hashable {
    /// Whether two records have the same persistence and prefix options.
    public static func == (a: ResourceState, b: ResourceState) -> Bool {
        a.isPersisted == b.isPersisted && a.prefixOptions == b.prefixOptions
    }

    /// Hashes the persistence and the prefix options.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(isPersisted)
        hasher.combine(prefixOptions)
    }
}

extension ResourceState: CustomStringConvertible, CustomReflectable {
    /// Whether the record is persisted or invalid, and its prefix options, such as `persisted, post_id: 1`.
    public var description: String {
        let options = prefixOptions.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let problems = errors.isEmpty ? [] : ["invalid"]
        return ([isPersisted ? "persisted" : "new"] + options + problems).joined(separator: ", ")
    }

    /// The description, without received attributes.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
