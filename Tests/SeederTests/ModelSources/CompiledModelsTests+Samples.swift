import Foundation
import Seeder
import TestSupport

extension CompiledModelsTests {
    static let tracker = Sample(
        folder: resource("Examples/Data/tracker"),
        comparisons: [
            Comparison(
                sql: """
                    SELECT t.id || ' ' || t.name || ' ' || p.name || ' ' || coalesce(u.name, '-') || ' ' || t.hours
                    FROM Task t JOIN Project p ON p._id = t.project LEFT JOIN User u ON u._id = t.assignedUser ORDER BY t.id
                    """,
                swift: """
                    for task in dumps.tasks {
                        print(task.id, text(task.name), text(task.project{s}?.name), text(task.assignedUser{s}?.name), text(task.hours))
                    }
                    """),
            Comparison(
                sql:
                    "SELECT p.id || ' ' || unixepoch(p.startedAt) || ' ' || u.name FROM Project p JOIN User u ON u._id = p.owner",
                swift: """
                    for project in dumps.projects {
                        print(project.id, Int(project.startedAt?.timeIntervalSince1970 ?? 0), text(project.owner{s}?.name))
                    }
                    """),
        ])

    /// Relationships by unique attributes other than the identity.
    static let warehouse = Sample(
        folder: fixture("warehouse"),
        comparisons: [
            Comparison(
                sql: """
                    SELECT l.id || ' ' || coalesce(p.id, '-') || ' ' || coalesce(r.id, '-') || ' ' || coalesce(s.id, '-') || ' '
                        || (SELECT coalesce(sum(t.id), 0) FROM Line_parts JOIN Product t ON t._id = target WHERE owner = l._id)
                    FROM Line l LEFT JOIN Product p ON p._id = l.product LEFT JOIN Product r ON r._id = l.replaced
                    LEFT JOIN Product s ON s._id = l.stored ORDER BY l.id
                    """,
                swift: """
                    for line in dumps.lines.sorted(by: { $0.id < $1.id }) {
                        print(
                            line.id, text(line.product{s}?.id), text(line.replaced{s}?.id), text(line.stored{s}?.id),
                            line.parts{s}.reduce(0) { $0 + $1.id })
                    }
                    """)
        ])

    static let harbour = Sample(
        folder: fixture("harbour"),
        // The last of repeated structs is used.
        kinds: [.classes, .managed],
        comparisons: [
            Comparison(
                sql: """
                    SELECT p.country || p.code || ' ' || coalesce(p.label, '-') || ' ' || coalesce(p.depth, '-') || ' ' || p.isOpen
                        || ' ' || coalesce(q.code, '-') || ' ' || (SELECT count(*) FROM Port WHERE parent = p._id)
                        || ' ' || (SELECT coalesce(sum(length), 0) FROM Berth WHERE port = p._id)
                    FROM Port p LEFT JOIN Port q ON q._id = p.parent ORDER BY p.country, p.code
                    """,
                swift: """
                    for port in dumps.ports.sorted(by: { ($0.country, $0.code) < ($1.country, $1.code) }) {
                        print(
                            port.country + port.code, text(port.label), text(port.depth), port.isOpen ? 1 : 0,
                            text(port.parent{s}?.code), port.children{s}.count,
                            port.berths.reduce(0) { $0 + ($1.length ?? 0) })
                    }
                    """),
            Comparison(
                sql: """
                    SELECT s.imo || ' ' || coalesce(s.uuid, '-') || ' ' || coalesce(s.tonnage, '-') || ' ' || coalesce(p.name, '-')
                        || ' ' || coalesce(t.imo, '-') || ' ' || (SELECT count(*) FROM Ship_captains WHERE owner = s._id)
                        || ' ' || (SELECT count(*) FROM Ship_route WHERE owner = s._id)
                    FROM Ship s LEFT JOIN Person p ON p._id = s.payer LEFT JOIN Ship t ON t._id = s.tug ORDER BY s.imo
                    """,
                swift: """
                    for ship in dumps.ships.sorted(by: { $0.imo < $1.imo }) {
                        print(
                            ship.imo, text(ship.uuid?.uuidString.lowercased()), text(ship.tonnage),
                            text(ship.payer{s}?.name), text(ship.tug{s}?.imo), ship.captains{s}.count, ship.route.count)
                    }
                    """),
            Comparison(
                sql: """
                    SELECT p.personID || ' ' || p.name || ' ' || count(c.owner)
                    FROM Person p LEFT JOIN Ship_captains c ON c.target = p._id GROUP BY p._id
                    """,
                swift: """
                    for person in dumps.people { print(person.personID, person.name, person.ships(in: dumps.session).count) }
                    """),
        ])

