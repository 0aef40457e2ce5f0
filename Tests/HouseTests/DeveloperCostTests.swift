import Foundation
import TestSupport
import Testing

/// The cost of declaring a mapping for its author: compile time, and the compiler's errors for a mistake.
@Suite struct DeveloperCost {
    /// A program with one mistake, and all errors of the compiler for it.
    struct Slip: CustomTestStringConvertible {
        let name: String
        /// One or more rules.
        let rules: String
        /// `line:message`; the first rule is on line 1.
        let errors: [String]
        var testDescription: String { name }
    }

    static let noModifier =
        "1:'subscript(dynamicMember:)' is unavailable: no such modifier: all rules have `required`, `whenAbsent`, "
        + "`whenNull`, `policy`, `readOnly`, `writeOnly` and `whenNil`, attributes also `default`, `validate`, `using` "
        + "and `whenInvalid`"

    static let noConversion =
        "1:'init(_:_:)' is unavailable: no conversion from JSON to the type of the property: for an enum with raw values "
        + "or a `Codable` type, declare the conformance to `JSONConvertible`; for a `Mappable` type, use "
        + #"`Relationship("key", \.property)`"#

    static let notWritable =
        "1:'init(_:_:)' is unavailable: the property cannot be written: make it a `var`, or create the model with an "
        + #"initializer. A key path through an optional, `\.a?.b`, cannot be written: use "#
        + #"`Relationship(.value, \.a, Mapping(…) { … })`"#

