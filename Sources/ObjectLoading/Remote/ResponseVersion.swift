/// The version of a response whose objects are in the file, in the form in which the store keeps it.
struct ResponseVersion: Sendable {
    private let descriptors: [ResponseDescriptor]
    /// A random text, and digests of the request, its user and the mapping.
    private let source: [String: String]
    private let known: [String: String]

    /// Returns `nil` if requests cannot be conditional.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the remote.
    ///   - text: The known version; `nil` for none.
    init?(_ manager: ObjectManager, _ request: RESTRequest, _ identifier: String, _ text: String?) {
        let members = text.flatMap { try? JSON($0) }?.object ?? [:]
        known = Dictionary(
            members.compactMap { member in member.value.string.map { (member.key, $0) } },
            uniquingKeysWith: { first, _ in first })
        let salt = known["salt"] ?? UUID().uuidString
        guard let url = request.url, let key = request.responseKey(salt: salt + identifier) else { return nil }
        let place = ResponseDescriptor.Place(
            url: url, method: .get, status: 200, baseURL: manager.client.baseURL)
        guard let matches = try? manager.responses.matches(place, isError: false),
            matches.descriptors.allSatisfy(\.isManaged)
        else { return nil }
        descriptors = matches.descriptors
        source = [
            "salt": salt, "request": key.request, "user": key.user, "mapping": manager.responses.digest(of: matches),
        ]
    }

    /// The last response, by which the request is conditional; `nil` without one of the same request, user and mapping.
    var earlier: EarlierLoad? {
        guard source.allSatisfy({ known[$0.key] == $0.value }) else { return nil }
        return EarlierLoad(
            source: LoadSource(
                request: source["request"] ?? "", account: source["user"] ?? "", mapping: source["mapping"] ?? ""),
            descriptors: descriptors, record: LoadRecord(tag: known["tag"], date: known["date"]))
    }

    /// Returns the version of a response; `nil` without a validator, and if it must not be stored.
    func text(of response: RESTResponse) -> String? {
        guard response.isValidated else { return nil }
        var members = source
        members["tag"] = response.headers["ETag"]
        members["date"] = response.headers["Last-Modified"]
        return JSON.object(
            JSONObject(members.sorted { $0.key < $1.key }.map { (key: $0.key, value: .string($0.value)) })
        )
        .text
    }
}
