import ObjectMapping

struct Circle: Mappable, Hashable {
    var radius = 0.0
    static let mapping = Mapping(Circle.init) { Attribute("radius", \.radius) }
}

struct Rectangle: Mappable, Hashable {
    let width: Double
    let height: Double
    static let mapping = Mapping(Rectangle.self, Rectangle.init, Parameter("width"), Parameter("height"))
}

struct Group: Mappable, Hashable {
    var name = ""
    var members: [Shape] = []
    static let mapping = Mapping(Group.init) {
        Attribute("name", \.name)
        Relationship("members", \.members)
    }
}

/// An enum with payloads, one of which contains the enum.
indirect enum Shape: Mappable, Hashable {
    case circle(Circle), rectangle(Rectangle), group(Group)

    static let mapping = Mapping<Shape>(matching: {
        Match("type", is: "circle", Circle.mapping, Shape.circle)
        Match("type", in: ["rectangle": Rectangle.mapping, "box": Rectangle.mapping], Shape.rectangle)
        Match("type", is: "group", Group.mapping, Shape.group)
    })
}

/// A filter that is wrapped in its name, at any depth.
indirect enum Filter: Mappable, Equatable {
    case not(Filter), all([Filter]), name(String)

    static let name = Mapping({ "" }) { Attribute("", \.self) }
    static let list: Mapping<[Filter]> = Mapping({ [] }) { Relationship("", \.self, Filter.mapping) }
    static let mapping: Mapping<Filter> = Mapping(matching: {
        Match(wrappedIn: "not", Filter.mapping, Filter.not)
        Match(wrappedIn: "all", list, Filter.all)
        Match(.value, isA: .string, name, Filter.name)
    })
}

class Human {
    var name = ""
    static let mapping = Mapping({ Human() }) { Attribute("name", \.name) }
}

final class Boy: Human {
    var plays = ""
    static let boy = Mapping({ Boy() }) {
        Attribute("name", \.name)
        Attribute("plays", \.plays)
    }
}

final class Girl: Human {
    var reads = ""
    static let girl = Mapping({ Girl() }) {
        Attribute("name", \.name)
        Attribute("reads", \.reads)
    }
}
