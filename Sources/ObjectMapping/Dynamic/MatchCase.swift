/// Gives the box that reads a value.
typealias MatchTarget = @Sendable (PlanBuilder) -> ObjectBox

/// One condition of a mapping that chooses by content, and what reads the value if it holds.
struct MatchCase<Model>: Sendable {
    let condition: MatchCondition<Model>
    let target: MatchTarget

    static func target(_ mapping: @escaping @Sendable () -> Mapping<Model>) -> MatchTarget {
        let destination = Destination(mapping)
        return { builder in destination.objects(builder) }
    }

    static func target<Values>(
        _ mapping: @escaping @Sendable () -> Mapping<Values>, _ make: @escaping @Sendable (Values) -> Model
    ) -> MatchTarget {
        let destination = Destination(mapping)
        return { builder in
            let box = destination.objects(builder).rewrapped(Model.self, builder) {
                ConvertedObjectBox($0, make)
            }
            _ = builder.keep(box)
            return box
        }
    }
}

/// When a case matches.
enum MatchCondition<Model>: Sendable {
    case value(MappingSource, MatchValue)
    case kind(MappingSource, JSONKind)
    case wrapper(String)
    case predicate(@Sendable (JSON) -> Bool)
    case choice(@Sendable (JSON) -> Mapping<Model>?)
    case always
}
