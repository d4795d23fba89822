// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Core/DataStreamRequest.swift; do not edit.

import Airframe
import AirframeCore
import AirframeEncoding
import AirframeReachability
import AirframeSecurity
import AirframeSerialization
import AirframeTransport
import AirframeWebSocket
import Dispatch
import Foundation

/// The symbols of Core/DataStreamRequest.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesDataStreamRequest {
    static func use128(_: DataStreamRequest.Type) {}
    static func use129<Success, Failure>(_: DataStreamRequest.Handler<Success, Failure>.Type) where Failure : Error {}
    static func use130<Success, Failure>(_: DataStreamRequest.Stream<Success, Failure>.Type) where Success: Sendable, Failure: Error {}
    static func use131<Success, Failure>(_ receiver: DataStreamRequest.Stream<Success, Failure>) where Success: Sendable, Failure: Error { _ = receiver.event }
    static func use132<Success, Failure>(_ receiver: DataStreamRequest.Stream<Success, Failure>) where Success: Sendable, Failure: Error { _ = receiver.token }
    static func use133<Success, Failure>(_ receiver: DataStreamRequest.Stream<Success, Failure>) where Success: Sendable, Failure: Error { receiver.cancel() }
    static func use134<Success, Failure>(_: DataStreamRequest.Event<Success, Failure>.Type) where Success: Sendable, Failure: Error {}
    static func use135<Success, Failure>(_ receiver: DataStreamRequest.Event<Success, Failure>) where Success: Sendable, Failure: Error { if case .stream(_) = receiver {} }
    static func use136<Success, Failure>(_ receiver: DataStreamRequest.Event<Success, Failure>) where Success: Sendable, Failure: Error { if case .complete(_) = receiver {} }
    static func use137(_: DataStreamRequest.Completion.Type) {}
    static func use138(_ receiver: DataStreamRequest.Completion) { _ = receiver.request }
    static func use139(_ receiver: DataStreamRequest.Completion) { _ = receiver.response }
    static func use140(_ receiver: DataStreamRequest.Completion) { _ = receiver.metrics }
    static func use141(_ receiver: DataStreamRequest.Completion) { _ = receiver.error }
    static func use142(_: DataStreamRequest.CancellationToken.Type) {}
    static func use143(_ receiver: DataStreamRequest.CancellationToken) { receiver.cancel() }
    static func use144(_ receiver: DataStreamRequest) { _ = receiver.convertible }
    static func use145(_ receiver: DataStreamRequest) { _ = receiver.automaticallyCancelOnStreamError }
    static func use146(_ receiver: DataStreamRequest, _ a0: @escaping DataStreamRequest.Validation) { _ = receiver.validate(a0) }
    static func use147(_ receiver: DataStreamRequest, _ a0: Int) { _ = receiver.asInputStream(bufferSize: a0); _ = receiver.asInputStream() }
    static func use148(_ receiver: DataStreamRequest, _ a0: DispatchQueue, _ a1: @escaping @Sendable (HTTPURLResponse, @escaping @Sendable (Request.ResponseDisposition) -> Void) -> Void) { _ = receiver.onHTTPResponse(on: a0, perform: a1); _ = receiver.onHTTPResponse(perform: a1) }
    static func use149(_ receiver: DataStreamRequest, _ a0: DispatchQueue, _ a1: @escaping @Sendable (HTTPURLResponse) -> Void) { _ = receiver.onHTTPResponse(on: a0, perform: a1); _ = receiver.onHTTPResponse(perform: a1) }
    static func use150(_ receiver: DataStreamRequest, _ a0: DispatchQueue, _ a1: @escaping DataStreamRequest.Handler<Data, Never>) { _ = receiver.responseStream(on: a0, stream: a1); _ = receiver.responseStream(stream: a1) }
    static func use151<Serializer>(_ receiver: DataStreamRequest, _ a0: Serializer, _ a1: DispatchQueue, _ a2: @escaping DataStreamRequest.Handler<Serializer.SerializedObject, AFError>) where Serializer : DataStreamSerializer { _ = receiver.responseStream(using: a0, on: a1, stream: a2); _ = receiver.responseStream(using: a0, stream: a2) }
    static func use152(_ receiver: DataStreamRequest, _ a0: DispatchQueue, _ a1: @escaping DataStreamRequest.Handler<String, Never>) { _ = receiver.responseStreamString(on: a0, stream: a1); _ = receiver.responseStreamString(stream: a1) }
    static func use153<T>(_ receiver: DataStreamRequest, _ a0: T.Type, _ a1: DispatchQueue, _ a2: any DataDecoder, _ a3: any DataPreprocessor, _ a4: @escaping DataStreamRequest.Handler<T, AFError>) where T : Decodable, T : Sendable { _ = receiver.responseStreamDecodable(of: a0, on: a1, using: a2, preprocessor: a3, stream: a4); _ = receiver.responseStreamDecodable(stream: a4) }
    static func use154<Success, Failure>(_ receiver: DataStreamRequest.Stream<Success, Failure>) where Success: Sendable, Failure: Error, Success : Sendable, Failure : Error { _ = receiver.result }
    static func use155<Success, Failure>(_ receiver: DataStreamRequest.Stream<Success, Failure>) where Success: Sendable, Failure: Error, Success : Sendable, Failure : Error { _ = receiver.value }
    static func use156<Success, Failure>(_ receiver: DataStreamRequest.Stream<Success, Failure>) where Success: Sendable, Failure: Error, Success : Sendable, Failure : Error { _ = receiver.error }
    static func use157<Success, Failure>(_ receiver: DataStreamRequest.Stream<Success, Failure>) where Success: Sendable, Failure: Error, Success : Sendable, Failure : Error { _ = receiver.completion }
    static func use158(_: (any DataStreamSerializer).Type) {}
    static func use160<Owner_: DataStreamSerializer>(_ receiver: Owner_, _ a0: Data) throws { _ = try receiver.serialize(a0) }
    static func use161<T>(_: DecodableStreamSerializer<T>.Type) where T: Decodable & Sendable {}
    static func use162<T>(_ receiver: DecodableStreamSerializer<T>) where T: Decodable & Sendable { _ = receiver.decoder }
    static func use163<T>(_ receiver: DecodableStreamSerializer<T>) where T: Decodable & Sendable { _ = receiver.dataPreprocessor }
    static func use164<T>(_ a0: any DataDecoder, _ a1: any DataPreprocessor, _: DecodableStreamSerializer<T>.Type) where T: Decodable & Sendable { _ = DecodableStreamSerializer<T>(decoder: a0, dataPreprocessor: a1) }
    static func use165<T>(_ receiver: DecodableStreamSerializer<T>, _ a0: Data) throws where T: Decodable & Sendable { _ = try receiver.serialize(a0) }
    static func use166(_: PassthroughStreamSerializer.Type) {}
    static func use167() { _ = PassthroughStreamSerializer() }
    static func use168(_ receiver: PassthroughStreamSerializer, _ a0: Data) throws { _ = try receiver.serialize(a0) }
    static func use169(_: StringStreamSerializer.Type) {}
    static func use170() { _ = StringStreamSerializer() }
    static func use171(_ receiver: StringStreamSerializer, _ a0: Data) throws { _ = try receiver.serialize(a0) }
    static func use172<T>(_ a0: T.Type, _ a1: any DataDecoder, _ a2: any DataPreprocessor) where T : Decodable, T : Sendable { _ = DecodableStreamSerializer<T>.decodable(of: a0, decoder: a1, dataPreprocessor: a2); _ = DecodableStreamSerializer<T>.decodable(of: a0) }
    static func use173() { _ = PassthroughStreamSerializer.passthrough }
    static func use174() { _ = StringStreamSerializer.string }
}
