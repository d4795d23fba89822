extension Result {
    /// The value, if there is one.
    package var success: Success? {
        if case .success(let value) = self { value } else { nil }
    }

    /// The error, if there is one.
    package var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }

    /// Returns the result with the value transformed by `transform`, or the error that it throws.
    package func tryMap<NewSuccess>(_ transform: (Success) throws -> NewSuccess) -> Result<NewSuccess, any Error> {
        switch self {
        case .success(let value): Result<NewSuccess, any Error> { try transform(value) }
        case .failure(let error): .failure(error)
        }
    }

    /// Returns the result with the error transformed by `transform`, or the error that it throws.
    package func tryMapError<NewFailure: Error>(
        _ transform: (Failure) throws -> NewFailure
    ) -> Result<Success, any Error> {
        switch self {
        case .success(let value): return .success(value)
        case .failure(let error):
            do {
                return .failure(try transform(error))
            } catch {
                return .failure(error)
            }
        }
    }
}
