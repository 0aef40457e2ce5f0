// Separate overloads: with one for any value, the compiler does not infer the type of the model, and one for any number
// of arguments takes long to type-check.
extension Mapping {
    /// Rejects an initializer with arguments.
    @available(
        *, unavailable,
        message:
            "rules fill a model that is created empty: give all properties initial values, so that `Model.init` has no arguments, or read the arguments with `Mapping(Model.self, Model.init, Parameter(\"key\", \\.property), …)`"
    )
    @_disfavoredOverload public init<A>(
        _ make: @escaping @Sendable (A) -> Model, keys: KeyNaming = .asIs,
        @MappingBuilder<Model> _ rules: () -> [RuleDefinition<Model>]
    ) { self = .decline }

    /// Rejects an initializer with arguments.
    @available(
        *, unavailable,
        message:
            "rules fill a model that is created empty: give all properties initial values, so that `Model.init` has no arguments, or read the arguments with `Mapping(Model.self, Model.init, Parameter(\"key\", \\.property), …)`"
    )
    @_disfavoredOverload public init<A, B>(
        _ make: @escaping @Sendable (A, B) -> Model, keys: KeyNaming = .asIs,
        @MappingBuilder<Model> _ rules: () -> [RuleDefinition<Model>]
    ) { self = .decline }

    /// Rejects an initializer with arguments.
    @available(
        *, unavailable,
        message:
            "rules fill a model that is created empty: give all properties initial values, so that `Model.init` has no arguments, or read the arguments with `Mapping(Model.self, Model.init, Parameter(\"key\", \\.property), …)`"
    )
    @_disfavoredOverload public init<A, B, C>(
        _ make: @escaping @Sendable (A, B, C) -> Model, keys: KeyNaming = .asIs,
        @MappingBuilder<Model> _ rules: () -> [RuleDefinition<Model>]
    ) { self = .decline }

    /// Rejects an initializer with arguments.
    @available(
        *, unavailable,
        message:
            "rules fill a model that is created empty: give all properties initial values, so that `Model.init` has no arguments, or read the arguments with `Mapping(Model.self, Model.init, Parameter(\"key\", \\.property), …)`"
    )
    @_disfavoredOverload public init<A, B, C, D>(
        _ make: @escaping @Sendable (A, B, C, D) -> Model, keys: KeyNaming = .asIs,
        @MappingBuilder<Model> _ rules: () -> [RuleDefinition<Model>]
    ) { self = .decline }

    /// Rejects an initializer with arguments.
    @available(
        *, unavailable,
        message:
            "rules fill a model that is created empty: give all properties initial values, so that `Model.init` has no arguments, or read the arguments with `Mapping(Model.self, Model.init, Parameter(\"key\", \\.property), …)`"
    )
    @_disfavoredOverload public init<A, B, C, D, E>(
        _ make: @escaping @Sendable (A, B, C, D, E) -> Model, keys: KeyNaming = .asIs,
        @MappingBuilder<Model> _ rules: () -> [RuleDefinition<Model>]
    ) { self = .decline }

    /// Rejects an initializer with arguments.
    @available(
        *, unavailable,
        message:
            "rules fill a model that is created empty: give all properties initial values, so that `Model.init` has no arguments, or read the arguments with `Mapping(Model.self, Model.init, Parameter(\"key\", \\.property), …)`"
    )
    @_disfavoredOverload public init<A, B, C, D, E, F>(
        _ make: @escaping @Sendable (A, B, C, D, E, F) -> Model, keys: KeyNaming = .asIs,
        @MappingBuilder<Model> _ rules: () -> [RuleDefinition<Model>]
    ) { self = .decline }
}
