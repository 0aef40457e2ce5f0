import TestSupport
import Testing

/// The compiler's errors for mistakes in the parameters of an immutable model.
///
/// If it has to infer the type of the model, it crashes on a third of them.
@Suite struct ParameterSlips {
    /// A mapping with one mistake.
    struct Slip: CustomTestStringConvertible {
        let testDescription: String
        let initializer: String
        let parameters: String
        let errors: [String]

        init(
            _ name: String, by initializer: String = "P.init(id:name:nick:)", _ parameters: String, _ errors: String...
        ) {
            (testDescription, self.initializer, self.parameters, self.errors) = (name, initializer, parameters, errors)
        }
    }

    static let noModifier =
        "'subscript(dynamicMember:)' is unavailable: no such modifier; use `default` or `validate`. "
        + "Non-optional parameters without a default are required."

    static let noConversion =
        "'init(_:_:)' is unavailable: no conversion from JSON to the type of the argument: for an enum with raw values or a "
        + "`Codable` type, declare the conformance to `JSONConvertible`; for an object, the conformance to `Mappable`"

    static let slips = [
        Slip(
            "no slip", #"Parameter("id", \.id), Parameter("name", \.name), Parameter("nick", \.nick)"#),
        Slip(
            "a rule instead of a parameter", #"Parameter("id"), Attribute("name", \.name), Parameter("nick")"#,
            "cannot convert value of type 'Attribute<Model, Value>' to expected argument type 'Parameter<P, String>'",
            "cannot infer key path type from context; consider explicitly specifying a root type"),
        Slip(
            "a closure that mixes up its arguments",
            by: "{ (id: Int, name: String) in P(id: name, name: name, nick: nil) }",
            #"Parameter("id"), Parameter("name")"#,
            "cannot convert value of type 'String' to expected argument type 'Int'"),
        Slip(
            "a closure with more arguments",
            by: "{ P(id: $0, name: $1, nick: $2) }", #"Parameter("id"), Parameter("name")"#,
            "missing argument for parameter #4 in call",
            "generic parameter 'Value' could not be inferred"),
        Slip(
            "a conversion to another type",
            #"Parameter("id", using: .date(.iso8601)), Parameter("name"), Parameter("nick")"#,
            "'init(_:_:using:)' is unavailable: the type of the conversion is not that of the argument"),
        Slip(
            "a conversion that does not exist", #"Parameter("id"), Parameter("name", using: .nope), Parameter("nick")"#,
            "type 'Conversion<String>' has no member 'nope'"),
        Slip(
            "nil as the default of a number",
            #"Parameter("id", \.id).default(nil), Parameter("name", \.name), Parameter("nick", \.nick)"#,
            "'nil' is not compatible with expected argument type 'Int'"),
        Slip(
            "a parameter too many",
            #"Parameter("id", \.id), Parameter("name", \.name), Parameter("nick", \.nick), Parameter("x", \.id)"#,
            "extra argument in call"),
        Slip(
            "an identity that does not exist",
            #"Parameter("id"), Parameter("name"), Parameter("nick")).identified(by: \.nope"#,
            "value of type 'P' has no member 'nope'"),
        Slip(
            "a number as the source", #"Parameter(3), Parameter("name"), Parameter("nick")"#,
            "cannot convert value of type 'Int' to expected argument type 'MappingSource'"),
        Slip(
            "a misspelt property", #"Parameter("id", \.nope), Parameter("name"), Parameter("nick")"#,
            "value of type 'P' has no member 'nope'"),
        Slip(
            "two properties in the wrong order",
            #"Parameter("id", \.name), Parameter("name", \.id), Parameter("nick", \.nick)"#,
            "cannot convert value of type 'any KeyPath<P, String> & Sendable' to expected argument type 'KeyPath<P, Int>?'",
            "cannot convert value of type 'KeyPath<P, Int>' to expected argument type 'KeyPath<P, String>'"),
        Slip(
            "a property of another type", #"Parameter("id", \.name), Parameter("name"), Parameter("nick")"#,
            "cannot convert value of type 'any KeyPath<P, String> & Sendable' to expected argument type 'KeyPath<P, Int>?'"
        ),
        Slip(
            "an initializer that does not exist",
            by: "P.init(id:name:)", #"Parameter("id", \.id), Parameter("name", \.name)"#,
            "type 'P' has no member 'init(id:name:)'"),
        Slip(
            "a missing parameter", #"Parameter("id", \.id), Parameter("name", \.name)"#,
            "missing argument for parameter #4 in call"),
        Slip(
            "a misspelt modifier", #"Parameter("id").requird, Parameter("name"), Parameter("nick")"#,
            noModifier),
        Slip(
            "a misspelt modifier with an argument",
            #"Parameter("id", \.id).defalt(1), Parameter("name"), Parameter("nick")"#,
            noModifier),
        Slip(
            "no source", #"Parameter(), Parameter("name"), Parameter("nick")"#,
            "missing argument for parameter #1 in call"),
        Slip(
            "an enum that is not JSONConvertible", by: "P.init(id:kind:)",
            #"Parameter("id", \.id), Parameter("kind", \.kind)"#, noConversion),
        Slip(
            "a list of objects that are not Mappable", by: "P.init(id:shades:)",
            #"Parameter("id", \.id), Parameter("shades", \.shades)"#, noConversion),
        Slip(
            "an explicit type that is wrong", #"Parameter<P, String>("id"), Parameter("name"), Parameter("nick")"#,
            "cannot convert value of type '@Sendable (Int, String, String?) -> P' to expected argument type '@Sendable (String, String, String?) throws -> P'"
        ),
        Slip(
            "a validation of another type",
            #"Parameter("id").validate("positive") { (s: String) in s.isEmpty }, Parameter("name"), Parameter("nick")"#,
            "conflicting arguments to generic parameter 'Value' ('Int' vs. 'String')",
            "conflicting arguments to generic parameter 'Value' ('Int' vs. 'String')"),
        Slip(
            "a validation by a property of another type",
            #"Parameter("id").validate("positive") { !$0.isEmpty }, Parameter("name"), Parameter("nick")"#,
            "value of type 'Int' has no member 'isEmpty'"),
        Slip(
            "a default of another type", #"Parameter("id").default("a"), Parameter("name"), Parameter("nick")"#,
            "cannot convert value of type 'String' to expected argument type 'Int'"),
        Slip(
            "a number as the default of a text", #"Parameter("id"), Parameter("name").default(3), Parameter("nick")"#,
            "cannot convert value of type 'Int' to expected argument type 'String'"),
    ]

    @Test(arguments: slips) func `A mistake in a parameter is an error, and does not crash the compiler`(_ slip: Slip)
        async throws
    {
        let program = """
            import ObjectMapping; enum Kind: String { case plain }; struct Shade {}
            struct P: Mappable {
                let id: Int
                let name: String
                let nick: String?
                var kind = Kind.plain, shades: [Shade] = []
                init(id: Int, name: String, nick: String?) { (self.id, self.name, self.nick) = (id, name, nick) }
                init(id: Int, kind: Kind) { self.init(id: id, name: "", nick: nil) }
                init(id: Int, shades: [Shade]) { self.init(id: id, name: "", nick: nil) }
                static let mapping = Mapping(P.self, \(slip.initializer), \(slip.parameters))
            }
            """
        let errors = try await DeveloperCost.errors(in: program, fromLine: 10)
        #expect(errors == slip.errors.map { "1:\($0)" })
    }
}
