import CMappingRuntime

/// The hooks of managed classes that are called when objects are inserted and saved, and not when rows are written.
enum SaveHooks {
    // Classes that each override one hook, with different code so that a linker cannot merge it.
    private final class Inserted: ManagedObject {
        private var calls = 0
        override func awakeFromInsert() { calls += 1 }
    }

    private final class Saved: ManagedObject {
        private var calls = 0
        override func willSave() { calls += 2 }
    }

    private final class Validated: ManagedObject {
        private var calls = 0
        override func validateForSave() { calls += 3 }
    }

    /// The positions of the hooks in the metadata of classes; negative if one was not found.
    private static let methods = [
        method(Inserted.self, Saved.self, Validated.self), method(Saved.self, Inserted.self, Validated.self),
        method(Validated.self, Inserted.self, Saved.self),
    ]

    /// Whether a class overrides any of the hooks; `true` if this cannot be determined.
    static func areOverridden(in type: ManagedObject.Type) -> Bool {
        methods.contains { method in
            method < 0 || mappingkit_is_overridden(address(type), address(ManagedObject.self), method)
        }
    }

    private static func method(
        _ overriding: ManagedObject.Type, _ other: ManagedObject.Type, _ another: ManagedObject.Type
    ) -> Int {
        mappingkit_method_index(
            address(ManagedObject.self), address(overriding), address(other), address(another))
    }

    private static func address(_ type: ManagedObject.Type) -> UInt { UInt(bitPattern: ObjectIdentifier(type)) }
}
