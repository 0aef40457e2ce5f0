import ObjectMapping
import Testing

struct DirectionTests {
    @Test func `Rules for one direction are read or written only`() throws {
        let mapping = Mapping(Box.init) {
            Attribute("int", \.int).readOnly
            Attribute("text", \.text).writeOnly.default("none")
            Relationship("payment", \.payment, Payment.mapping).readOnly
            Relationship("payments", \.payments, Payment.mapping).writeOnly.required
        }
        let box = try mapping.map(#"{"int": 1, "text": [], "payment": {}, "payments": 5}"#)
        #expect(box.int == 1 && box.text == "-" && box.payment != nil && box.payments.isEmpty)
    }

    @Test func `One property can have a rule for each direction`() throws {
        let mapping = Mapping(Box.init) {
            Attribute("old", \.int).readOnly
            Attribute("new", \.int).writeOnly
        }
        #expect(try mapping.map(#"{"old": 1, "new": 2}"#).int == 1)
    }

    @Test func `Mistakes are found in both directions`() {
        expectIssues(
            "expected a collection operator, found '@coun' in the key path 'a.@coun' (rule a.@coun -> Box.int); did you mean '@count'?"
        ) {
            try Mapping(Box.init) {
                Attribute("text", \.text)
                Attribute("a.@coun", \.int).writeOnly
            }.validate()
        }
    }
}
