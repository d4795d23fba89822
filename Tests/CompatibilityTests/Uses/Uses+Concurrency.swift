// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Features/Concurrency.swift; do not edit.

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

/// The symbols of Features/Concurrency.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesConcurrency {
    static func use622(_ receiver: Request, _ a0: StreamOf<Progress>.BufferingPolicy) { _ = receiver.uploadProgress(bufferingPolicy: a0); _ = receiver.uploadProgress() }
    static func use623(_ receiver: Request, _ a0: StreamOf<Progress>.BufferingPolicy) { _ = receiver.downloadProgress(bufferingPolicy: a0); _ = receiver.downloadProgress() }
    static func use624(_ receiver: Request, _ a0: StreamOf<URLRequest>.BufferingPolicy) { _ = receiver.urlRequests(bufferingPolicy: a0); _ = receiver.urlRequests() }
    static func use625(_ receiver: Request, _ a0: StreamOf<URLSessionTask>.BufferingPolicy) { _ = receiver.urlSessionTasks(bufferingPolicy: a0); _ = receiver.urlSessionTasks() }
    static func use626(_ receiver: Request, _ a0: StreamOf<String>.BufferingPolicy) { _ = receiver.cURLDescriptions(bufferingPolicy: a0); _ = receiver.cURLDescriptions() }
    static func use627<Value>(_: DataTask<Value>.Type) where Value: Sendable {}
    static func use628<Value>(_ receiver: DataTask<Value>) async where Value: Sendable { _ = await receiver.response }
    static func use629<Value>(_ receiver: DataTask<Value>) async where Value: Sendable { _ = await receiver.result }
    static func use630<Value>(_ receiver: DataTask<Value>) async throws where Value: Sendable { _ = try await receiver.value }
    static func use631<Value>(_ receiver: DataTask<Value>) where Value: Sendable { receiver.cancel() }
    static func use632<Value>(_ receiver: DataTask<Value>) where Value: Sendable { receiver.resume() }
    static func use633<Value>(_ receiver: DataTask<Value>) where Value: Sendable { receiver.suspend() }
    static func use634(_ receiver: DataRequest, _ a0: StreamOf<HTTPURLResponse>.BufferingPolicy) { _ = receiver.httpResponses(bufferingPolicy: a0); _ = receiver.httpResponses() }
    static func use635(_ receiver: DataRequest, _ a0: @escaping @Sendable (HTTPURLResponse) async -> Request.ResponseDisposition) { _ = receiver.onHTTPResponse(perform: a0) }
    static func use636(_ receiver: DataRequest, _ a0: @escaping @Sendable (HTTPURLResponse) async -> Void) { _ = receiver.onHTTPResponse(perform: a0) }
    static func use637(_ receiver: DataRequest, _ a0: Bool, _ a1: any DataPreprocessor, _ a2: Set<Int>, _ a3: Set<HTTPMethod>) { _ = receiver.serializingData(automaticallyCancelling: a0, dataPreprocessor: a1, emptyResponseCodes: a2, emptyRequestMethods: a3); _ = receiver.serializingData() }
    static func use638<Value>(_ receiver: DataRequest, _ a0: Value.Type, _ a1: Bool, _ a2: any DataPreprocessor, _ a3: any DataDecoder, _ a4: Set<Int>, _ a5: Set<HTTPMethod>) where Value : Decodable, Value : Sendable { _ = receiver.serializingDecodable(a0, automaticallyCancelling: a1, dataPreprocessor: a2, decoder: a3, emptyResponseCodes: a4, emptyRequestMethods: a5) }
    static func use639(_ receiver: DataRequest, _ a0: Bool, _ a1: any DataPreprocessor, _ a2: String.Encoding?, _ a3: Set<Int>, _ a4: Set<HTTPMethod>) { _ = receiver.serializingString(automaticallyCancelling: a0, dataPreprocessor: a1, encoding: a2, emptyResponseCodes: a3, emptyRequestMethods: a4); _ = receiver.serializingString() }
    static func use640<Serializer>(_ receiver: DataRequest, _ a0: Serializer, _ a1: Bool) where Serializer : ResponseSerializer { _ = receiver.serializingResponse(using: a0, automaticallyCancelling: a1); _ = receiver.serializingResponse(using: a0) }
    static func use641<Serializer>(_ receiver: DataRequest, _ a0: Serializer, _ a1: Bool) where Serializer : DataResponseSerializerProtocol { _ = receiver.serializingResponse(using: a0, automaticallyCancelling: a1); _ = receiver.serializingResponse(using: a0) }
    static func use642<Value>(_: DownloadTask<Value>.Type) where Value: Sendable {}
    static func use643<Value>(_ receiver: DownloadTask<Value>) async where Value: Sendable { _ = await receiver.response }
    static func use644<Value>(_ receiver: DownloadTask<Value>) async where Value: Sendable { _ = await receiver.result }
    static func use645<Value>(_ receiver: DownloadTask<Value>) async throws where Value: Sendable { _ = try await receiver.value }
    static func use646<Value>(_ receiver: DownloadTask<Value>) where Value: Sendable { receiver.cancel() }
    static func use647<Value>(_ receiver: DownloadTask<Value>) where Value: Sendable { receiver.resume() }
    static func use648<Value>(_ receiver: DownloadTask<Value>) where Value: Sendable { receiver.suspend() }
    static func use649(_ receiver: DownloadRequest, _ a0: Bool, _ a1: any DataPreprocessor, _ a2: Set<Int>, _ a3: Set<HTTPMethod>) { _ = receiver.serializingData(automaticallyCancelling: a0, dataPreprocessor: a1, emptyResponseCodes: a2, emptyRequestMethods: a3); _ = receiver.serializingData() }
    static func use650<Value>(_ receiver: DownloadRequest, _ a0: Value.Type, _ a1: Bool, _ a2: any DataPreprocessor, _ a3: any DataDecoder, _ a4: Set<Int>, _ a5: Set<HTTPMethod>) where Value : Decodable, Value : Sendable { _ = receiver.serializingDecodable(a0, automaticallyCancelling: a1, dataPreprocessor: a2, decoder: a3, emptyResponseCodes: a4, emptyRequestMethods: a5) }
    static func use651(_ receiver: DownloadRequest, _ a0: Bool) { _ = receiver.serializingDownloadedFileURL(automaticallyCancelling: a0); _ = receiver.serializingDownloadedFileURL() }
    static func use652(_ receiver: DownloadRequest, _ a0: Bool, _ a1: any DataPreprocessor, _ a2: String.Encoding?, _ a3: Set<Int>, _ a4: Set<HTTPMethod>) { _ = receiver.serializingString(automaticallyCancelling: a0, dataPreprocessor: a1, encoding: a2, emptyResponseCodes: a3, emptyRequestMethods: a4); _ = receiver.serializingString() }
    static func use653<Serializer>(_ receiver: DownloadRequest, _ a0: Serializer, _ a1: Bool) where Serializer : ResponseSerializer { _ = receiver.serializingDownload(using: a0, automaticallyCancelling: a1); _ = receiver.serializingDownload(using: a0) }
    static func use654<Serializer>(_ receiver: DownloadRequest, _ a0: Serializer, _ a1: Bool) where Serializer : DownloadResponseSerializerProtocol { _ = receiver.serializingDownload(using: a0, automaticallyCancelling: a1); _ = receiver.serializingDownload(using: a0) }
    static func use655(_: DataStreamTask.Type) {}
    static func use656<Success, Failure>(_: DataStreamTask.Stream<Success, Failure>.Type) where Failure : Error {}
    static func use657(_ receiver: DataStreamTask, _ a0: Bool, _ a1: DataStreamTask.Stream<Data, Never>.BufferingPolicy) { _ = receiver.streamingData(automaticallyCancelling: a0, bufferingPolicy: a1); _ = receiver.streamingData() }
    static func use658(_ receiver: DataStreamTask, _ a0: Bool, _ a1: DataStreamTask.Stream<String, Never>.BufferingPolicy) { _ = receiver.streamingStrings(automaticallyCancelling: a0, bufferingPolicy: a1); _ = receiver.streamingStrings() }
    static func use659<T>(_ receiver: DataStreamTask, _ a0: T.Type, _ a1: Bool, _ a2: DataStreamTask.Stream<T, AFError>.BufferingPolicy) where T : Decodable, T : Sendable { _ = receiver.streamingDecodables(a0, automaticallyCancelling: a1, bufferingPolicy: a2) }
    static func use660<Serializer>(_ receiver: DataStreamTask, _ a0: Serializer, _ a1: Bool, _ a2: DataStreamTask.Stream<Serializer.SerializedObject, AFError>.BufferingPolicy) where Serializer : DataStreamSerializer { _ = receiver.streamingResponses(serializedUsing: a0, automaticallyCancelling: a1, bufferingPolicy: a2); _ = receiver.streamingResponses(serializedUsing: a0) }
    static func use661(_ receiver: DataStreamTask) { receiver.cancel() }
    static func use662(_ receiver: DataStreamTask) { receiver.resume() }
    static func use663(_ receiver: DataStreamTask) { receiver.suspend() }
    static func use664(_ receiver: DataStreamRequest, _ a0: StreamOf<HTTPURLResponse>.BufferingPolicy) { _ = receiver.httpResponses(bufferingPolicy: a0); _ = receiver.httpResponses() }
    static func use665(_ receiver: DataStreamRequest, _ a0: @escaping @Sendable (HTTPURLResponse) async -> Request.ResponseDisposition) { _ = receiver.onHTTPResponse(perform: a0) }
    static func use666(_ receiver: DataStreamRequest, _ a0: @escaping @Sendable (HTTPURLResponse) async -> Void) { _ = receiver.onHTTPResponse(perform: a0) }
    static func use667(_ receiver: DataStreamRequest) { _ = receiver.streamTask() }
    static func use668(_: WebSocketTask.Type) {}
    static func use669<Success, Failure>(_: WebSocketTask.EventStreamOf<Success, Failure>.Type) where Success : Sendable, Failure : Error {}
    static func use670(_ receiver: WebSocketTask, _ a0: Bool, _ a1: WebSocketTask.EventStreamOf<URLSessionWebSocketTask.Message, Never>.BufferingPolicy) { _ = receiver.streamingMessageEvents(automaticallyCancelling: a0, bufferingPolicy: a1); _ = receiver.streamingMessageEvents() }
    static func use671(_ receiver: WebSocketTask, _ a0: Bool, _ a1: StreamOf<URLSessionWebSocketTask.Message>.BufferingPolicy) { _ = receiver.streamingMessages(automaticallyCancelling: a0, bufferingPolicy: a1); _ = receiver.streamingMessages() }
    static func use672<Value>(_ receiver: WebSocketTask, _ a0: Value.Type, _ a1: Bool, _ a2: any DataDecoder, _ a3: WebSocketTask.EventStreamOf<Value, any Error>.BufferingPolicy) where Value : Decodable, Value : Sendable { _ = receiver.streamingDecodableEvents(a0, automaticallyCancelling: a1, using: a2, bufferingPolicy: a3) }
    static func use673<Value>(_ receiver: WebSocketTask, _ a0: Value.Type, _ a1: Bool, _ a2: any DataDecoder, _ a3: StreamOf<Value>.BufferingPolicy) where Value : Decodable, Value : Sendable { _ = receiver.streamingDecodable(a0, automaticallyCancelling: a1, using: a2, bufferingPolicy: a3) }
    static func use674(_ receiver: WebSocketTask, _ a0: URLSessionWebSocketTask.Message) async throws { try await receiver.send(a0) }
    static func use675(_ receiver: WebSocketTask, _ a0: URLSessionWebSocketTask.CloseCode, _ a1: Data?) { receiver.close(sending: a0, reason: a1); receiver.close(sending: a0) }
    static func use676(_ receiver: WebSocketTask) { receiver.cancel() }
    static func use677(_ receiver: WebSocketTask) { receiver.resume() }
    static func use678(_ receiver: WebSocketTask) { receiver.suspend() }
    static func use679(_ receiver: WebSocketRequest) { _ = receiver.webSocketTask() }
    static func use680<Element>(_: StreamOf<Element>.Type) where Element: Sendable {}
    static func use681<Element>(_: StreamOf<Element>.AsyncIterator.Type) where Element: Sendable {}
    static func use682<Element>(_: StreamOf<Element>.BufferingPolicy.Type) where Element: Sendable {}
    static func use683<Element>(_ receiver: StreamOf<Element>) where Element: Sendable { _ = receiver.makeAsyncIterator() }
    static func use684<Element>(_: StreamOf<Element>.Iterator.Type) where Element: Sendable {}
    static func use685<Element>(_ receiver: inout StreamOf<Element>.Iterator) async where Element: Sendable { _ = await receiver.next() }
}
