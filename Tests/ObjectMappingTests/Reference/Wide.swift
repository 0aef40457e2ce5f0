import Foundation
import ObjectMapping

/// A struct with a property of every kind, for random rules.
struct Wide: Sendable {
    enum Status: String, JSONConvertible { case open, done }

    var int = -1
    var maybeInt: Int? = 5
    var small: Int8 = 7
    var maybeUnsigned: UInt64?
    var double = -1.5
    var maybeDouble: Double? = 0.5
    var float: Float?
    var bool = true
    var maybeBool: Bool?
    var text = "fresh"
    var maybeText: String? = "fresh"
    var date = Date(timeIntervalSince1970: 86_400)
    var maybeDate: Date?
    var decimal: Decimal?
    var uuid: UUID?
    var url: URL?
    var data: Data?
    var status = Status.open
    var json: JSON?
    var sureJSON = JSON.bool(true)
    var twice: Int?? = 3
    var ints = [1]
    var maybeTexts: [String]? = ["fresh"]
    var textsOrNull: [String?] = []
    var doubles: [Double] = []
    var bools: [Bool?] = []
    var dates: [Date] = []
    var decimals: [Decimal?]?
    var jsons: [JSON] = []
    var grid: [[Int]] = [[1]]
    var codes: Set<Int> = [7]
    var names: Set<String>?
    /// Observed: has no memory offset.
    var observed = 0 { didSet { changes += 1 } }
    private var changes = 0
    var knot: Knot?
    var wides: [Wide] = []
    var maybeWides: [Wide]?
    var knots: [Knot] = []
    var made: Made?
    var mades: [Made] = []
}

/// A final class with an initializer for its values.
final class Made: Sendable {
    let values: Wide

    init(_ values: Wide) { self.values = values }
}

/// A final class with as many, and others of its type.
final class Knot: @unchecked Sendable {  // guarded by being read by one test at a time
    var int = -1
    var maybeInt: Int? = 5
    var small: UInt16 = 7
    var double = -1.5
    var maybeDouble: Double? = 0.5
    var bool = true
    var maybeBool: Bool?
    var text = "fresh"
    var maybeText: String? = "fresh"
    var date = Date(timeIntervalSince1970: 86_400)
    var maybeDate: Date?
    var decimal: Decimal?
    var status: Wide.Status?
    var json: JSON?
    var ints = [1]
    var maybeTexts: [String?]?
    var codes: Set<Int>?
    var inner = Wide()
    var maybeInner: Wide?
    var knot: Knot?
    var knots: [Knot] = []
    var maybeKnots: [Knot]?
    /// Computed: set through a closure.
    var alias: Int? {
        get { hidden }
        set { hidden = newValue }
    }
    private var hidden: Int?
}
