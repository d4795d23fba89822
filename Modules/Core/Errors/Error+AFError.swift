extension Error {
    /// This error as an ``AFError``; `nil` if it is another error.
    public var asAFError: AFError? { self as? AFError }

    /// Returns this error as an ``AFError``. Another error is a programming error, which traps with `message`.
    ///
    /// - Parameters:
    ///   - message: The message of the trap.
    ///   - file: The file that the trap names.
    ///   - line: The line that the trap names.
    public func asAFError(
        orFailWith message: @autoclosure () -> String,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> AFError {
        guard let error = self as? AFError else { preconditionFailure(message(), file: file, line: line) }
        return error
    }

    /// Returns this error if it is an ``AFError``, else `defaultError`.
    package func asAFError(or defaultError: @autoclosure () -> AFError) -> AFError {
        self as? AFError ?? defaultError()
    }
}
