/// The key of a setting that another module adds to those of requests.
package protocol RequestSettingKey {
    associatedtype Value: Sendable
    static var defaultValue: Value { get }
}

/// The values of settings that other modules add, which a response has, too.
package struct SettingValues: Sendable {
    private var values: [ObjectIdentifier: any Sendable] = [:]

    package init() {}

    var isEmpty: Bool { values.isEmpty }

    package subscript<Key: RequestSettingKey>(key: Key.Type) -> Key.Value {
        get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}