    static let slips = [
        Slip(
            name: "a misspelt property", rules: #"Attribute("name", \.nmae)"#,
            errors: ["1:value of type 'User' has no member 'nmae'"]),
        Slip(
            name: "a misspelt property among others",
            rules: """
                Attribute("id", \\.id)
                Attribute("name", \\.nam).required
                Relationship("friends", \\.friends)
                """, errors: ["2:value of type 'User' has no member 'nam'"]),
        Slip(
            name: "a misspelt relationship", rules: #"Relationship("friends", \.freinds)"#,
            errors: ["1:value of type 'User' has no member 'freinds'"]),
        Slip(
            name: "a type that is no attribute's", rules: #"Attribute("shade", \.shade)"#,
            errors: [noConversion]),
        Slip(
            name: "an enum that is not JSONConvertible", rules: #"Attribute("kind", \.kind)"#, errors: [noConversion]),
        Slip(
            name: "a list of an enum that is not JSONConvertible", rules: #"Attribute("kinds", \.kinds)"#,
            errors: [noConversion]),
        Slip(
            name: "parentheses after a modifier", rules: #"Attribute("name", \.name).required()"#,
            errors: ["1:'required' is unavailable: `required` is a property: remove the parentheses"]),
        Slip(
            name: "a constant of a type that is no attribute's", rules: #"Attribute("made", \.made)"#,
            errors: [notWritable]),
        Slip(
            name: "an attribute of a type with a mapping", rules: #"Attribute("friend", \.friend)"#,
            errors: [noConversion]),
        Slip(
            name: "an attribute of a list of a type with a mapping",
            rules: #"Attribute("friends", \.friends).required"#,
            errors: [noConversion]),
        Slip(
            name: "a relationship to a type without mapping", rules: #"Relationship("shade", \.shade)"#,
            errors: [
                "1:'init(_:_:each:)' is unavailable: the type of the property is not `Mappable`, nor an optional, array, set or dictionary of such a type"
            ]),
        Slip(
            name: "an arrangement for a dictionary", rules: #"Relationship("users", \.byName, each: .member)"#,
            errors: [
                "1:'init(_:_:each:)' is unavailable: only arrays and sets have an arrangement: remove `each:`; a dictionary reads the members of an object"
            ]),
        Slip(
            name: "a property that cannot be written", rules: #"Attribute("born", \.born)"#,
            errors: [notWritable]),
        Slip(
            name: "a property behind an optional", rules: #"Attribute("name", \.boss?.name)"#,
            errors: [notWritable]),
        Slip(name: "a misspelt modifier", rules: #"Attribute("name", \.name).requird.readOnly"#, errors: [noModifier]),
        Slip(
            name: "a misspelt modifier with an argument", rules: #"Attribute("name", \.name).defalt("a")"#,
            errors: [noModifier]),
        Slip(
            name: "a modifier that relationships do not have",
            rules: #"Relationship("friends", \.friends).default([])"#, errors: [noModifier]),
        Slip(
            name: "a default of another type", rules: #"Attribute("name", \.name).default(3)"#,
            errors: ["1:'default' is unavailable: the default has another type than the property"]),
        Slip(
            name: "a policy that does not exist", rules: #"Attribute("name", \.name).whenNull(.keeep)"#,
            errors: ["1:type 'NullPolicy' has no member 'keeep'"]),
        Slip(
            name: "a property that is misspelt where its name is the key", rules: #"Attribute(\.nmae)"#,
            errors: ["1:value of type 'User' has no member 'nmae'"]),
    ]

    @Test(arguments: slips) func `A mistake is one clear error on its line`(_ slip: Slip) async throws {
        let program = """
            import ObjectMapping
            struct Shade {}
            enum Kind: String { case plain }
            struct Boss { var name = "" }
            struct User: Mappable {
                var boss: Boss?
                var id = 0, name = "", shade = Shade(), friends: [User] = [], byName: [String: User] = [:]
                var friend: User? { get { friends.first } set { friends = newValue.map { [$0] } ?? [] } }
                var kind: Kind?, kinds: [Kind] = []
                let born = 0, made = Shade()
                static let mapping = Mapping(User.init) {
            \(slip.rules)
                }
            }
            """
        #expect(try await Self.errors(in: program, fromLine: 12) == slip.errors)
    }

    @Test func `A class that is not final is one error`() async throws {
        let program = """
            import ObjectMapping
            class User: Mappable {
                var id = 0
                var friends: [User] = []
                static let mapping = Mapping({ User() }) {
                    Attribute("id", \\.id)
                    Relationship("friends", \\.friends)
                }
            }
            """
        let error =
            "1:protocol 'Mappable' requirement 'mapping' cannot be satisfied by a non-final class ('User') because it "
            + "uses 'Self' in a non-parameter, non-result type position"
        #expect(try await Self.errors(in: program, fromLine: 5) == [error])
    }

    static let withArguments =
        "'init(_:keys:_:)' is unavailable: rules fill a model that is created empty: give all properties initial values, so "
        + "that `Model.init` has no arguments, or read the arguments with `Mapping(Model.self, Model.init, "
        + "Parameter(\"key\", \\.property), …)`"

    @Test(arguments: [
        "struct User: Mappable { var id: Int; var name: String",
        "struct User: Mappable { var id: Int; var name = \"\"",
        "final class User: Mappable { var id: Int; var name = \"\"; init(id: Int) { self.id = id }",
        "struct User: Mappable { var id: Int, a: Int, b: Int, c: String?, d: [Int], name: String",
    ]) func `A model without initial values is one error that names them and parameters`(model: String) async throws {
        let program = """
            import ObjectMapping
            \(model)
                static let mapping = Mapping(User.init) {
                    Attribute("id", \\.id)
                    Attribute("name", \\.name)
                }
            }
            """
        #expect(try await Self.errors(in: program, fromLine: 3) == ["1:\(Self.withArguments)"])
    }

    /// The compiler's errors for a program, with lines that count from the first line.
    static func errors(in program: String, fromLine first: Int) async throws -> [String] {
        try await typeCheck(program).errors.split(separator: "\n").compactMap { line -> String? in
            guard let match = line.wholeMatch(of: /.*main\.swift:(\d+):\d+: error: (.*)/), let number = Int(match.1)
            else { return nil }
            return "\(number - first + 1):\(match.2)"
        }
    }

    @Test func `A mapping of forty rules is type-checked in half a second`() async throws {
        let types = ["Int = 0", "String = \"\"", "Double?", "[String] = []", "Date?"]
        let modifiers = [".required", ".default(\"\")", ".whenNull(.keep)", ".policy(.union)", ".readOnly"]
        let numbers = 0..<40
        let properties = numbers.map { "var p\($0): \(types[$0 % types.count])" }
        let rules = numbers.map { "Attribute(\"a.p\($0)\", \\.p\($0))\(modifiers[$0 % 5])" }
        let program = """
            import ObjectMapping
            struct Wide: Mappable {
            \(properties.joined(separator: "\n"))
                static let mapping = Mapping(Wide.init) {
            \(rules.joined(separator: "\n"))
                }
            }
            """
        let checked = try await Self.typeCheck(program, "-Xfrontend", "-warn-long-expression-type-checking=500")
        #expect(checked.status == 0 && checked.errors.isEmpty, "\(checked.errors)")
    }

    @Test func `No expression or function of an example takes a third of a second to type-check`() async throws {
        // The limit is elapsed time, also while the compiler waits for a core, so only a second failure counts.
        let result = try await runShell(
            """
            cd "$EXAMPLES"
            check() {
                swiftc -typecheck -swift-version 6 -warnings-as-errors -module-name catalog -I "$PRODUCTS/Modules" \\
                    -I "$SOURCES/CMappingSHA256/include" -I "$SOURCES/CMappingRuntime/include" -I "$SOURCES/CMappingSQLite" \\
                    -I "$SOURCES/CMappingZlib" -I "$SOURCES/CMappingCurl" -Xfrontend -warn-long-expression-type-checking=300 \\
                    -Xfrontend -warn-long-function-bodies=300 \\
                    $(ls *.swift | grep -v '^Catalog.swift$\\|^main.swift$')
            }
            check 2>/dev/null || check
            """,
            environment: [
                "PRODUCTS": productsDirectory.path, "SOURCES": resource("Sources").path,
                "EXAMPLES": resource("Examples/Catalog").path,
            ])
        #expect(result.status == 0, "\(result.errors)")
    }

    private static func typeCheck(_ program: String, _ options: String...) async throws -> (
        status: Int32, errors: String
    ) {
        let folder = try TemporaryDirectory()
        try folder.write(program, to: "main.swift")
        let headers = ["CMappingCurl", "CMappingZlib", "CMappingSHA256/include", "CMappingRuntime/include"].map {
            resource("Sources/\($0)").path
        }
        let folders = [productsDirectory.appendingPathComponent("Modules").path] + headers
        let result = try await runShell(
            """
            exec swiftc -typecheck -swift-version 6 -diagnostic-style llvm \
                \(folders.map { "-I '\($0)'" }.joined(separator: " ")) \(options.joined(separator: " ")) main.swift
            """,
            directory: folder.url)
        return (result.status, result.errors)
    }
}
