/// Reads models in a response: checks its status, decodes its body by the format of its media type, removes a root, and
/// maps it.
package struct ResponseReader {
    /// The roots that are removed from bodies, as services in the style of Rails add them.
    package enum Root {
        /// No root is removed.
        case none
        /// The only member of an object if its value is an object.
        case record
        /// The only member of an object, and those of the elements with a name.
        case list(of: String)
    }

    let response: RESTResponse
    /// The format of the body.
    package let format: any PayloadFormat

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - preferred: The format of bodies with a media type that has no registered format; one other than JSON also
    ///     takes precedence for its media types. Defaults to JSON, because servers send JSON with many types.
    package init(_ response: RESTResponse, preferred: any PayloadFormat = .json) {
        self.response = response
        let formats = response.values[FormatsKey.self]
        let isJSON = preferred is JSONFormat
        // Most clients read JSON only.
        guard !(formats.isOnlyJSON && isJSON), let type = response.mimeType,
            isJSON || !preferred.matches(type, isExact: true)
        else {
            format = preferred
            return
        }
        format = formats.format(mediaType: type) ?? preferred
    }

    /// Calls a closure with the body if the status is 200 to 299.
    ///
    /// - Throws: `MappedRequestError` for another status, or for a body that the format or the closure does not accept.
    package func readSuccess<Value>(
        _ read: (Payload) throws(MappingError) -> Value
    ) throws(MappedRequestError) -> Value {
        guard response.isSuccessful else { throw MappedRequestError(status: response) }
        return try self.read(read)
    }

    /// Calls a closure with the body of a response with any status.
    ///
    /// - Throws: `MappedRequestError` for a body that the format or the closure does not accept.
    package func read<Value>(
        removing root: Root = .none, _ read: (Payload) throws(MappingError) -> Value
    ) throws(MappedRequestError) -> Value {
        do throws(MappingError) { return try read(try payload(removing: root)) } catch { throw failure(error) }
    }

    /// The error of a body that cannot be mapped.
    package func failure(_ error: MappingError) -> MappedRequestError {
        MappedRequestError(error, in: response, of: format)
    }

    /// Returns the body, which was not parsed yet if it is JSON.
    package func payload(removing root: Root = .none) throws(MappingError) -> Payload {
        var payload = try Payload(response.body, format: format)
        switch root {
        case .none: break
        case .record: try payload.removeRoot()
        case .list(let element): try payload.removeRoots(named: element)
        }
        return payload
    }
}

extension RESTResponse {
    /// Whether there is no body, or only whitespace.
    package var isBlank: Bool { body.allSatisfy(isBlankByte) }

    /// Whether the body begins like JSON.
    var startsLikeJSON: Bool {
        body.first { !isBlankByte($0) }.map { #"{["-0123456789tfn"#.utf8.contains($0) } ?? false
    }
}

private func isBlankByte(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

extension RequestSettings {
    /// The formats of bodies that are mapped to models.
    ///
    /// Defaults to JSON. A body whose media type has no format is read as JSON.
    public var formats: PayloadFormats {
        get { values[FormatsKey.self] }
        set { values[FormatsKey.self] = newValue }
    }
}

private enum FormatsKey: RequestSettingKey {
    static let defaultValue = PayloadFormats()
}
