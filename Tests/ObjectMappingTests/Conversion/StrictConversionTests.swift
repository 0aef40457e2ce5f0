import ObjectMapping
import Testing

private struct Lamp: Mappable {
    var name = ""
    var watts: Int?
    var isOn = false
    var tags: [String] = []
    var width = 0
    static let mapping = Mapping(Lamp.init) {
        Attribute("name", \.name).using(.strict)
        Attribute("watts", \.watts).using(.strict)
        Attribute("on", \.isOn).using(.strict)
        Attribute("tags", \.tags).using(.strict)
        Attribute("size", \.width, using: .oneOf(["small": 120, "large": 480]))
    }
}

@Suite struct `Conversions of one kind of JSON` {
    @Test func `a strict conversion accepts only the kind of JSON that it writes`() throws {
        let error = #expect(throws: MappingError.self) {
            try Lamp.mapping.map(#"{ "name": 7, "watts": "60", "on": "yes", "tags": ["a", 1] }"#)
        }
        #expect(
            error?.issues.map(\.description) == [
                "1:11 $.name: expected a string, found a number (rule name -> Lamp.name)",
                "1:23 $.watts: expected an integer, found a string (rule watts -> Lamp.watts)",
                "1:35 $.on: expected a boolean, found a string (rule on -> Lamp.isOn)",
                "1:56 $.tags[1]: expected a string, found a number (rule tags -> Lamp.tags)",
            ])
        let text = #"{"name":"7","watts":60,"on":true,"tags":["a"],"size":"small"}"#
        #expect(try Lamp.mapping.json(of: Lamp.mapping.map(text)).text == text)
        #expect(try Lamp.mapping.map(#"{ "watts": 6e1 }"#).watts == 60)
    }

    @Test func `a table converts its strings, and suggests the nearest one for another`() throws {
        #expect(try Lamp.mapping.map(#"{ "size": "large" }"#).width == 480)
        let error = #expect(throws: MappingError.self) {
            try Lamp.mapping.mapAll(#"[{ "size": "smal" }, { "size": 1 }]"#)
        }
        #expect(
            error?.issues.map(\.description) == [
                "1:12 $[0].size: expected 'small' or 'large', found another string (rule size -> Lamp.width); did you mean 'small'?",
                "1:32 $[1].size: expected 'small' or 'large', found a number (rule size -> Lamp.width)",
            ])
        #expect(throws: MappingError.self) { try Lamp.mapping.json(of: Lamp(width: 3)) }
    }
}
