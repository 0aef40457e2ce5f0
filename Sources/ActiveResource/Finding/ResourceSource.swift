/// Where records are requested from, instead of the path of their collection.
public enum ResourceSource: Sendable, Hashable {
    /// A name below the collection: `.named("recent")` is `/people/recent.json`.
    case named(String)
    /// A path, such as `/staff/people.json`, or a URL of the same origin; prefix options are not put into it.
    case path(String)
}
