// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Features/ResponseSerialization.swift; do not edit.

import Airframe
import AirframeCore
import AirframeEncoding
import AirframeReachability
import AirframeSecurity
import AirframeSerialization
import AirframeTransport
import Dispatch
import Foundation

/// The symbols of Features/ResponseSerialization.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesResponseSerialization {
    static func use934(_: (any DataResponseSerializerProtocol).Type) {}
    static func use936<Owner_: DataResponseSerializerProtocol>(_ receiver: Owner_, _ a0: URLRequest?, _ a1: HTTPURLResponse?, _ a2: Data?, _ a3: (any Error)?) throws { _ = try receiver.serialize(request: a0, response: a1, data: a2, error: a3) }
    static func use937(_: (any DownloadResponseSerializerProtocol).Type) {}
    static func use939<Owner_: DownloadResponseSerializerProtocol>(_ receiver: Owner_, _ a0: URLRequest?, _ a1: HTTPURLResponse?, _ a2: URL?, _ a3: (any Error)?) throws { _ = try receiver.serializeDownload(request: a0, response: a1, fileURL: a2, error: a3) }
    static func use940(_: (any ResponseSerializer).Type) {}
    static func use941<Owner_: ResponseSerializer>(_ receiver: Owner_) { _ = receiver.dataPreprocessor }
    static func use942<Owner_: ResponseSerializer>(_ receiver: Owner_) { _ = receiver.emptyRequestMethods }
    static func use943<Owner_: ResponseSerializer>(_ receiver: Owner_) { _ = receiver.emptyResponseCodes }
    static func use944(_: (any DataPreprocessor).Type) {}
    static func use945<Owner_: DataPreprocessor>(_ receiver: Owner_, _ a0: Data) throws { _ = try receiver.preprocess(a0) }
    static func use946(_: PassthroughPreprocessor.Type) {}
    static func use947() { _ = PassthroughPreprocessor() }
    static func use948(_ receiver: PassthroughPreprocessor, _ a0: Data) throws { _ = try receiver.preprocess(a0) }
    static func use949(_: GoogleXSSIPreprocessor.Type) {}
    static func use950() { _ = GoogleXSSIPreprocessor() }
    static func use951(_ receiver: GoogleXSSIPreprocessor, _ a0: Data) throws { _ = try receiver.preprocess(a0) }
    static func use952() { _ = PassthroughPreprocessor.passthrough }
    static func use953() { _ = GoogleXSSIPreprocessor.googleXSSI }
    static func use954<Owner_: ResponseSerializer>(_: Owner_.Type) { _ = Owner_.defaultDataPreprocessor }
    static func use955<Owner_: ResponseSerializer>(_: Owner_.Type) { _ = Owner_.defaultEmptyRequestMethods }
    static func use956<Owner_: ResponseSerializer>(_: Owner_.Type) { _ = Owner_.defaultEmptyResponseCodes }
    static func use960<Owner_: ResponseSerializer>(_ receiver: Owner_, _ a0: URLRequest?) { _ = receiver.requestAllowsEmptyResponseData(a0) }
    static func use961<Owner_: ResponseSerializer>(_ receiver: Owner_, _ a0: HTTPURLResponse?) { _ = receiver.responseAllowsEmptyResponseData(a0) }
    static func use962<Owner_: ResponseSerializer>(_ receiver: Owner_, _ a0: URLRequest?, _ a1: HTTPURLResponse?) { _ = receiver.emptyResponseAllowed(forRequest: a0, response: a1) }
    static func use964(_: URLResponseSerializer.Type) {}
    static func use965() { _ = URLResponseSerializer() }
    static func use966(_ receiver: URLResponseSerializer, _ a0: URLRequest?, _ a1: HTTPURLResponse?, _ a2: URL?, _ a3: (any Error)?) throws { _ = try receiver.serializeDownload(request: a0, response: a1, fileURL: a2, error: a3) }
    static func use967() { _ = URLResponseSerializer.url }
    static func use968(_: DataResponseSerializer.Type) {}
    static func use969(_ receiver: DataResponseSerializer) { _ = receiver.dataPreprocessor }
    static func use970(_ receiver: DataResponseSerializer) { _ = receiver.emptyResponseCodes }
    static func use971(_ receiver: DataResponseSerializer) { _ = receiver.emptyRequestMethods }
    static func use972(_ a0: any DataPreprocessor, _ a1: Set<Int>, _ a2: Set<HTTPMethod>) { _ = DataResponseSerializer(dataPreprocessor: a0, emptyResponseCodes: a1, emptyRequestMethods: a2) }
    static func use973(_ receiver: DataResponseSerializer, _ a0: URLRequest?, _ a1: HTTPURLResponse?, _ a2: Data?, _ a3: (any Error)?) throws { _ = try receiver.serialize(request: a0, response: a1, data: a2, error: a3) }
    static func use974() { _ = DataResponseSerializer.data }
    static func use975(_ a0: any DataPreprocessor, _ a1: Set<Int>, _ a2: Set<HTTPMethod>) { _ = DataResponseSerializer.data(dataPreprocessor: a0, emptyResponseCodes: a1, emptyRequestMethods: a2); _ = DataResponseSerializer.data() }
    static func use976(_: StringResponseSerializer.Type) {}
    static func use977(_ receiver: StringResponseSerializer) { _ = receiver.dataPreprocessor }
    static func use978(_ receiver: StringResponseSerializer) { _ = receiver.encoding }
    static func use979(_ receiver: StringResponseSerializer) { _ = receiver.emptyResponseCodes }
    static func use980(_ receiver: StringResponseSerializer) { _ = receiver.emptyRequestMethods }
    static func use981(_ a0: any DataPreprocessor, _ a1: String.Encoding?, _ a2: Set<Int>, _ a3: Set<HTTPMethod>) { _ = StringResponseSerializer(dataPreprocessor: a0, encoding: a1, emptyResponseCodes: a2, emptyRequestMethods: a3) }
    static func use982(_ receiver: StringResponseSerializer, _ a0: URLRequest?, _ a1: HTTPURLResponse?, _ a2: Data?, _ a3: (any Error)?) throws { _ = try receiver.serialize(request: a0, response: a1, data: a2, error: a3) }
    static func use983() { _ = StringResponseSerializer.string }
    static func use984(_ a0: any DataPreprocessor, _ a1: String.Encoding?, _ a2: Set<Int>, _ a3: Set<HTTPMethod>) { _ = StringResponseSerializer.string(dataPreprocessor: a0, encoding: a1, emptyResponseCodes: a2, emptyRequestMethods: a3); _ = StringResponseSerializer.string() }
    @available(*, deprecated, message: "as in Alamofire")
    static func use985(_: JSONResponseSerializer.Type) {}
    @available(*, deprecated, message: "as in Alamofire")
    static func use986(_ receiver: JSONResponseSerializer) { _ = receiver.dataPreprocessor }
    @available(*, deprecated, message: "as in Alamofire")
    static func use987(_ receiver: JSONResponseSerializer) { _ = receiver.emptyResponseCodes }
    @available(*, deprecated, message: "as in Alamofire")
    static func use988(_ receiver: JSONResponseSerializer) { _ = receiver.emptyRequestMethods }
    @available(*, deprecated, message: "as in Alamofire")
    static func use989(_ receiver: JSONResponseSerializer) { _ = receiver.options }
    @available(*, deprecated, message: "as in Alamofire")
    static func use990(_ a0: any DataPreprocessor, _ a1: Set<Int>, _ a2: Set<HTTPMethod>, _ a3: JSONSerialization.ReadingOptions) { _ = JSONResponseSerializer(dataPreprocessor: a0, emptyResponseCodes: a1, emptyRequestMethods: a2, options: a3) }
    @available(*, deprecated, message: "as in Alamofire")
    static func use991(_ receiver: JSONResponseSerializer, _ a0: URLRequest?, _ a1: HTTPURLResponse?, _ a2: Data?, _ a3: (any Error)?) throws { _ = try receiver.serialize(request: a0, response: a1, data: a2, error: a3) }
    static func use992(_: (any EmptyResponse).Type) {}
    static func use993<Owner_: EmptyResponse>(_: Owner_.Type) { _ = Owner_.emptyValue() }
    static func use994(_: Empty.Type) {}
    static func use995() { _ = Empty.value }
    static func use996() { _ = Empty.emptyValue() }
    static func use997(_: (any DataDecoder).Type) {}
    static func use998<Owner_: DataDecoder, D>(_ receiver: Owner_, _ a0: D.Type, _ a1: Data) throws where D : Decodable { _ = try receiver.decode(a0, from: a1) }
    static func use999<T>(_: DecodableResponseSerializer<T>.Type) where T: Decodable & Sendable {}
    static func use1000<T>(_ receiver: DecodableResponseSerializer<T>) where T: Decodable & Sendable { _ = receiver.dataPreprocessor }
    static func use1001<T>(_ receiver: DecodableResponseSerializer<T>) where T: Decodable & Sendable { _ = receiver.decoder }
    static func use1002<T>(_ receiver: DecodableResponseSerializer<T>) where T: Decodable & Sendable { _ = receiver.emptyResponseCodes }
    static func use1003<T>(_ receiver: DecodableResponseSerializer<T>) where T: Decodable & Sendable { _ = receiver.emptyRequestMethods }
    static func use1004<T>(_ a0: any DataPreprocessor, _ a1: any DataDecoder, _ a2: Set<Int>, _ a3: Set<HTTPMethod>, _: DecodableResponseSerializer<T>.Type) where T: Decodable & Sendable { _ = DecodableResponseSerializer<T>(dataPreprocessor: a0, decoder: a1, emptyResponseCodes: a2, emptyRequestMethods: a3) }
    static func use1005<T>(_ receiver: DecodableResponseSerializer<T>, _ a0: URLRequest?, _ a1: HTTPURLResponse?, _ a2: Data?, _ a3: (any Error)?) throws where T: Decodable & Sendable { _ = try receiver.serialize(request: a0, response: a1, data: a2, error: a3) }
    static func use1006<T>(_ a0: T.Type, _ a1: any DataPreprocessor, _ a2: any DataDecoder, _ a3: Set<Int>, _ a4: Set<HTTPMethod>) where T : Decodable, T : Sendable { _ = DecodableResponseSerializer<T>.decodable(of: a0, dataPreprocessor: a1, decoder: a2, emptyResponseCodes: a3, emptyRequestMethods: a4); _ = DecodableResponseSerializer<T>.decodable(of: a0) }
}
