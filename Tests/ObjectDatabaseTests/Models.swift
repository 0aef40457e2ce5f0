import ObjectMapping

let models = [User.entity, Task.entity, Tag.entity, Seat.entity, Ticket.entity]

/// Holds tasks, which refer to it; refers to another user and to tags.
final class User: Stored {
    var id = 0
    var name = ""
    var version: Int?
    var friendID: Int?
    var friend: User?
    var tagNames: [String] = []
    var tags: [Tag] = []
    var tasks: [Task] = []

    static let mapping = Mapping({ User() }) {
        Attribute("id", \.id)
        Attribute("name", \.name)
        Attribute("version", \.version)
        Attribute("friend", \.friendID)
        Attribute("tags", \.tagNames)
        Connection(\.friend, by: \.friendID)
        Connection(\.tags, by: \.tagNames)
        Relationship("tasks", \.tasks, Task.mapping).policy(.replace)
    }
    .identified(by: \.id)
    .modified(by: \.version)

    /// Names are unique too; a second identity for the same objects.
    static let byName = Mapping({ User() }) {
        Attribute("name", \.name)
        Attribute("version", \.version)
        Attribute("id", \.id)
    }
    .identified(by: \.name)

    static let entity = Entity(
        User.self, by: [\User.id],
        [column(\User.id), column(\User.name), column(\User.version), column(\User.friendID), column(\User.tagNames)],
        [relation(\User.friend), relation(\User.tags), relation(\User.tasks)])
}

/// Refers to a user by its key.
final class Task: Stored {
    var id = 0
    var title = ""
    var userID: Int?
    var user: User?

    static let mapping: Mapping<Task> = Mapping({ Task() }) {
        Attribute("id", \.id)
        Attribute("title", \.title)
        Attribute("user", \.userID)
        Connection(\.user, by: \.userID, to: User.mapping)
    }
    .identified(by: \.id)

    static let entity = Entity(
        Task.self, by: [\Task.id], [column(\Task.id), column(\Task.title), column(\Task.userID)],
        [relation(\Task.user)])
}

/// Identified by a string.
final class Tag: Stored {
    var name = ""
    var color = ""

    static let mapping = Mapping({ Tag() }) {
        Attribute("color", \.color)
        Attribute("name", \.name)
    }
    .identified(by: \.name)

    static let entity = Entity(Tag.self, by: [\Tag.name], [column(\Tag.name), column(\Tag.color)])
}

/// Identified by two properties.
final class Seat: Stored {
    var row = ""
    var number = 0
    var ticketID: UUID?
    var ticket: Ticket?

    static let mapping: Mapping<Seat> = Mapping({ Seat() }) {
        Attribute("at.row", \.row)
        Attribute("number", \.number)
        Attribute("ticket", \.ticketID)
        Connection(\.ticket, by: \.ticketID, to: Ticket.mapping)
    }
    .identified(by: \.row).identified(by: \.number)

    static let entity = Entity(
        Seat.self, by: [\Seat.row, \Seat.number],
        [column(\Seat.row), column(\Seat.number), column(\Seat.ticketID)], [relation(\Seat.ticket)])
}

/// Identified by a UUID; refers to a seat by two properties.
final class Ticket: Stored {
    var id = UUID()
    var row: String?
    var number: Int?
    var seat: Seat?

    static let mapping: Mapping<Ticket> = Mapping({ Ticket() }) {
        Attribute("id", \.id)
        Attribute("row", \.row)
        Attribute("number", \.number)
        Connection(\.seat, by: \.row, \.number, to: Seat.mapping)
    }
    .identified(by: \.id)

    static let entity = Entity(
        Ticket.self, by: [\Ticket.id], [column(\Ticket.id), column(\Ticket.row), column(\Ticket.number)],
        [relation(\Ticket.seat)])
}
