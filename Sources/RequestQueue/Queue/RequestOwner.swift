/// The owner of a request: a value that is compared by equality, or an object that is compared by identity and held weakly.
struct RequestOwner: Sendable {
    private enum Kind {
        case value(any Hashable & Sendable)
        case object(ComparedObject)
    }

    private let kind: Kind

    init(_ owner: any Hashable & Sendable) {
        kind = type(of: owner) is AnyClass ? .object(ComparedObject(object: owner as AnyObject)) : .value(owner)
    }

    init(_ owner: AnyObject) { kind = .object(ComparedObject(object: owner)) }

    func isEqual(_ other: RequestOwner) -> Bool {
        switch (kind, other.kind) {
        case (.value(let one), .value(let other)): isSame(one, other)
        case (.object(let one), .object(let other)): one.object.map { $0 === other.object } ?? false
        default: false
        }
    }

    private func isSame<Value: Equatable>(_ one: Value, _ other: any Hashable) -> Bool { other as? Value == one }
}

/// An object that is not called, only compared by address: a weak reference distinguishes an object from a later one at
/// the same address.
///
/// Unchecked: weak references are read atomically, and any thread may compare addresses.
private struct ComparedObject: @unchecked Sendable {
    private(set) weak var object: AnyObject?
}
