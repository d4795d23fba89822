// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Core/DataRequest.swift; do not edit.

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

/// The symbols of Core/DataRequest.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesDataRequest {
    static func use115(_: DataRequest.Type) {}
    static func use116(_ receiver: DataRequest) { _ = receiver.convertible }
    static func use117(_ receiver: DataRequest) { _ = receiver.data }
    static func use118(_ receiver: DataRequest, _ a0: @escaping DataRequest.Validation) { _ = receiver.validate(a0) }
    static func use119(_ receiver: DataRequest, _ a0: DispatchQueue, _ a1: @escaping @Sendable (HTTPURLResponse, @escaping @Sendable (Request.ResponseDisposition) -> Void) -> Void) { _ = receiver.onHTTPResponse(on: a0, perform: a1); _ = receiver.onHTTPResponse(perform: a1) }
    static func use120(_ receiver: DataRequest, _ a0: DispatchQueue, _ a1: @escaping @Sendable (HTTPURLResponse) -> Void) { _ = receiver.onHTTPResponse(on: a0, perform: a1); _ = receiver.onHTTPResponse(perform: a1) }
    static func use121(_ receiver: DataRequest, _ a0: DispatchQueue, _ a1: @escaping @Sendable (AFDataResponse<Data?>) -> Void) { _ = receiver.response(queue: a0, completionHandler: a1); _ = receiver.response(completionHandler: a1) }
    static func use122<Serializer>(_ receiver: DataRequest, _ a0: DispatchQueue, _ a1: Serializer, _ a2: @escaping @Sendable (AFDataResponse<Serializer.SerializedObject>) -> Void) where Serializer : DataResponseSerializerProtocol { _ = receiver.response(queue: a0, responseSerializer: a1, completionHandler: a2); _ = receiver.response(responseSerializer: a1, completionHandler: a2) }
    static func use123<Serializer>(_ receiver: DataRequest, _ a0: DispatchQueue, _ a1: Serializer, _ a2: @escaping @Sendable (AFDataResponse<Serializer.SerializedObject>) -> Void) where Serializer : ResponseSerializer { _ = receiver.response(queue: a0, responseSerializer: a1, completionHandler: a2); _ = receiver.response(responseSerializer: a1, completionHandler: a2) }
    static func use124(_ receiver: DataRequest, _ a0: DispatchQueue, _ a1: any DataPreprocessor, _ a2: Set<Int>, _ a3: Set<HTTPMethod>, _ a4: @escaping @Sendable (AFDataResponse<Data>) -> Void) { _ = receiver.responseData(queue: a0, dataPreprocessor: a1, emptyResponseCodes: a2, emptyRequestMethods: a3, completionHandler: a4); _ = receiver.responseData(completionHandler: a4) }
    static func use125(_ receiver: DataRequest, _ a0: DispatchQueue, _ a1: any DataPreprocessor, _ a2: String.Encoding?, _ a3: Set<Int>, _ a4: Set<HTTPMethod>, _ a5: @escaping @Sendable (AFDataResponse<String>) -> Void) { _ = receiver.responseString(queue: a0, dataPreprocessor: a1, encoding: a2, emptyResponseCodes: a3, emptyRequestMethods: a4, completionHandler: a5); _ = receiver.responseString(completionHandler: a5) }
    @available(*, deprecated, message: "as in Alamofire")
    static func use126(_ receiver: DataRequest, _ a0: DispatchQueue, _ a1: any DataPreprocessor, _ a2: Set<Int>, _ a3: Set<HTTPMethod>, _ a4: JSONSerialization.ReadingOptions, _ a5: @escaping @Sendable (AFDataResponse<Any>) -> Void) { _ = receiver.responseJSON(queue: a0, dataPreprocessor: a1, emptyResponseCodes: a2, emptyRequestMethods: a3, options: a4, completionHandler: a5); _ = receiver.responseJSON(completionHandler: a5) }
    static func use127<Value>(_ receiver: DataRequest, _ a0: Value.Type, _ a1: DispatchQueue, _ a2: any DataPreprocessor, _ a3: any DataDecoder, _ a4: Set<Int>, _ a5: Set<HTTPMethod>, _ a6: @escaping @Sendable (AFDataResponse<Value>) -> Void) where Value : Decodable, Value : Sendable { _ = receiver.responseDecodable(of: a0, queue: a1, dataPreprocessor: a2, decoder: a3, emptyResponseCodes: a4, emptyRequestMethods: a5, completionHandler: a6); _ = receiver.responseDecodable(completionHandler: a6) }
}
