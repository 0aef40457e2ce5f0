/// Whether a recorded response was pruned: a later one that confirms it is no complete response.
package enum LoadPruning: Int64, Sendable {
    /// No load of the response requested it.
    case none
    /// The store has no other objects of the path since.
    case done
    /// A load requested it, and the response was loaded or confirmed without it.
    case missing

    /// The state after a load without pruning.
    package var afterOther: LoadPruning { self == .none ? .none : .missing }
}

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
    /// Whether it was pruned.
    let pruning: LoadPruning

    /// Creates a response; see its properties.
    package init(_ source: LoadSource, tag: String?, date: String?, time: Int64, _ pruning: LoadPruning) {
        (self.source, self.tag, self.date, self.time, self.pruning) = (source, tag, date, time, pruning)
    }

    /// The response for a record whose rows are not those of the response.
    var withoutTag: LoadedResponse { LoadedResponse(source, tag: nil, date: date, time: time, pruning) }
}
