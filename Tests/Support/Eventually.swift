/// Polls until `condition` holds, for at most 30 seconds.
public func eventually(_ condition: @Sendable () -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < end {
        if condition() { return true }
        try await Task.sleep(for: .milliseconds(5))
    }
    return condition()
}
