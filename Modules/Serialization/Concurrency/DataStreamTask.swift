public import AirframeCore
public import Foundation

/// A factory of asynchronous streams over the body of a request.
///
/// The buffering policy decides which elements are kept for a slow reader. The reader exerts no backpressure on the
/// server; use the request's `bytes()` where memory matters.
public struct DataStreamTask: Sendable {
    /// The events of a stream.
    public typealias Stream<Success, Failure: Error> = StreamOf<DataStreamRequest.Stream<Success, Failure>>
    where Success: Sendable

    private let request: DataStreamRequest

    init(request: DataStreamRequest) { self.request = request }

    /// Returns a stream of the chunks of the body.
    ///
    /// - Parameters:
    ///   - shouldAutomaticallyCancel: Whether the request is cancelled when the reader stops before the end.
    ///   - bufferingPolicy: The policy for elements that a slow reader has not taken yet.
    public func streamingData(
        automaticallyCancelling shouldAutomaticallyCancel: Bool = true,
        bufferingPolicy: Stream<Data, Never>.BufferingPolicy = .unbounded
    ) -> Stream<Data, Never> {
        stream(shouldAutomaticallyCancel, bufferingPolicy) { .passthrough }
    }

    /// Returns a stream of the chunks of the body as UTF-8 text. A character that is split between two chunks arrives
    /// whole with the second.
    ///
    /// - Parameters:
    ///   - shouldAutomaticallyCancel: Whether the request is cancelled when the reader stops before the end.
    ///   - bufferingPolicy: The policy for elements that a slow reader has not taken yet.
    public func streamingStrings(
        automaticallyCancelling shouldAutomaticallyCancel: Bool = true,
        bufferingPolicy: Stream<String, Never>.BufferingPolicy = .unbounded
    ) -> Stream<String, Never> {
        stream(shouldAutomaticallyCancel, bufferingPolicy) { .strings }
    }

    /// Returns a stream of values, each decoded from a chunk of the body.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - shouldAutomaticallyCancel: Whether the request is cancelled when the reader stops before the end.
    ///   - bufferingPolicy: The policy for elements that a slow reader has not taken yet.
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

    /// Returns a stream of the values that a serializer makes of the chunks of the body.
    ///
    /// - Parameters:
    ///   - serializer: The serializer that makes the values.
    ///   - shouldAutomaticallyCancel: Whether the request is cancelled when the reader stops before the end.
    ///   - bufferingPolicy: The policy for elements that a slow reader has not taken yet.
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
            // The last call of a chain starts the request on the caller's thread.
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
    /// Creates an iterator over the stream.
    public func streamTask() -> DataStreamTask { DataStreamTask(request: self) }
}
