/// How values of a payload and those that a property holds already come together.
public enum AssignmentPolicy: Sendable {
    /// The new value takes the place of the old one.
    case set
    /// As `set`; where objects are stored, the old ones are deleted.
    case replace
    /// New elements are added to the collection; null and absence change nothing.
    ///
    /// An element that is there already is not doubled: the new one takes its place. In a set that is an equal one; in an
    /// array one with the same identity where the mapping is `identified(by:)`, an equal one where the elements are
    /// values, the same object otherwise.
    case union
}
