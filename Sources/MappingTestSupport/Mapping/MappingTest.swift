public import ObjectMapping

/// A test of a mapping with a fixture, which reports all unmet expectations together.
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
/// `verify` throws an error, so it works with any testing library. For each property, the error contains the expected
/// and the actual value, and the value that its rule found in the fixture.
public struct MappingTest<Model> {
    let mapping: Mapping<Model>
    let fixture: any JSONInput
    let keyPath: JSONKeyPath
    let session: MappingSession?
    let options: MappingOptions
    private(set) var expectations: [MappingExpectation<Model>] = []
    /// Texts that the expected issues contain.
    private(set) var issueTexts: [String] = []
    /// Checks of the whole mapping; each returns a line per failure.
    private(set) var checks: [(MappingTest, Model?) -> [String]] = []

    /// Creates a test without expectations, which fails only if mapping the fixture has issues.
    ///
    /// - Parameters:
    ///   - mapping: The mapping to test.
    ///   - fixture: `Data`, `[UInt8]`, `String`, `JSON` or a `MappingFixture`: an object, or an array with one object.
    ///   - keyPath: The key path of the object in the fixture. Defaults to the fixture itself.
    ///   - session: The session in which the fixture is mapped. Defaults to a new session.
    ///   - options: The options of the mapping. Defaults to the default options.
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

    /// Expects a closure to return true for the value of a property.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - isMet: The closure. An error that it throws is reported as a failure.
    public func expect<Value>(_ property: KeyPath<Model, Value>, _ isMet: @escaping (Value) throws -> Bool)
        -> MappingTest
    {
        adding(property) { found in unmet(found, isMet).map { "\($0), found \(spelled(found))" } }
    }

    /// Expects a closure to return true for the model.
    ///
    /// - Parameters:
    ///   - name: The name of the expectation in messages. For the name of a property, messages include its rule.
    ///   - isMet: The closure. An error that it throws is reported as a failure.
    public func expect(_ name: String, _ isMet: @escaping (Model) throws -> Bool) -> MappingTest {
        adding(MappingExpectation(name: name, path: [name], isProperty: false, unmet: { model in unmet(model, isMet) }))
    }

    /// Expects the fixture to have exactly these issues, ignoring warnings; by default, no issues are expected.
    ///
    /// - Parameter texts: A part of the description of each issue, such as `$.id: expected an integer`.
    public func expectIssues(_ texts: String...) -> MappingTest {
        var copy = self
        copy.issueTexts += texts
        return copy
    }

    /// Expects the mapping to read every key of the fixture.
    ///
    /// - Parameter ignored: Paths of keys that can be unread: `$.links`, `$.tasks[*].color`.
    public func expectEveryKeyIsRead(except ignored: String...) -> MappingTest {
        adding { test, _ in
            do throws(MappingError) {
                return try test.unreadKeys().filter { !ignored.contains($0) }.map { "\($0): no rule reads this key" }
            } catch {
                return error.issues.map { "unread keys: \($0)" }
            }
        }
    }

    /// Maps the fixture and verifies the expectations.
    ///
    /// - Throws: `MappingTestFailure` with every unmet expectation and every unexpected issue.
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
        return adding(MappingExpectation(name: name.text, path: name.path, unmet: { unmet($0[keyPath: property]) }))
    }
}
