public import ObjectMapping

/// Expectations on what a mapping makes of a fixture; all of those that are not met are told together.
///
/// ```swift
/// try MappingTest(User.mapping, fixture: MappingFixture(named: "user.json"))
///     .expect(\.name, "Blake")
///     .expect(\.address?.city, "Bonn")
///     .expect(\.friends) { $0.count == 2 }
///     .expect("an administrator") { $0.roles.contains("admin") }
///     .verify()
/// ```
///
/// `verify` throws, so that it works in any testing library; its error says of each property what was expected and
/// found, and what the rule that should have fed it met in the fixture.
public struct MappingTest<Model> {
    let mapping: Mapping<Model>
    let fixture: any JSONInput
    let keyPath: JSONKeyPath
    let session: MappingSession?
    let options: MappingOptions
    private(set) var expectations: [MappingExpectation<Model>] = []
    /// What the issues are to say.
    private(set) var issueTexts: [String] = []
    /// Checks of the mapping as a whole; they answer what is not met, a line each.
    private(set) var checks: [(MappingTest, Model?) -> [String]] = []

    /// A test without expectations: it is met if the fixture has no issues.
    ///
    /// - Parameters:
    ///   - mapping: The mapping that is tested.
    ///   - fixture: `Data`, `[UInt8]`, `String`, `JSON` or a `MappingFixture`: an object, or an array that holds one.
    ///   - keyPath: Where in the fixture the object stands; the fixture itself by default.
    ///   - session: What the fixture shares with others; a session of its own by default.
    ///   - options: What is given beside the fixture.
    public init(
        _ mapping: Mapping<Model>, fixture: some JSONInput, at keyPath: JSONKeyPath = "",
        in session: MappingSession? = nil, options: MappingOptions = MappingOptions()
    ) {
        self.mapping = mapping
        self.fixture = fixture
        self.keyPath = keyPath
        self.session = session
        self.options = options
    }

    /// Expects a property to have a value.
    public func expect<Value: Equatable>(_ property: KeyPath<Model, Value>, _ value: Value) -> MappingTest {
        adding(property) { found in found == value ? nil : "expected \(spelled(value)), found \(spelled(found))" }
    }

    /// Expects a closure to answer true for a property's value.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - isMet: What it throws counts as false, and is told.
    public func expect<Value>(_ property: KeyPath<Model, Value>, _ isMet: @escaping (Value) throws -> Bool)
        -> MappingTest
    {
        adding(property) { found in unmet(found, isMet).map { "\($0), found \(spelled(found))" } }
    }

    /// Expects a closure to answer true for the model.
    ///
    /// - Parameters:
    ///   - name: What is expected, for messages; the name of a property brings its rule into them.
    ///   - isMet: What it throws counts as false, and is told.
    public func expect(_ name: String, _ isMet: @escaping (Model) throws -> Bool) -> MappingTest {
        adding(MappingExpectation(name: name, path: [name]) { model in unmet(model, isMet) })
    }

    /// Expects the fixture to have exactly these issues, besides warnings; none are expected otherwise.
    ///
    /// - Parameter texts: A part of each issue's description, such as `$.id: expected an integer`.
    public func expectIssues(_ texts: String...) -> MappingTest {
        var copy = self
        copy.issueTexts += texts
        return copy
    }

    /// Expects the mapping to read every key of the fixture.
    ///
    /// - Parameter ignored: Keys that nobody has to read, as paths: `$.links`, `$.tasks[*].color`.
    public func expectEveryKeyIsRead(except ignored: String...) -> MappingTest {
        adding { test, _ in
            do throws(MappingError) {
                return try test.unreadKeys().filter { !ignored.contains($0) }.map { "\($0): nobody reads this key" }
            } catch {
                return error.issues.map { "keys that nobody reads: \($0)" }
            }
        }
    }

    /// Maps the fixture and compares.
    ///
    /// - Throws: `MappingTestFailure` with every expectation that is not met, and every issue that was not expected.
    @discardableResult public func verify() throws(MappingTestFailure) -> MappingTestReport<Model> {
        let (model, issues) = mapped()
        let unmet = unmetProperties(model) + unmetIssues(issues) + checks.flatMap { $0(self, model) }
        guard unmet.isEmpty else {
            throw MappingTestFailure(
                model: "\(Model.self)", unmet: unmet,
                expectationCount: max(1, expectations.count + issueTexts.count + checks.count))
        }
        return MappingTestReport(model: model, issues: issues)
    }

    func adding(_ check: @escaping (MappingTest, Model?) -> [String]) -> MappingTest {
        var copy = self
        copy.checks.append(check)
        return copy
    }

    private func adding(_ expectation: MappingExpectation<Model>) -> MappingTest {
        var copy = self
        copy.expectations.append(expectation)
        return copy
    }

    private func adding<Value>(_ property: KeyPath<Model, Value>, _ unmet: @escaping (Value) -> String?) -> MappingTest
    {
        let name = propertyName(property)
        return adding(MappingExpectation(name: name, path: propertyPath(name)) { unmet($0[keyPath: property]) })
    }
}
