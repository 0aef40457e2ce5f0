// Functions with inferred types use the protocol instead of the class: Swift 6.3 overlooks a violated superclass constraint if
// one closure or expression uses a declaration twice, and then crashes.
/// Types that inherit from ``ManagedObject``; a protocol, so that `Self` is the class itself.
public protocol ManagedObjectClass: ManagedObject, CustomDebugStringConvertible {}

extension ManagedObject: ManagedObjectClass {}
