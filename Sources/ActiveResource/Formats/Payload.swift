/// The body of a response as JSON text, without the root of formats and Rails.
struct Payload {
    /// JSON text as received, or a value.
    enum Content {
        case text(Data)
        case value(JSON)
    }

    private(set) var content: Content

    init(_ body: Data, of format: any ResourceFormat) throws {
        content = format is JSONFormat ? .text(body) : .value(try format.decode(body))
    }

    init(_ value: JSON) { content = .value(value) }

    /// The value.
    var json: JSON {
        get throws(MappingError) {
            switch content {
            case .text(let body): try JSON(body)
            case .value(let value): value
            }
        }
    }

    /// Whether the body is an object without members.
    var isEmptyObject: Bool {
        switch content {
        case .text(let body): body.lazy.filter { !isBlank($0) }.elementsEqual("{}".utf8)
        case .value(let value): value.object?.isEmpty == true
        }
    }

    /// Calls a closure with the text or the value.
    ///
    /// Records that it reads are persisted, and keep their part of the text.
    func read<Value>(_ read: (any JSONInput) throws(MappingError) -> Value) throws(MappingError) -> Value {
        let (input, text): (any JSONInput, Data) =
            switch content {
            case .text(let body): (body, body)
            case .value(let value): (value, value.withJSONView { Data($0) })
            }
        let result = KnownAttributes.$response.withValue(text) {
            Result { () throws(MappingError) in try read(input) }
        }
        return try result.get()
    }

    /// Removes the root of a record: the only member of an object if its value is an object.
    mutating func removeRoot() throws(MappingError) {
        if case .text(let body) = content, !body.beginsWithMember(ofContainer: true) { return }
        let value = try json
        guard let object = value.object, object.count == 1, let only = object.first?.value, only.object != nil else {
            return
        }
        content = .value(only)
    }

    /// Removes the root of a list, and the roots of elements with the name of the element.
    mutating func removeRoots(named element: String) throws(MappingError) {
        if case .text(let body) = content {
            let isRooted = body.beginsWithMember(ofContainer: true)
            guard isRooted || body.beginsWithMember(ofContainer: false, inArray: true, named: element) else { return }
        }
        var value = try json
        if let object = value.object, object.count == 1, let only = object.first?.value,
            only.array != nil || only.object != nil
        {
            value = only
        }
        if let elements = value.array {
            value = .array(
                elements.map {
                    $0.object.flatMap { $0.count == 1 && $0[element]?.object != nil ? $0[element] : nil } ?? $0
                })
        }
        content = .value(value)
    }
}

extension Data {
    /// Whether the text starts with an object, or an array with an object, whose first member has a kind; false for
    /// invalid JSON.
    ///
    /// Most bodies have no root, and are read once by the mapping.
    fileprivate func beginsWithMember(ofContainer: Bool, inArray: Bool = false, named name: String? = nil) -> Bool {
        var rest = self[...].drop(while: isBlank)
        func take(_ byte: Character) -> Bool {
            guard rest.first == byte.asciiValue else { return false }
            rest = rest.dropFirst().drop(while: isBlank)
            return true
        }
        if inArray, !take("[") { return false }
        guard take("{"), take("\"") else { return false }
        guard let quote = rest.firstIndex(of: UInt8(ascii: "\"")) else { return false }
        if let name, !rest[..<quote].elementsEqual(name.utf8) { return false }
        rest = rest[(quote + 1)...].drop(while: isBlank)
        guard take(":") else { return false }
        return !ofContainer || rest.first == UInt8(ascii: "{") || rest.first == UInt8(ascii: "[")
    }
}

private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
