/// What the absence of a key does to the property.
public enum AbsencePolicy: Sendable {
    /// The property keeps the value that it has.
    case keep
    /// The property gets the rule's default; without one an optional becomes nil, any other gets the value that it has in
    /// a fresh model.
    case clear
}
