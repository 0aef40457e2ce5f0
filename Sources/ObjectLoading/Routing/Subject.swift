/// What a route belongs to: the objects of a class, a relationship of a class, or a name.
struct Subject: Hashable, Sendable, CustomStringConvertible {
    let type: Any.Type?
    /// The relationship or the name of the route; `nil` for the objects of a class.
    let memberName: String?

    private init(_ type: Any.Type?, _ memberName: String?) {
        self.type = type
        self.memberName = memberName
    }

    static func objects(of type: Any.Type) -> Subject { Subject(type, nil) }

    static func relationship(of type: Any.Type, _ property: AnyKeyPath) -> Subject {
        Subject(type, property.propertyPath)
    }

    static func relationship(of type: Any.Type, named name: String) -> Subject { Subject(type, name) }

    static func name(_ name: String) -> Subject { Subject(nil, name) }

    var isName: Bool { type == nil }

    /// The name for suggestions.
    var name: String { memberName ?? type.map { "\($0)" } ?? "" }

    static func == (a: Subject, b: Subject) -> Bool {
        a.type.map { ObjectIdentifier($0) } == b.type.map { ObjectIdentifier($0) } && a.memberName == b.memberName
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(type.map { ObjectIdentifier($0) })
        hasher.combine(memberName)
    }

    var description: String {
        guard let type else { return "the name '\(memberName ?? "")'" }
        return memberName.map { "\(type).\($0)" } ?? "\(type)"
    }
}
