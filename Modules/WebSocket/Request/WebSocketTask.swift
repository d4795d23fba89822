public import AirframeCore
public import AirframeSerialization
public import Foundation

/// A WebSocket request for use with `for await`.
///
/// The buffering policy decides which events are kept for a slow reader. A slow reader does not slow the server down;
/// where memory matters, use `Session.webSocket(_:)`.
public struct WebSocketTask: Sendable {
    /// The events of a WebSocket.
    public typealias EventStreamOf<Success: Sendable, Failure: Error> = StreamOf<
        WebSocketRequest.Event<Success, Failure>
    >

    private let request: WebSocketRequest

    init(request: WebSocketRequest) { self.request = request }

    /// Returns the events, with messages as they are.
    ///
    /// - Parameters:
    ///   - shouldAutomaticallyCancel: Whether the request is cancelled when the reader stops before the end.
    ///   - bufferingPolicy: The events to keep for a slow reader.
    public func streamingMessageEvents(
        automaticallyCancelling shouldAutomaticallyCancel: Bool = true,
        bufferingPolicy: EventStreamOf<URLSessionWebSocketTask.Message, Never>.BufferingPolicy = .unbounded
    ) -> EventStreamOf<URLSessionWebSocketTask.Message, Never> {
        stream(shouldAutomaticallyCancel, bufferingPolicy, WebSocketRequest.passing) { $0 }
    }

    /// Returns the messages.
    ///
    /// - Parameters:
    ///   - shouldAutomaticallyCancel: Whether the request is cancelled when the reader stops before the end.
    ///   - bufferingPolicy: The messages to keep for a slow reader.
    public func streamingMessages(
        automaticallyCancelling shouldAutomaticallyCancel: Bool = true,
        bufferingPolicy: StreamOf<URLSessionWebSocketTask.Message>.BufferingPolicy = .unbounded
    ) -> StreamOf<URLSessionWebSocketTask.Message> {
        stream(shouldAutomaticallyCancel, bufferingPolicy, WebSocketRequest.passing) { $0.message }
    }

    /// Returns the events, with messages decoded.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - shouldAutomaticallyCancel: Whether the request is cancelled when the reader stops before the end.
    ///   - decoder: The decoder for messages.
    ///   - bufferingPolicy: The events to keep for a slow reader.
    public func streamingDecodableEvents<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        automaticallyCancelling shouldAutomaticallyCancel: Bool = true,
        using decoder: any DataDecoder = JSONDecoder(),
        bufferingPolicy: EventStreamOf<Value, any Error>.BufferingPolicy = .unbounded
    ) -> EventStreamOf<Value, any Error> {
        let serializer = DecodableWebSocketMessageDecoder<Value>(decoder: decoder)
        return stream(shouldAutomaticallyCancel, bufferingPolicy, WebSocketRequest.serializing(serializer)) { $0 }
    }

    /// Returns the messages, decoded. Messages that cannot be decoded are dropped.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - shouldAutomaticallyCancel: Whether the request is cancelled when the reader stops before the end.
    ///   - decoder: The decoder for messages.
    ///   - bufferingPolicy: The messages to keep for a slow reader.
    public func streamingDecodable<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        automaticallyCancelling shouldAutomaticallyCancel: Bool = true,
        using decoder: any DataDecoder = JSONDecoder(),
        bufferingPolicy: StreamOf<Value>.BufferingPolicy = .unbounded
    ) -> StreamOf<Value> {
        let serializer = DecodableWebSocketMessageDecoder<Value>(decoder: decoder)
        return stream(shouldAutomaticallyCancel, bufferingPolicy, WebSocketRequest.serializing(serializer)) {
            $0.message
        }
    }

    private func stream<Success: Sendable, Failure: Error, Element: Sendable>(
        _ shouldAutomaticallyCancel: Bool,
        _ bufferingPolicy: StreamOf<Element>.BufferingPolicy,
        _ convert: @escaping WebSocketRequest.Convert<Success, Failure>,
        _ element: @escaping @Sendable (WebSocketRequest.Event<Success, Failure>) -> Element?
    ) -> StreamOf<Element> {
        let request = request
        let cancel: (@Sendable () -> Void)? = shouldAutomaticallyCancel ? { @Sendable in _ = request.cancel() } : nil
        return StreamOf<Element>(bufferingPolicy: bufferingPolicy, onTermination: cancel) { continuation in
            request.stream(.immediate, convert) { event in
                if let element = element(event) { continuation.yield(element) }
                if case .completed = event.kind { continuation.finish() }
            }
        }
    }

    /// Sends a message after all earlier ones, as soon as the connection is open. Returns when the connection has
    /// accepted it.
    ///
    /// - Throws: ``AFError`` if the request failed, ``WebSocketError`` if the connection failed.
    public func send(_ message: URLSessionWebSocketTask.Message) async throws {
        let request = request
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            guard let conversation = request.conversation else {
                continuation.resume(throwing: AFError.explicitlyCancelled)
                return
            }
            conversation.enqueue(message) { continuation.resume(with: $0) }
        }
    }

    /// Closes the connection; see ``WebSocketRequest/close(sending:reason:)``.
    public func close(sending closeCode: URLSessionWebSocketTask.CloseCode, reason: Data? = nil) {
        request.close(sending: closeCode, reason: reason)
    }

    /// Cancels the request.
    public func cancel() { request.cancel() }

    /// Resumes the request.
    public func resume() { request.resume() }

    /// Suspends the request.
    public func suspend() { request.suspend() }
}

extension WebSocketRequest {
    /// The request for use with `for await`.
    public func webSocketTask() -> WebSocketTask { WebSocketTask(request: self) }
}
