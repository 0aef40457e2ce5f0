/// Values for objects, by their identity: few of them.
///
/// To look at each costs less than what the runtime has to make, once, of a dictionary with such keys.
struct IdentityList<Value> {
    private var identities: [ObjectIdentifier] = []
    private(set) var values: [Value] = []

    /// The value for an object; one that has a value keeps it.
    subscript(_ identity: ObjectIdentifier) -> Value? {
        get { identities.firstIndex(of: identity).map { values[$0] } }
        set {
            guard let newValue, !identities.contains(identity) else { return }
            identities.append(identity)
            values.append(newValue)
        }
    }
}
