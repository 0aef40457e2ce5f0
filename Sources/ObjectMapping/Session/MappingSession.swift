/// What several payloads share: one object for each identity, and connections that wait for their targets.
public final class MappingSession {
    /// A session that knows no object yet.
    public init() {}
}
