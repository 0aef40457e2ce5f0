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
