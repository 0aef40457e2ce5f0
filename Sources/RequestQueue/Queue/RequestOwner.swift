/// Whom a request belongs to: a value, compared by equality, or an object, compared by identity and not kept alive.
struct RequestOwner: Sendable {
    private let value: (any Hashable & Sendable)?
    private let object: ComparedObject?

    init(_ owner: some Hashable & Sendable) {
        if type(of: owner) is AnyClass {
            value = nil
            object = ComparedObject(object: owner as AnyObject)
        } else {
            value = owner
            object = nil
        }
    }

    func isEqual<Owner: Hashable & Sendable>(_ owner: Owner) -> Bool {
        guard let value else { return type(of: owner) is AnyClass && object?.object === owner as AnyObject }
        return value as? Owner == owner
    }
}

/// An object that is not called, only compared by address: a weak reference tells an object from a later one at the same
/// address.
///
/// Unchecked: weak references are read atomically, and any thread may compare addresses.
private struct ComparedObject: @unchecked Sendable {
    private(set) weak var object: AnyObject?
}
