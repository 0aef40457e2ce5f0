/// How the elements of a collection stand in a text.
public enum ElementShape: Sendable {
    /// In an array; a lone object is one element.
    case element
    /// As the members of an object, whose keys the sources `.key` read.
    case member
    /// One a line: NDJSON.
    case line
}
