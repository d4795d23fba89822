public import AirframeCore
public import AirframeSerialization
public import Foundation

/// Converts messages to values.
public protocol WebSocketMessageSerializer<Output, Failure>: Sendable {
    /// The type of the values.
    associatedtype Output: Sendable
    /// The type of the errors.
    associatedtype Failure: Error = any Error

    /// Converts `message`.
    ///
    /// - Throws: Any error of the conversion.
    func decode(_ message: URLSessionWebSocketTask.Message) throws -> Output
}

extension WebSocketMessageSerializer {
    /// Decodes JSON.
    ///
    /// - Parameters:
    ///   - _: The type to decode.
    ///   - decoder: Decodes the messages.
    public static func json<Value>(
        decoding _: Value.Type = Value.self,
        using decoder: JSONDecoder = JSONDecoder()
    ) -> DecodableWebSocketMessageDecoder<Value> where Self == DecodableWebSocketMessageDecoder<Value> {
        DecodableWebSocketMessageDecoder<Value>(decoder: decoder)
    }
}

/// Decodes values from the bytes of text and binary messages.
public struct DecodableWebSocketMessageDecoder<Value: Decodable & Sendable>: WebSocketMessageSerializer {
    /// An error of the conversion.
    public enum Error: Swift.Error {
        /// The decoder failed.
        case decoding(any Swift.Error)
        /// An unknown kind of message. It does not occur.
        case unknownMessage(description: String)
    }

    /// The decoder for messages.
    public let decoder: any DataDecoder

    /// Creates a serializer.
    ///
    /// - Parameter decoder: The decoder for messages.
    public init(decoder: any DataDecoder) { self.decoder = decoder }

    /// Decodes a message.
    ///
    /// - Throws: ``Error/decoding(_:)``.
    public func decode(_ message: URLSessionWebSocketTask.Message) throws -> Value {
        do {
            return try decoder.decodeContent(Value.self, from: message.bytes)
        } catch {
            throw Error.decoding(error)
        }
    }
}

/// A serializer that returns messages unchanged.
struct PassthroughMessageSerializer: WebSocketMessageSerializer {
    func decode(_ message: URLSessionWebSocketTask.Message) throws(Never) -> URLSessionWebSocketTask.Message { message }
}
