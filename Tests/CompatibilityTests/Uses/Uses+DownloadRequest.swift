// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Core/DownloadRequest.swift; do not edit.

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

/// The symbols of Core/DownloadRequest.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesDownloadRequest {
    static func use175(_: DownloadRequest.Type) {}
    static func use176(_: DownloadRequest.Options.Type) {}
    static func use177() { _ = DownloadRequest.Options.createIntermediateDirectories }
    static func use178() { _ = DownloadRequest.Options.removePreviousFile }
    static func use179(_ receiver: DownloadRequest.Options) { _ = receiver.rawValue }
    static func use180(_ a0: Int) { _ = DownloadRequest.Options(rawValue: a0) }
    static func use181(_: DownloadRequest.Destination.Type) {}
    static func use182(_ a0: FileManager.SearchPathDirectory, _ a1: FileManager.SearchPathDomainMask, _ a2: DownloadRequest.Options) { _ = DownloadRequest.suggestedDownloadDestination(for: a0, in: a1, options: a2); _ = DownloadRequest.suggestedDownloadDestination() }
    static func use183(_: DownloadRequest.Downloadable.Type) {}
    static func use184(_ receiver: DownloadRequest.Downloadable) { if case .request(_) = receiver {} }
    static func use185(_ receiver: DownloadRequest.Downloadable) { if case .resumeData(_) = receiver {} }
    static func use186(_ receiver: DownloadRequest) { _ = receiver.resumeData }
    static func use187(_ receiver: DownloadRequest) { _ = receiver.fileURL }
    static func use188(_ receiver: DownloadRequest) { _ = receiver.downloadable }
    static func use189(_ receiver: DownloadRequest) { _ = receiver.cancel() }
    static func use190(_ receiver: DownloadRequest, _ a0: Bool) { _ = receiver.cancel(producingResumeData: a0) }
    static func use191(_ receiver: DownloadRequest, _ a0: @escaping @Sendable (Data?) -> Void) { _ = receiver.cancel(byProducingResumeData: a0) }
    static func use192(_ receiver: DownloadRequest, _ a0: @escaping DownloadRequest.Validation) { _ = receiver.validate(a0) }
    static func use193(_ receiver: DownloadRequest, _ a0: DispatchQueue, _ a1: @escaping @Sendable (AFDownloadResponse<URL?>) -> Void) { _ = receiver.response(queue: a0, completionHandler: a1); _ = receiver.response(completionHandler: a1) }
    static func use194<Serializer>(_ receiver: DownloadRequest, _ a0: DispatchQueue, _ a1: Serializer, _ a2: @escaping @Sendable (AFDownloadResponse<Serializer.SerializedObject>) -> Void) where Serializer : DownloadResponseSerializerProtocol { _ = receiver.response(queue: a0, responseSerializer: a1, completionHandler: a2); _ = receiver.response(responseSerializer: a1, completionHandler: a2) }
    static func use195<Serializer>(_ receiver: DownloadRequest, _ a0: DispatchQueue, _ a1: Serializer, _ a2: @escaping @Sendable (AFDownloadResponse<Serializer.SerializedObject>) -> Void) where Serializer : ResponseSerializer { _ = receiver.response(queue: a0, responseSerializer: a1, completionHandler: a2); _ = receiver.response(responseSerializer: a1, completionHandler: a2) }
    static func use196(_ receiver: DownloadRequest, _ a0: DispatchQueue, _ a1: @escaping @Sendable (AFDownloadResponse<URL>) -> Void) { _ = receiver.responseURL(queue: a0, completionHandler: a1); _ = receiver.responseURL(completionHandler: a1) }
    static func use197(_ receiver: DownloadRequest, _ a0: DispatchQueue, _ a1: any DataPreprocessor, _ a2: Set<Int>, _ a3: Set<HTTPMethod>, _ a4: @escaping @Sendable (AFDownloadResponse<Data>) -> Void) { _ = receiver.responseData(queue: a0, dataPreprocessor: a1, emptyResponseCodes: a2, emptyRequestMethods: a3, completionHandler: a4); _ = receiver.responseData(completionHandler: a4) }
    static func use198(_ receiver: DownloadRequest, _ a0: DispatchQueue, _ a1: any DataPreprocessor, _ a2: String.Encoding?, _ a3: Set<Int>, _ a4: Set<HTTPMethod>, _ a5: @escaping @Sendable (AFDownloadResponse<String>) -> Void) { _ = receiver.responseString(queue: a0, dataPreprocessor: a1, encoding: a2, emptyResponseCodes: a3, emptyRequestMethods: a4, completionHandler: a5); _ = receiver.responseString(completionHandler: a5) }
    @available(*, deprecated, message: "as in Alamofire")
    static func use199(_ receiver: DownloadRequest, _ a0: DispatchQueue, _ a1: any DataPreprocessor, _ a2: Set<Int>, _ a3: Set<HTTPMethod>, _ a4: JSONSerialization.ReadingOptions, _ a5: @escaping @Sendable (AFDownloadResponse<Any>) -> Void) { _ = receiver.responseJSON(queue: a0, dataPreprocessor: a1, emptyResponseCodes: a2, emptyRequestMethods: a3, options: a4, completionHandler: a5); _ = receiver.responseJSON(completionHandler: a5) }
    static func use200<T>(_ receiver: DownloadRequest, _ a0: T.Type, _ a1: DispatchQueue, _ a2: any DataPreprocessor, _ a3: any DataDecoder, _ a4: Set<Int>, _ a5: Set<HTTPMethod>, _ a6: @escaping @Sendable (AFDownloadResponse<T>) -> Void) where T : Decodable, T : Sendable { _ = receiver.responseDecodable(of: a0, queue: a1, dataPreprocessor: a2, decoder: a3, emptyResponseCodes: a4, emptyRequestMethods: a5, completionHandler: a6); _ = receiver.responseDecodable(completionHandler: a6) }
}
