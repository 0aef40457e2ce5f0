import ObjectMapping

/// How the values of a column become values of another type without loss.
struct TypeWidening {
    /// A condition for values that the new type cannot represent; `nil` if it represents all of them.
    let limit: (condition: (String) -> String, reason: String)?
    private let convert: ((String) -> String)?

    private init(
        limit: (condition: (String) -> String, reason: String)? = nil, _ convert: ((String) -> String)? = nil
    ) {
        self.limit = limit
        self.convert = convert
    }

    /// Whether the stored values are the same.
    var isIdentity: Bool { convert == nil }

    /// Returns the expression of the new value.
    ///
    /// - Parameter column: The expression of the old value.
    func expression(_ column: String) -> String { convert?(column) ?? column }

    /// Returns the widening of a type; `nil` if values cannot be converted without loss.
    init?(from old: AttributeType, to new: AttributeType) {
        if new == AttributeType(.json) {
            guard old.isList || Self.json(old.scalar) != nil else { return nil }
            self.init(old.isList ? nil : Self.json(old.scalar))
        } else if old.isList {
            let isKept =
                Self.isText(old.scalar) && new.scalar == .string || old.scalar == .integer && new.scalar == .double
            guard new.isList, isKept else { return nil }
            self.init()
        } else if new.isList {
            guard old.scalar == new.scalar, let element = Self.json(old.scalar) else { return nil }
            // The text of an element that is NULL would be NULL.
            self.init { "'[' || \(element($0)) || ']'" }
        } else {
            switch (old.scalar, new.scalar) {
            case (.integer, .double):
                self.init(
                    limit: (
                        { "\($0) NOT BETWEEN -9007199254740992 AND 9007199254740992" },
                        "integers above 2^53 would lose digits"
                    ),
                    Self.cast(of: "integer", as: "REAL"))
            case (.integer, .decimal), (.integer, .string): self.init(Self.cast(of: "integer", as: "TEXT"))
            case (.boolean, .integer): self.init()
            case (let scalar, .string) where Self.isText(scalar) || scalar == .decimal: self.init()
            default: return nil
            }
        }
    }

    /// Whether values of a type are texts, also in JSON.
    private static func isText(_ scalar: AttributeType.Scalar) -> Bool {
        [.string, .date, .uuid, .url].contains(scalar)
    }

    /// Returns the expression of the JSON text of a value; `nil` for types whose text is not exact.
    private static func json(_ scalar: AttributeType.Scalar) -> ((String) -> String)? {
        switch scalar {
        case .integer: cast(of: "integer", as: "TEXT")
        case .boolean: { "CASE \($0) WHEN 0 THEN 'false' WHEN 1 THEN 'true' ELSE \($0) END" }
        case .string, .date, .uuid, .url, .decimal:
            { "CASE typeof(\($0)) WHEN 'text' THEN json_quote(\($0)) ELSE \($0) END" }
        case .double, .data, .json: nil
        }
    }

    /// Values of another type, which other programs have written, are kept.
    private static func cast(of type: String, as column: String) -> (String) -> String {
        { "CASE typeof(\($0)) WHEN '\(type)' THEN CAST(\($0) AS \(column)) ELSE \($0) END" }
    }
}
