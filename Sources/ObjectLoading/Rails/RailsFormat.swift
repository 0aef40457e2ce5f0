/// The bodies of requests in the form that Rails reads: JSON or a form, with nested attributes.
struct RailsFormat: PayloadFormat {
    let isForm: Bool
    /// The keys of the lists that are sent as nested attributes.
    let nested: Set<String>

    var mediaTypes: [String] { [isForm ? FormValue.null.contentType : "application/json"] }
    var pathExtensions: [String] { [] }

    func decode(_ data: Data) throws -> JSON { try JSON(data) }

    /// - Parameter value: An object with one member: the model, or a list of models, by its name.
    func encode(_ value: JSON, root: String?) throws -> Data {
        let members = (value.object ?? [:]).map { member in
            (key: member.key, value: member.value.array.map { JSON.array($0.map(model)) } ?? model(member.value))
        }
        let body = JSON.object(JSONObject(members))
        guard isForm else { return body.data }
        return try form(body).makeBodyData() ?? Data()
    }

    /// The attributes of a model: its identity is in the path.
    private func model(_ value: JSON) -> JSON { attributes(of: value) { _ in false } }

    /// The attributes of a child: without an identity, Rails creates it.
    private func child(_ value: JSON) -> JSON {
        attributes(of: value) { id in !id.isNull && id != .integer(0) && id != .string("") }
    }

    private func attributes(of value: JSON, keepsID: (JSON) -> Bool) -> JSON {
        guard let members = value.object else { return value }
        let attributes: [JSONObject.Element] = members.compactMap { key, value in
            if key == "id", !keepsID(value) { return nil }
            let name = key.replacing("-", with: "_")
            // Rails rejects null for nested attributes.
            if nested.contains(key) {
                return value.array.map { (key: name + "_attributes", value: JSON.array($0.map(child))) }
            }
            return (key: name, value: value)
        }
        return .object(JSONObject(attributes))
    }

    private func form(_ value: JSON) -> FormValue {
        if let members = value.object {
            return .fields(members.map { FormValue.Field(name: $0.key, value: form($0.value)) })
        }
        if let elements = value.array {
            guard elements.contains(where: { $0.object != nil }) else { return .list(elements.map(form)) }
            // Without indexes, Rails begins a new element at each repeated name, and elements can have different ones.
            return .fields(
                elements.enumerated().map { FormValue.Field(name: "\($0.offset)", value: form($0.element)) })
        }
        return value.isNull ? .null : .text(value.string ?? value.text)
    }
}
