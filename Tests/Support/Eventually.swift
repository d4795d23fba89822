/// Polls `condition` until it holds, for at most 30 seconds.
///
/// The time limit of a test only cancels its task. A wait must end then, because otherwise one failed condition keeps
/// all tests from ending.
///
/// - Parameters:
///   - what: The awaited event, for the error.
///   - file: The file of the call, for the error.
///   - line: The line of the call, for the error.
///   - condition: The condition. It is called every millisecond.
/// - Returns: `true`, so that a call can be the condition of an expectation.
/// - Throws: ``NeverHappened`` if the condition does not hold in time, or `CancellationError`.
@discardableResult
public func eventually(
    _ what: String = "the condition holds",
    file: String = #fileID,
    line: Int = #line,
    _ condition: @Sendable () async throws -> Bool
) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(30)
    while try await !condition() {
        guard ContinuousClock.now < end else { throw NeverHappened("\(what) (\(file):\(line))") }
        try await Task.sleep(for: .milliseconds(1))
    }
    return true
}

/// The error of a wait that took too long.
public struct NeverHappened: Error, CustomStringConvertible {
    private let what: String

    /// Creates an error.
    ///
    /// - Parameter what: The awaited event.
    public init(_ what: String) { self.what = what }

    /// The awaited event.
    public var description: String { "did not happen in time: \(what)" }
}
