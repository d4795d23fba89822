public import AirframeCore
public import Dispatch
public import Foundation

// Handlers of streams. A slow handler exerts backpressure: no data is requested from the server before the handler has
// returned.

extension DataStreamRequest {
    /// Calls `stream` with each chunk of the body, and at the end with the completion.
    ///
    /// A handler that is added before more than 64 KiB of the body have arrived receives the body from its start, so
    /// that all handlers of a chain see the same chunks.
    ///
    /// - Parameters:
    ///   - queue: The queue on which it is called.
    ///   - stream: The handler of the chunks. An error that it throws fails the request.
    @preconcurrency
    @discardableResult
    public func responseStream(
        on queue: DispatchQueue = .main,
        stream: @escaping Handler<Data, Never>
    ) -> Self {
        read(.passthrough, on: queue, stream)
        return self
    }

    /// Calls `stream` with the value that a serializer makes of each chunk, and at the end with the completion.
    ///
    /// - Parameters:
    ///   - serializer: The serializer that makes the values.
    ///   - queue: The queue on which `stream` is called.
    ///   - stream: The handler of the values or of the errors in their place. An error that it throws fails the
    ///     request.
    @preconcurrency
    @discardableResult
    public func responseStream<Serializer: DataStreamSerializer>(
        using serializer: Serializer,
        on queue: DispatchQueue = .main,
        stream: @escaping Handler<Serializer.SerializedObject, AFError>
    ) -> Self {
        read(.values(of: serializer), on: queue, stream)
        return self
    }

    /// Calls `stream` with the text of each chunk, and at the end with the completion.
    ///
    /// The text is UTF-8. A character that is split between two chunks arrives whole with the second.
    ///
    /// - Parameters:
    ///   - queue: The queue on which it is called.
    ///   - stream: The handler of the strings. An error that it throws fails the request.
    @preconcurrency
    @discardableResult
    public func responseStreamString(
        on queue: DispatchQueue = .main,
        stream: @escaping Handler<String, Never>
    ) -> Self {
        read(.strings, on: queue, stream)
        return self
    }

    /// Calls `stream` with a value decoded from each chunk, and at the end with the completion.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - queue: The queue on which `stream` is called.
    ///   - decoder: The decoder of the values.
    ///   - preprocessor: The preprocessor that transforms each chunk before it is decoded.
    ///   - stream: The handler of the values or of the errors in their place. An error that it throws fails the
    ///     request.
    @preconcurrency
    @discardableResult
    public func responseStreamDecodable<T: Decodable & Sendable>(
        of type: T.Type = T.self,
        on queue: DispatchQueue = .main,
        using decoder: any DataDecoder = JSONDecoder(),
        preprocessor: any DataPreprocessor = PassthroughPreprocessor(),
        stream: @escaping Handler<T, AFError>
    ) -> Self {
        responseStream(
            using: DecodableStreamSerializer<T>(decoder: decoder, dataPreprocessor: preprocessor),
            on: queue,
            stream: stream
        )
    }
}
