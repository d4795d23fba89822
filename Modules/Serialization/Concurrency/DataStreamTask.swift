public import AirframeCore
public import Foundation

/// A stream that is read with `for await`.
///
/// What comes is kept for a slow reader as the buffering policy says; it does not slow the server down. Where memory
/// counts, read `bytes()` of the request.
public struct DataStreamTask: Sendable {
    /// The events of a stream.
    public typealias Stream<Success, Failure: Error> = StreamOf<DataStreamRequest.Stream<Success, Failure>>
    where Success: Sendable

    private let request: DataStreamRequest

    init(request: DataStreamRequest) { self.request = request }

    /// The pieces of the body.
    ///
    /// - Parameters:
    ///   - shouldAutomaticallyCancel: Whether the request is cancelled when the reader goes away before the end.
    ///   - bufferingPolicy: What to keep for a slow reader.
    public func streamingData(
        automaticallyCancelling shouldAutomaticallyCancel: Bool = true,
        bufferingPolicy: Stream<Data, Never>.BufferingPolicy = .unbounded
    ) -> Stream<Data, Never> {
        stream(shouldAutomaticallyCancel, bufferingPolicy) { .passthrough }
    }

    /// The texts of the pieces of the body, in UTF-8. A character that lies in two pieces comes whole, with the second.
    ///
    /// - Parameters:
    ///   - shouldAutomaticallyCancel: Whether the request is cancelled when the reader goes away before the end.
    ///   - bufferingPolicy: What to keep for a slow reader.
    public func streamingStrings(
        automaticallyCancelling shouldAutomaticallyCancel: Bool = true,
        bufferingPolicy: Stream<String, Never>.BufferingPolicy = .unbounded
    ) -> Stream<String, Never> {
        stream(shouldAutomaticallyCancel, bufferingPolicy) { .strings }
    }

    /// Values decoded from the pieces of the body.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - shouldAutomaticallyCancel: Whether the request is cancelled when the reader goes away before the end.
    ///   - bufferingPolicy: What to keep for a slow reader.
    public func streamingDecodables<T: Decodable & Sendable>(
        _ type: T.Type = T.self,
        automaticallyCancelling shouldAutomaticallyCancel: Bool = true,
        bufferingPolicy: Stream<T, AFError>.BufferingPolicy = .unbounded
    ) -> Stream<T, AFError> {
        streamingResponses(
            serializedUsing: DecodableStreamSerializer<T>(),
            automaticallyCancelling: shouldAutomaticallyCancel,
            bufferingPolicy: bufferingPolicy
        )
    }

    /// What a serializer makes of the pieces of the body.
    ///
    /// - Parameters:
    ///   - serializer: Makes the values.
    ///   - shouldAutomaticallyCancel: Whether the request is cancelled when the reader goes away before the end.
    ///   - bufferingPolicy: What to keep for a slow reader.
    public func streamingResponses<Serializer: DataStreamSerializer>(
        serializedUsing serializer: Serializer,
        automaticallyCancelling shouldAutomaticallyCancel: Bool = true,
        bufferingPolicy: Stream<Serializer.SerializedObject, AFError>.BufferingPolicy = .unbounded
    ) -> Stream<Serializer.SerializedObject, AFError> {
        stream(shouldAutomaticallyCancel, bufferingPolicy) { .values(of: serializer) }
    }

    private func stream<Success: Sendable, Failure: Error>(
        _ shouldAutomaticallyCancel: Bool,
        _ bufferingPolicy: Stream<Success, Failure>.BufferingPolicy,
        _ makeParser: @escaping @Sendable () -> StreamParser<Success, Failure>
    ) -> Stream<Success, Failure> {
        let request = request
        let cancel: (@Sendable () -> Void)? = shouldAutomaticallyCancel ? { @Sendable in _ = request.cancel() } : nil
        return Stream<Success, Failure>(bufferingPolicy: bufferingPolicy, onTermination: cancel) { continuation in
            let deliver: @Sendable (DataStreamRequest.Stream<Success, Failure>) async -> Void = { piece in
                continuation.yield(piece)
            }
            let complete: @Sendable ([DataStreamRequest.Stream<Success, Failure>]) -> Void = { pieces in
                for piece in pieces { continuation.yield(piece) }
                continuation.finish()
            }
            // What comes last in a chain starts the request on the caller's thread.
            request.read(makeParser(), .immediate, deliver: deliver, complete: complete)
        }
    }

    /// Cancels the request.
    public func cancel() { request.cancel() }

    /// Resumes the request.
    public func resume() { request.resume() }

    /// Suspends the request.
    public func suspend() { request.suspend() }
}

extension DataStreamRequest {
    /// The stream, to be read with `for await`.
    public func streamTask() -> DataStreamTask { DataStreamTask(request: self) }
}
