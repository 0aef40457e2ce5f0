/// What a response depends on.
package struct LoadSource: Sendable, Hashable {
    /// A digest of the URL and of the header fields of the request.
    let request: String
    /// A digest of the user.
    let account: String
    /// A digest of the mapping.
    let mapping: String

    /// Creates a source from digests.
    package init(request: String, account: String, mapping: String) {
        (self.request, self.account, self.mapping) = (request, account, mapping)
    }
}

/// A response by which later requests are conditional, without its objects.
package struct LoadedResponse: Sendable {
    /// What the response depends on.
    let source: LoadSource
    /// Its `ETag`, or the version that a remote gave its answer.
    let tag: String?
    /// Its `Last-Modified`.
    let date: String?
    /// When it was received, in milliseconds since 1970.
    let time: Int64

    /// Creates a response; see its properties.
    package init(_ source: LoadSource, tag: String?, date: String?, time: Int64) {
        (self.source, self.tag, self.date, self.time) = (source, tag, date, time)
    }

    /// The response for a record whose rows are not those of the response.
    var withoutTag: LoadedResponse { LoadedResponse(source, tag: nil, date: date, time: time) }
}