    static let railway = Sample(
        folder: fixture("railway"),
        standardInput: try? String(contentsOf: fixture("railway/staff.json"), encoding: .utf8),
        kinds: [.classes, .managed],
        comparisons: [
            Comparison(
                sql: """
                    SELECT s.code || ' ' || coalesce(s.zone, '-') || ' ' || coalesce(s.address, '-') || ' '
                        || coalesce(s.totalLength, '-') || ' ' || coalesce(h.code, '-')
                        || ' ' || (SELECT count(*) FROM Station WHERE hub = s._id)
                        || ' ' || (SELECT count(*) FROM Platform WHERE station = s._id)
                        || ' ' || (SELECT count(*) FROM Station_neighbours WHERE owner = s._id)
                        || ' ' || (SELECT count(*) FROM Station_lines WHERE owner = s._id)
                    FROM Station s LEFT JOIN Station h ON h._id = s.hub ORDER BY s.code
                    """,
                swift: """
                    for station in dumps.stations.sorted(by: { $0.code < $1.code }) {
                        print(
                            station.code, text(station.zone), text(station.address), text(station.totalLength),
                            text(station.hub{s}?.code), station.satellites{s}.count, station.platforms.count,
                            station.neighbours{s}.count, station.lines(in: dumps.session).count)
                    }
                    """),
            Comparison(
                sql: """
                    SELECT t.tripID || ' ' || coalesce(p.tripID, '-') || ' ' || coalesce(n.tripID, '-')
                    FROM Trip t LEFT JOIN Trip p ON p._id = t.previous LEFT JOIN Trip n ON n.previous = t._id ORDER BY t.tripID
                    """,
                swift: """
                    for trip in dumps.trips.sorted(by: { $0.tripID < $1.tripID }) {
                        print(trip.tripID, text(trip.previous{s}?.tripID), text(trip.next{s}?.tripID))
                    }
                    """),
            Comparison(
                sql: """
                    SELECT e.employeeID || ' ' || coalesce(e.role, '-') || ' ' || coalesce(b.employeeID, '-')
                    FROM Employee e LEFT JOIN Employee b ON b._id = e.boss ORDER BY e.employeeID
                    """,
                swift: """
                    for employee in dumps.employees.sorted(by: { $0.employeeID < $1.employeeID }) {
                        print(employee.employeeID, text(employee.role), text(employee.boss{s}?.employeeID))
                    }
                    """),
        ])

