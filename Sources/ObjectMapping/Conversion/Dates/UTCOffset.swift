/// How far the clocks of a place are ahead of UTC.
public struct UTCOffset: Sendable, Hashable {
    /// Seconds east of UTC.
    let seconds: Int

    /// No offset.
    public static let utc = UTCOffset(seconds: 0)

    /// An offset east of UTC, or west if negative.
    ///
    /// - Parameters:
    ///   - hours: From -23 to 23; a mapping with a greater one does not compile to a plan.
    ///   - minutes: From 0 to 59, on the side of the hours.
    public static func hours(_ hours: Int, minutes: Int = 0) -> UTCOffset {
        // Far too great is as wrong as a little.
        let hours = min(max(hours, -1000), 1000)
        let minutes = min(max(minutes, 0), 60_000)
        return UTCOffset(seconds: (hours * 60 + (hours < 0 ? -minutes : minutes)) * 60)
    }

    var mistake: ConversionMistake? {
        abs(seconds) < 86_400
            ? nil : ConversionMistake(expected: "an offset of less than a day", found: "a greater one")
    }
}
