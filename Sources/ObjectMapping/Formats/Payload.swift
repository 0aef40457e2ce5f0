/// A payload of any format, for mappings.
///
/// ```swift
/// let task = try ProjectTask.mapping.map(Payload(data, format: PropertyListFormat()))
/// ```
public struct Payload: Sendable {
    private enum Content: Sendable {
        /// JSON text as received.
        case text(Data)
        case value(JSON)
    }

    private var content: Content

    /// Decodes a payload; JSON text is read by the mapping.
    ///
    /// - Throws: `MappingError` with an issue of kind `syntax` if the format cannot decode the data.
    public init(_ data: Data, format: some PayloadFormat) throws(MappingError) {
        if format is JSONFormat {
            content = .text(data)
            return
        }
        do { content = .value(try format.decode(data)) } catch let error as MappingError { throw error } catch {
            // The text of the error can contain values.
            throw MappingError(
                .payload(.syntax, "\(format.mediaType)", "\(type(of: error))", value: String(describing: error)))
        }
    }

    /// Creates a payload of a value.
    package init(_ value: JSON) { content = .value(value) }

    /// The text or the value.
    var input: any JSONInput {
        switch content {
        case .text(let text): text
        case .value(let value): value
        }
    }

    /// The value.
    package var json: JSON {
        get throws(MappingError) {
            switch content {
            case .text(let text): try JSON(text)
            case .value(let value): value
            }
        }
    }

    /// The JSON text.
    package var text: Data {
        switch content {
        case .text(let text): text
        case .value(let value): value.data
        }
    }

    /// The JSON text as received; `nil` for a payload of another format, and for one whose root was removed.
    package var receivedText: Data? { if case .text(let text) = content { text } else { nil } }

    /// Whether the payload is an object without members.
    package var isEmptyObject: Bool {
        switch content {
        case .text(let text): text.lazy.filter { !isBlank($0) }.elementsEqual("{}".utf8)
        case .value(let value): value.object?.isEmpty == true
        }
    }

    /// Removes the root of a record: the only member of an object if its value is an object.
    package mutating func removeRoot() throws(MappingError) {
        if case .text(let text) = content, !text.beginsWithMember(ofContainer: true) { return }
        let value = try json
        guard let object = value.object, object.count == 1, let only = object.first?.value, only.object != nil else {
            return
        }
        content = .value(only)
    }

    /// Removes the root of a list, and the roots of elements with the name of the element.
    package mutating func removeRoots(named element: String) throws(MappingError) {
        if case .text(let text) = content {
            let isRooted = text.beginsWithMember(ofContainer: true)
            guard isRooted || text.beginsWithMember(ofContainer: false, inArray: true, named: element) else { return }
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