    static let oddNames = Sample(
        folder: fixture("odd-names"), dumpsType: "Dumps2",
        // Managed classes have other names.
        kinds: [.classes, .structs],
        comparisons: [
            Comparison(
                sql: """
                    SELECT hex(text) || ' ' || coalesce(needed, 'a' || char(9) || 'b') || ' ' || coalesce(integer, '-') || ' ' || double || ' '
                        || coalesce(decimal, '-') || ' ' || price || ' ' || uuid || ' ' || url || ' ' || coalesce(home, 'https://example.com/')
                        || ' ' || (SELECT count(*) FROM Mapping WHERE attribute = s._id)
                    FROM String s ORDER BY class
                    """,
                swift: """
                    // Foundation escapes invalid characters of a URL.
                    func spelled(_ url: URL?) -> Swift.String { text(url?.absoluteString.removingPercentEncoding) }
                    func hex(_ text: Swift.String?) -> Swift.String {
                        (text ?? "").utf8.map { ($0 < 16 ? "0" : "") + Swift.String($0, radix: 16, uppercase: true) }.joined()
                    }
                    for string in dumps.strings {
                        print(
                            hex(string.text), string.needed, text(string.integer), string.double, text(string.decimal),
                            string.price, string.uuid.uuidString.lowercased(), spelled(string.url), spelled(string.home),
                            string.mappingValue{s}.count)
                    }
                    """),
            Comparison(
                sql: #"""
                    SELECT m.init || ' ' || m.Type || ' ' || m."default" || ' ' || coalesce(m."first name", '-') || ' '
                        || coalesce(m."first-name", '-') || ' ' || coalesce(m.URL, '-') || ' ' || coalesce(m."größe", '-') || ' '
                        || coalesce(m."✂", '-') || ' ' || m.cut || ' ' || coalesce(m.joined, '-') || ' ' || m.whole || ' '
                        || coalesce(a.class, '-') || ' ' || coalesce(i.init, '-') || ' ' || coalesce(r.init, '-') || ' '
                        || (SELECT count(*) FROM "my ""entity""" WHERE self = m._id) || ' ' || coalesce(t.value, '-')
                    FROM Mapping m LEFT JOIN String a ON a._id = m.attribute LEFT JOIN Mapping i ON i._id = m."in"
                    LEFT JOIN Mapping r ON r._id = m.repeat LEFT JOIN Type t ON t._id = m.next ORDER BY m.init
                    """#,
                swift: """
                    for mapping in dumps.mappings {
                        print(
                            mapping.initValue, text(mapping.type), mapping.default ? 1 : 0, text(mapping.firstName),
                            text(mapping.firstName2), text(mapping.url), text(mapping.größe), text(mapping.value),
                            spelled(mapping.cut), text(mapping.joined), mapping.whole, text(mapping.attribute{s}?.class),
                            text(mapping.in{s}?.initValue), text(mapping.repeat{s}?.initValue), mapping.throws.count,
                            text(mapping.next?.value))
                    }
                    """),
            Comparison(
                sql:
                    "SELECT count(*) FROM Type UNION ALL SELECT count(*) FROM Data UNION ALL SELECT count(*) FROM Dumps",
                swift: "print(dumps.typeModels.count); print(dumps.data.count); print(dumps.dumps.count)"),
        ])

    static let isoCodes = Sample(
        folder: resource("Examples/Data/iso-codes"), dumps: IsoCodes.folder,
        comparisons: [
            Comparison(
                sql: """
                    SELECT s.code || ' ' || coalesce(s.fullParentCode, '-') || ' ' || coalesce(c.alpha2, '-') || ' '
                        || coalesce(p.code, '-')
                    FROM Subdivision s LEFT JOIN Country c ON c._id = s.country LEFT JOIN Subdivision p ON p._id = s.parent
                    ORDER BY s._id
                    """,
                swift: """
                    for part in dumps.subdivisions {
                        print(part.code, text(part.fullParentCode), text(part.country{s}?.alpha2), text(part.parent{s}?.code))
                    }
                    """),
            Comparison(
                sql: """
                    SELECT f.alpha4 || ' ' || coalesce(f.withdrawnYear, '-') || ' ' || coalesce(unixepoch(f.withdrawnOn), '-') || ' '
                        || coalesce(c.name, '-')
                    FROM FormerCountry f LEFT JOIN Country c ON c._id = f.successor ORDER BY f._id
                    """,
                swift: """
                    for former in dumps.formerCountries {
                        let seconds = former.withdrawnOn.map { Int($0.timeIntervalSince1970) }
                        print(former.alpha4, text(former.withdrawnYear), text(seconds), text(former.successor{s}?.name))
                    }
                    """),
            Comparison(
                sql: """
                    SELECT c.alpha2 || ' ' || (SELECT count(*) FROM Subdivision WHERE country = c._id)
                        || ' ' || (SELECT count(*) FROM Currency WHERE country = c._id)
                        || ' ' || (SELECT count(*) FROM FormerCountry WHERE successor = c._id)
                    FROM Country c ORDER BY c._id LIMIT 9
                    """,
                swift: """
                    for country in dumps.countries.prefix(9) {
                        print(
                            country.alpha2, country.subdivisions{s}.count, country.currencies{s}.count,
                            country.predecessors{s}.count)
                    }
                    """),
            Comparison(
                sql: "SELECT count(*) FROM Language UNION ALL SELECT count(*) FROM Script",
                swift: "print(dumps.languages.count); print(dumps.scripts.count)"),
        ],
        rowMappings: [
            "Subdivision": #"""
            extension Subdivision {
                static let rows = Mapping(Subdivision.self) {
                    Attribute("code", \.code).required
                    Attribute("name", \.name).required
                    Attribute("type", \.type).required
                    Attribute("code", \.countryCode).using(.match("^([A-Z]{2})-")).required.readOnly
                    Attribute("parent", \.parentCode)
                    Attribute(.value, \.fullParentCode)
                        .using(
                            Conversion<String?>.joined(
                                [TextPart("code", match: "^([A-Z]{2})-"), TextPart("parent", match: "^([^-]+)$")],
                                separator: "-"))
                        .whenInvalid(.keep).readOnly
                    Connection(\.country, by: \.countryCode)
                    Connection(\.parent, by: \.fullParentCode).when { $0.fullParentCode != nil }
                    Connection(\.parent, by: \.parentCode)
                }
            }
            """#
        ])
}
