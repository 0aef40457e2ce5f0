/// How the elements of a dump stand in its text.
package enum ElementShape: Sendable {
    /// In an array; a lone object is one element.
    case element
    /// As the members of an object.
    case member
    /// One a line: NDJSON.
    case line
}
