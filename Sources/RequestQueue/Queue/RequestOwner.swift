/// Whom a request belongs to: a value, compared by equality, or an object, compared by identity and not kept alive.
struct RequestOwner: Sendable {
    private let value: (any Hashable & Sendable)?
    // Not called, only compared by address: a weak reference tells an object from a later one at the same address.
    private nonisolated(unsafe) weak var object: AnyObject?

    init(_ owner: some Hashable & Sendable) {
        if type(of: owner) is AnyClass {
            value = nil
            object = owner as AnyObject
        } else {
            value = owner
        }
    }

    func isEqual<Owner: Hashable & Sendable>(_ owner: Owner) -> Bool {
        guard let value else { return type(of: owner) is AnyClass && object === owner as AnyObject }
        return value as? Owner == owner
    }
}
