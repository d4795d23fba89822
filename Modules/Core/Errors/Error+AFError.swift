extension Error {
    /// This error, if it is an ``AFError``.
    public var asAFError: AFError? { self as? AFError }

    /// This error as an ``AFError``. One that is none is a mistake in the program, which ends with `message`.
    ///
    /// - Parameters:
    ///   - message: What to say at the end.
    ///   - file: The file to blame.
    ///   - line: The line to blame.
    public func asAFError(
        orFailWith message: @autoclosure () -> String,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> AFError {
        guard let error = self as? AFError else { preconditionFailure(message(), file: file, line: line) }
        return error
    }

    /// This error if it is an ``AFError``, or else `defaultError`.
    package func asAFError(or defaultError: @autoclosure () -> AFError) -> AFError {
        self as? AFError ?? defaultError()
    }
}
