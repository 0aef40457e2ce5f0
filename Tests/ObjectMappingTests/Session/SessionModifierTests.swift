import ObjectMapping
import Testing

private final class Visit: Mappable {
    struct Reversed: Error {}

    var id = -1
    var guestID = -1
    var hostID: Int? = 1
    var roomID: Int?
    var start = 0
    var end = 1
    var guest: Guest?
    var host: Guest?
    var room: Guest?

    static let mapping = Mapping({ Visit() }) {
        Attribute("id", \.id).default(0)
        Attribute("guest", \.guestID)
        Attribute("host", \.hostID).whenAbsent(.clear)
        Attribute("room", \.roomID).whenNull(.keep)
        Attribute("start", \.start)
        Attribute("end", \.end)
        Connection(\.guest, by: \.guestID)
        Connection(\.host, by: \.hostID)
        Connection(\.room, by: \.roomID)
    }
    .identified(by: \.id)
    .validated { if $0.end < $0.start { throw Reversed() } }
}

private final class Guest: Mappable {
    var id = 0

    static let mapping = Mapping({ Guest() }) { Attribute("id", \.id) }.identified(by: \.id)
}

struct SessionModifierTests {
    private let session = MappingSession()
    private let guests: [Guest]

    init() throws { guests = try Guest.mapping.mapAll(#"[{"id": 1}, {"id": 2}, {"id": -1}]"#, in: session) }

    @Test func `A default is not an identity`() throws {
        let visits = try Visit.mapping.mapAll(#"[{}, {}, {"id": null}, {"id": 0}]"#, in: session)
        #expect(Set(visits.map { ObjectIdentifier($0) }).count == 4 && visits.allSatisfy { $0.id == 0 })
        #expect(session.all(Visit.self).count == 1 && session.find(Visit.self, 0) === visits[3])
    }

    @Test func `A key that null resets, or that no payload sets, connects nothing`() throws {
        let visit = try Visit.mapping.map(#"{"guest": 2}"#, in: session)
        #expect(visit.guest === guests[1])
        try Visit.mapping.update(visit, from: #"{"guest": null}"#, in: session)
        #expect(visit.guest == nil && visit.guestID == -1 && session.unresolved.isEmpty)
        #expect(try Visit.mapping.map("{}", in: session).guest == nil)
    }

    @Test func `A relationship is cleared with its key if absence clears the key`() throws {
        let visit = try Visit.mapping.map(#"{"host": 2}"#, in: session)
        #expect(visit.host === guests[1])
        try Visit.mapping.update(visit, from: "{}", in: session)
        #expect(visit.host == nil && visit.hostID == nil)
    }

    @Test func `A relationship is kept with its key if null keeps the key`() throws {
        let visit = try Visit.mapping.map(#"{"room": 2}"#, in: session)
        try Visit.mapping.update(visit, from: #"{"room": null}"#, in: session)
        #expect(visit.roomID == 2 && visit.room === guests[1])
    }

    @Test func `A known object is validated with its existing values`() throws {
        let visit = try Visit.mapping.map(#"{"id": 1, "start": 5, "end": 9}"#, in: session)
        let visits = try Visit.mapping.mapAll(#"[{"id": 1, "start": 7}, {"id": 1, "start": 8}]"#, in: session)
        #expect(visits[0] === visit && visit.start == 8 && visit.end == 9)
        #expect(throws: MappingError.self) {
            try Visit.mapping.mapAll(#"[{"id": 1, "end": 8}, {"id": 1, "start": 9}]"#, in: session)
        }
        #expect(visit.start == 8 && visit.end == 9)
    }
}
