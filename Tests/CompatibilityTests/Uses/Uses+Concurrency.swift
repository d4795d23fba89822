// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Features/Concurrency.swift; do not edit.

import Airframe
import AirframeCore
import AirframeEncoding
import AirframeReachability
import AirframeSecurity
import AirframeSerialization
import AirframeTransport
import Dispatch
import Foundation

/// The symbols of Features/Concurrency.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesConcurrency {
    static func use548(_ receiver: Request, _ a0: StreamOf<Progress>.BufferingPolicy) { _ = receiver.uploadProgress(bufferingPolicy: a0); _ = receiver.uploadProgress() }
    static func use549(_ receiver: Request, _ a0: StreamOf<Progress>.BufferingPolicy) { _ = receiver.downloadProgress(bufferingPolicy: a0); _ = receiver.downloadProgress() }
    static func use550(_ receiver: Request, _ a0: StreamOf<URLRequest>.BufferingPolicy) { _ = receiver.urlRequests(bufferingPolicy: a0); _ = receiver.urlRequests() }
    static func use551(_ receiver: Request, _ a0: StreamOf<URLSessionTask>.BufferingPolicy) { _ = receiver.urlSessionTasks(bufferingPolicy: a0); _ = receiver.urlSessionTasks() }
    static func use552(_ receiver: Request, _ a0: StreamOf<String>.BufferingPolicy) { _ = receiver.cURLDescriptions(bufferingPolicy: a0); _ = receiver.cURLDescriptions() }
    static func use553<Value>(_: DataTask<Value>.Type) where Value: Sendable {}
    static func use554<Value>(_ receiver: DataTask<Value>) async where Value: Sendable { _ = await receiver.response }
    static func use555<Value>(_ receiver: DataTask<Value>) async where Value: Sendable { _ = await receiver.result }
    static func use556<Value>(_ receiver: DataTask<Value>) async throws where Value: Sendable { _ = try await receiver.value }
    static func use557<Value>(_ receiver: DataTask<Value>) where Value: Sendable { receiver.cancel() }
    static func use558<Value>(_ receiver: DataTask<Value>) where Value: Sendable { receiver.resume() }
    static func use559<Value>(_ receiver: DataTask<Value>) where Value: Sendable { receiver.suspend() }
    static func use560(_ receiver: DataRequest, _ a0: StreamOf<HTTPURLResponse>.BufferingPolicy) { _ = receiver.httpResponses(bufferingPolicy: a0); _ = receiver.httpResponses() }
    static func use561(_ receiver: DataRequest, _ a0: @escaping @Sendable (HTTPURLResponse) async -> Request.ResponseDisposition) { _ = receiver.onHTTPResponse(perform: a0) }
    static func use562(_ receiver: DataRequest, _ a0: @escaping @Sendable (HTTPURLResponse) async -> Void) { _ = receiver.onHTTPResponse(perform: a0) }
    static func use563(_ receiver: DataRequest, _ a0: Bool, _ a1: any DataPreprocessor, _ a2: Set<Int>, _ a3: Set<HTTPMethod>) { _ = receiver.serializingData(automaticallyCancelling: a0, dataPreprocessor: a1, emptyResponseCodes: a2, emptyRequestMethods: a3); _ = receiver.serializingData() }
    static func use564<Value>(_ receiver: DataRequest, _ a0: Value.Type, _ a1: Bool, _ a2: any DataPreprocessor, _ a3: any DataDecoder, _ a4: Set<Int>, _ a5: Set<HTTPMethod>) where Value : Decodable, Value : Sendable { _ = receiver.serializingDecodable(a0, automaticallyCancelling: a1, dataPreprocessor: a2, decoder: a3, emptyResponseCodes: a4, emptyRequestMethods: a5) }
    static func use565(_ receiver: DataRequest, _ a0: Bool, _ a1: any DataPreprocessor, _ a2: String.Encoding?, _ a3: Set<Int>, _ a4: Set<HTTPMethod>) { _ = receiver.serializingString(automaticallyCancelling: a0, dataPreprocessor: a1, encoding: a2, emptyResponseCodes: a3, emptyRequestMethods: a4); _ = receiver.serializingString() }
    static func use566<Serializer>(_ receiver: DataRequest, _ a0: Serializer, _ a1: Bool) where Serializer : ResponseSerializer { _ = receiver.serializingResponse(using: a0, automaticallyCancelling: a1); _ = receiver.serializingResponse(using: a0) }
    static func use567<Serializer>(_ receiver: DataRequest, _ a0: Serializer, _ a1: Bool) where Serializer : DataResponseSerializerProtocol { _ = receiver.serializingResponse(using: a0, automaticallyCancelling: a1); _ = receiver.serializingResponse(using: a0) }
    static func use568<Value>(_: DownloadTask<Value>.Type) where Value: Sendable {}
    static func use569<Value>(_ receiver: DownloadTask<Value>) async where Value: Sendable { _ = await receiver.response }
    static func use570<Value>(_ receiver: DownloadTask<Value>) async where Value: Sendable { _ = await receiver.result }
    static func use571<Value>(_ receiver: DownloadTask<Value>) async throws where Value: Sendable { _ = try await receiver.value }
    static func use572<Value>(_ receiver: DownloadTask<Value>) where Value: Sendable { receiver.cancel() }
    static func use573<Value>(_ receiver: DownloadTask<Value>) where Value: Sendable { receiver.resume() }
    static func use574<Value>(_ receiver: DownloadTask<Value>) where Value: Sendable { receiver.suspend() }
    static func use575(_ receiver: DownloadRequest, _ a0: Bool, _ a1: any DataPreprocessor, _ a2: Set<Int>, _ a3: Set<HTTPMethod>) { _ = receiver.serializingData(automaticallyCancelling: a0, dataPreprocessor: a1, emptyResponseCodes: a2, emptyRequestMethods: a3); _ = receiver.serializingData() }
    static func use576<Value>(_ receiver: DownloadRequest, _ a0: Value.Type, _ a1: Bool, _ a2: any DataPreprocessor, _ a3: any DataDecoder, _ a4: Set<Int>, _ a5: Set<HTTPMethod>) where Value : Decodable, Value : Sendable { _ = receiver.serializingDecodable(a0, automaticallyCancelling: a1, dataPreprocessor: a2, decoder: a3, emptyResponseCodes: a4, emptyRequestMethods: a5) }
    static func use577(_ receiver: DownloadRequest, _ a0: Bool) { _ = receiver.serializingDownloadedFileURL(automaticallyCancelling: a0); _ = receiver.serializingDownloadedFileURL() }
    static func use578(_ receiver: DownloadRequest, _ a0: Bool, _ a1: any DataPreprocessor, _ a2: String.Encoding?, _ a3: Set<Int>, _ a4: Set<HTTPMethod>) { _ = receiver.serializingString(automaticallyCancelling: a0, dataPreprocessor: a1, encoding: a2, emptyResponseCodes: a3, emptyRequestMethods: a4); _ = receiver.serializingString() }
    static func use579<Serializer>(_ receiver: DownloadRequest, _ a0: Serializer, _ a1: Bool) where Serializer : ResponseSerializer { _ = receiver.serializingDownload(using: a0, automaticallyCancelling: a1); _ = receiver.serializingDownload(using: a0) }
    static func use580<Serializer>(_ receiver: DownloadRequest, _ a0: Serializer, _ a1: Bool) where Serializer : DownloadResponseSerializerProtocol { _ = receiver.serializingDownload(using: a0, automaticallyCancelling: a1); _ = receiver.serializingDownload(using: a0) }
    static func use581(_: DataStreamTask.Type) {}
    static func use582<Success, Failure>(_: DataStreamTask.Stream<Success, Failure>.Type) where Failure : Error {}
    static func use583(_ receiver: DataStreamTask, _ a0: Bool, _ a1: DataStreamTask.Stream<Data, Never>.BufferingPolicy) { _ = receiver.streamingData(automaticallyCancelling: a0, bufferingPolicy: a1); _ = receiver.streamingData() }
    static func use584(_ receiver: DataStreamTask, _ a0: Bool, _ a1: DataStreamTask.Stream<String, Never>.BufferingPolicy) { _ = receiver.streamingStrings(automaticallyCancelling: a0, bufferingPolicy: a1); _ = receiver.streamingStrings() }
    static func use585<T>(_ receiver: DataStreamTask, _ a0: T.Type, _ a1: Bool, _ a2: DataStreamTask.Stream<T, AFError>.BufferingPolicy) where T : Decodable, T : Sendable { _ = receiver.streamingDecodables(a0, automaticallyCancelling: a1, bufferingPolicy: a2) }
    static func use586<Serializer>(_ receiver: DataStreamTask, _ a0: Serializer, _ a1: Bool, _ a2: DataStreamTask.Stream<Serializer.SerializedObject, AFError>.BufferingPolicy) where Serializer : DataStreamSerializer { _ = receiver.streamingResponses(serializedUsing: a0, automaticallyCancelling: a1, bufferingPolicy: a2); _ = receiver.streamingResponses(serializedUsing: a0) }
    static func use587(_ receiver: DataStreamTask) { receiver.cancel() }
    static func use588(_ receiver: DataStreamTask) { receiver.resume() }
    static func use589(_ receiver: DataStreamTask) { receiver.suspend() }
    static func use590(_ receiver: DataStreamRequest, _ a0: StreamOf<HTTPURLResponse>.BufferingPolicy) { _ = receiver.httpResponses(bufferingPolicy: a0); _ = receiver.httpResponses() }
    static func use591(_ receiver: DataStreamRequest, _ a0: @escaping @Sendable (HTTPURLResponse) async -> Request.ResponseDisposition) { _ = receiver.onHTTPResponse(perform: a0) }
    static func use592(_ receiver: DataStreamRequest, _ a0: @escaping @Sendable (HTTPURLResponse) async -> Void) { _ = receiver.onHTTPResponse(perform: a0) }
    static func use593(_ receiver: DataStreamRequest) { _ = receiver.streamTask() }
    static func use594<Element>(_: StreamOf<Element>.Type) where Element: Sendable {}
    static func use595<Element>(_: StreamOf<Element>.AsyncIterator.Type) where Element: Sendable {}
    static func use596<Element>(_: StreamOf<Element>.BufferingPolicy.Type) where Element: Sendable {}
    static func use597<Element>(_ receiver: StreamOf<Element>) where Element: Sendable { _ = receiver.makeAsyncIterator() }
    static func use598<Element>(_: StreamOf<Element>.Iterator.Type) where Element: Sendable {}
    static func use599<Element>(_ receiver: inout StreamOf<Element>.Iterator) async where Element: Sendable { _ = await receiver.next() }
}
