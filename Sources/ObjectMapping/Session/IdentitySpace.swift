/// The models of one kind that a session knows, by their keys.
final class IdentitySpace {
    struct Entry {
        var model: Any
        /// Where the model appeared first, among all models of the session.
        let serial: Int
    }

    let type: Any.Type
    let kind: IdentityKind
    var entries: [AnyHashable: Entry] = [:]

    init(_ type: Any.Type, _ kind: IdentityKind) {
        self.type = type
        self.kind = kind
    }
}

/// The models that may stand for those of one kind, and the connections that wait for some.
final class IdentityView {
    let kind: IdentityKind
    private(set) var spaces: [IdentitySpace] = []
    /// By the key of the model that is waited for.
    var waiting: [AnyHashable: [WaitingConnection]] = [:]

    init(_ kind: IdentityKind) { self.kind = kind }

    /// Takes a space in, if its models may stand for those of the kind.
    ///
    /// A subclass may be told apart by properties that it overrides: they have key paths of their own.
    func consider(_ space: IdentitySpace) {
        if kind.isLike(space.kind), kind.accepts(space.type) { spaces.append(space) }
    }

    func model(for key: AnyHashable) -> Any? {
        for space in spaces {
            if let entry = space.entries[key] { return entry.model }
        }
        return nil
    }
}
