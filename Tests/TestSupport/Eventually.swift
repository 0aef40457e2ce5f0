/// Waits until a condition is true, while other tasks run.
///
/// - Parameter limit: The time after which it gives up. Defaults to a minute, which only a test that fails takes.
/// - Returns: Whether the condition became true before the limit and the cancellation of the task.
public func eventually(
    within limit: Duration = .seconds(60), isolation: isolated (any Actor)? = #isolation, _ condition: () -> Bool
) async -> Bool {
    let end = ContinuousClock.now + limit
    while !condition() {
        guard .now < end, !Task.isCancelled else { return false }
        await Task.yield()
    }
    return true
}
