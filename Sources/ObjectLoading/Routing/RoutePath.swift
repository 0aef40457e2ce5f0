/// A path whose parameters are properties of an object: `"/projects/\(\.project?.projectID)/tasks"`.
///
/// The compiler checks the properties. Their values are percent-encoded when a path is made of an object, slashes included.
public struct RoutePath<Object>: ExpressibleByStringInterpolation, Sendable {
    /// A property in the path.
    struct Parameter: Sendable {
        /// The property as it is written, such as `project.projectID`.
        let property: String
        /// The text of the value; `nil` if the object has none.
        let text: @Sendable (Object) -> String?
    }

    /// The path as the text of a `PathTemplate`.
    let text: String
    /// The properties by the names of their parameters in the text.
    let parameters: [String: Parameter]

    /// Creates a path without parameters.
    public init(stringLiteral path: String) {
        text = path
        parameters = [:]
    }

    /// Creates a path from its texts and properties.
    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
        parameters = stringInterpolation.parameters
    }

    /// Collects the texts and properties of a path.
    public struct StringInterpolation: StringInterpolationProtocol {
        var text = ""
        var parameters: [String: Parameter] = [:]

        /// Creates an empty path.
        public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        /// Adds a text.
        public mutating func appendLiteral(_ literal: String) {
            // A letter after a parameter would be read as a part of its name, and a colon as the start of one.
            let continuesName =
                !parameters.isEmpty && literal.first.map { $0.isLetter || $0.isNumber || $0 == "_" } == true
            text +=
                (continuesName ? "\\" : "")
                + literal.replacing("://", with: "\u{0}").replacing(":", with: "\\:")
                .replacing("\u{0}", with: "://")
        }

        /// Adds a property, whose value is a text, a number or another type with a text (`FormText`), or an optional.
        public mutating func appendInterpolation<Value: FormValueConvertible & SendableMetatype>(
            _ property: any KeyPath<Object, Value> & Sendable
        ) {
            let written = property.propertyPath
            let name = written.map { $0.isLetter || $0.isNumber ? $0 : "_" }.reduce(into: "") { $0.append($1) }
            parameters[name] = Parameter(property: written) { object in
                guard case .text(let text) = object[keyPath: property].formValue, !text.isEmpty else { return nil }
                // The default of an identity that was never assigned identifies nothing.
                let isUnassigned = (object as? ManagedObject)?.isUnassignedIdentity(at: property) == true
                return isUnassigned ? nil : text
            }
            text += ":\(name)"
        }
    }
}

extension RoutePath where Object: ManagedObject {
    /// A path with the only identity of an object between two texts.
    ///
    /// - Parameter attribute: The name of the attribute.
    init(_ start: String, identity attribute: String, _ end: String = "") {
        text = start + ":id" + end
        parameters = [
            "id": Parameter(property: attribute) { object in
                switch object.identityValues.first ?? nil {
                case .integer(let number): "\(number)"
                case .text(let text): text.isEmpty ? nil : text
                default: nil
                }
            }
        ]
    }
}

extension AnyKeyPath {
    /// The properties of the key path, such as `project.id`.
    var propertyPath: String {
        let name = (type(of: self).rootType as? any PropertyNaming.Type)?.name(of: self)
        // `\Task.project?.id`
        return name ?? "\(self)".split(separator: ".").dropFirst().joined(separator: ".").filter { $0 != "?" }
    }
}
