/// The location of records other than the path of their collection.
public enum ResourceSource: Sendable, Hashable {
    /// A name below the collection: `.named("recent")` is `/people/recent.json`.
    case named(String)
    /// A path, such as `/staff/people.json`, or a URL of the same origin; prefix options are ignored.
    case path(String)
}
