/// The reason why a request was not sent, or why the response of a success could not be loaded: a mistake in the descriptors,
/// or an object that does not fit.
public struct LoadError: Error, Sendable, CustomStringConvertible, CustomReflectable {
    /// The kind of failure.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// No response descriptor applies to the response.
        case noDescriptor
        /// No request descriptor writes the body, or two of them do; no request was sent.
        case noBody
        /// The response contains managed objects, but the manager has no store.
        case noStore
        /// The object belongs to no context or was never saved, or its identity was changed and not saved.
        case notSaved
        /// The object cannot be saved with the response; no request was sent.
        case invalidObject
        /// The request has the identity of another object, which was never sent, so that the server does not know it; no
        /// request was sent.
        case unsentTarget
        /// An earlier request may have created the object: its response was lost or could not be saved; no request was sent.
        case unknownOutcome
        /// The response to the request for an object does not contain this object.
        case otherObject
        /// The request for a deletion was redirected, so that its response does not confirm the deletion.
        case redirected
        /// A policy or a pruning requires queries for the path, and none were added; no request was sent.
        case noQueries
        /// Queries were added twice for the same path; no request was sent.
        case duplicateQueries
    }

    /// The kind of failure.
    public let kind: Kind
    /// What was expected, what was found, and what to do; without values of the response.
    public let description: String
    /// The response; `nil` if no request was sent.
    public let response: RESTResponse?

    init(_ kind: Kind, _ description: String, response: RESTResponse? = nil) {
        self.kind = kind
        self.description = description
        self.response = response
    }

    init(noDescriptorFor place: ResponseDescriptor.Place, _ reasons: [String]) {
        let found = reasons.isEmpty ? "; there are none" : ":" + reasons.map { "\n  \($0)" }.joined()
        self.init(
            .noDescriptor,
            "\(place.method) \(place.url.shown): status \(place.status): no response descriptor applies\(found)")
    }

    /// - Parameter keyPaths: The key paths of the descriptors for the class of the object.
    init(otherThan id: ObjectID, in response: RESTResponse, at keyPaths: [String]) {
        let place = keyPaths.filter { !$0.isEmpty }.map { "'\($0)'" }.joined(separator: ", ")
        self.init(
            .otherObject,
            "\(response.summary): expected the object \(id)\(place.isEmpty ? "" : " at \(place)"), found another object, "
                + "several or none; check the path of its route, the key paths and the identity in the response",
            response: response)
    }

    /// The error with a response.
    func with(_ response: RESTResponse) -> LoadError { LoadError(kind, description, response: response) }

    /// The kind and the description.
    public var customMirror: Mirror { Mirror(self, children: ["kind": kind.rawValue, "description": description]) }
}

extension LoadError: LocalizedError {
    /// The `description`.
    public var errorDescription: String? { description }
}
