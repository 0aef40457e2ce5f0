/// A type whose values are records of a web service, found and saved over HTTP by the conventions of Rails.
///
/// ```swift
/// struct Person: Resource {
///     static let site = ResourceSite(URL(string: "https://api.example.com")!)
///     var id: Int?
///     var name = ""
///     var resource = ResourceState()
///     static let mapping = Mapping(Person.init) { Attribute("id", \.id); Attribute("name", \.name) }
/// }
///
/// var ann = try await Person.find(1)             // GET /people/1.json
/// ann.name = "Ann"
/// let isSaved = try await ann.save()             // PUT /people/1.json
/// ```
///
/// The type is a struct or a final class. Its mapping reads and writes the attributes; `readOnly` rules are not sent.
public protocol Resource: Mappable, PayloadReceiving {
    /// The type of identifiers, an optional if the service assigns them.
    associatedtype ID: ResourceID

    /// The service.
    static var site: ResourceSite { get }
    /// The path before the collection name, with parameters such as `/posts/:post_id/`. Defaults to the path of the site.
    ///
    /// A prefix with a leading slash replaces the path of the site; others are appended to it.
    static var prefix: String { get }
    /// The name of a record in paths and roots. Defaults to the name of the type with underscores: `street_address`.
    static var elementName: String { get }
    /// The name of the collection in paths. Defaults to the plural of the element name.
    static var collectionName: String { get }
    /// The name of the attribute that identifies records. Defaults to `id`.
    static var primaryKey: String { get }
    /// The name of a singleton in paths. Defaults to `nil`; see ``SingletonResource``.
    static var singletonName: String? { get }
    /// Extracts the records from the body of a list. Defaults to the body itself.
    static var collectionParser: CollectionParser { get }
    /// The functions called around validation, saving and loading. Defaults to none.
    static var callbacks: ResourceCallbacks<Self> { get }
    /// The statuses of responses to invalid records. Defaults to 422.
    static var invalidStatuses: Set<Int> { get }

    /// The identifier; it is set from responses.
    var id: ID { get set }
    /// The state of the record.
    var resource: ResourceState { get set }

    /// Adds the problems of the record before it is saved. Defaults to none.
    func validate(_ errors: inout ResourceErrors)
    /// Returns the problems in the body of a response to an invalid record; `nil` if the body has another format.
    ///
    /// The default implementation supports the formats of Rails.
    static func remoteErrors(in body: JSON, attributes: [String]) -> ResourceErrors?
}

extension Resource {
    // More specific than the error that a type does not conform.
    /// Rejects a type without an identifier.
    @available(*, unavailable, message: "declare the identifier as a variable, such as 'var id: Int?'")
    public var id: Int? {
        get { nil }
        set {}
    }

    /// The path of the site.
    public static var prefix: String { site.path }
    /// The name of the type, in lowercase with underscores.
    public static var elementName: String {
        Inflector.elementName(of: Self.self)
    }
    /// The plural of the element name.
    public static var collectionName: String { Inflector.plural(of: elementName) }
    /// The default name of the primary key, `id`.
    public static var primaryKey: String { "id" }
    /// The default singleton name, `nil`: the resource is a collection.
    public static var singletonName: String? { nil }
    /// The default parser, which reads the body as the collection.
    public static var collectionParser: CollectionParser { CollectionParser() }
    /// The default callbacks: none.
    public static var callbacks: ResourceCallbacks<Self> { ResourceCallbacks() }
    /// The default statuses of an invalid record, 422.
    public static var invalidStatuses: Set<Int> { [422] }

    /// The default validation, which adds no problems.
    public func validate(_ errors: inout ResourceErrors) {}
    /// Reads `{"errors": {"name": ["…"]}}`, the same without `errors`, and `{"errors": ["Name …"]}`.
    public static func remoteErrors(in body: JSON, attributes: [String]) -> ResourceErrors? {
        ResourceErrors(body, attributes: attributes)
    }

    /// Whether the record was not loaded from the service, nor saved to it.
    public var isNew: Bool { !resource.isPersisted }
    /// Whether the record was loaded from the service, or saved to it.
    public var isPersisted: Bool { resource.isPersisted }
    /// The problems of the last validation or save.
    public var errors: ResourceErrors { resource.errors }

    /// Whether two records have the same identifier and prefix options.
    ///
    /// Records without an identifier are the same only if they are the same object.
    public func isSameRecord(as other: Self) -> Bool {
        if type(of: self) is AnyClass, (self as AnyObject) === (other as AnyObject) { return true }
        return id.pathText != nil && id == other.id && resource.prefixOptions == other.resource.prefixOptions
    }
}
