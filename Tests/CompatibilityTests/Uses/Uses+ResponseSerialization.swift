// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Features/ResponseSerialization.swift; do not edit.

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

/// The symbols of Features/ResponseSerialization.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesResponseSerialization {
    static func use1020(_: (any DataResponseSerializerProtocol).Type) {}
    static func use1022<Owner_: DataResponseSerializerProtocol>(_ receiver: Owner_, _ a0: URLRequest?, _ a1: HTTPURLResponse?, _ a2: Data?, _ a3: (any Error)?) throws { _ = try receiver.serialize(request: a0, response: a1, data: a2, error: a3) }
    static func use1023(_: (any DownloadResponseSerializerProtocol).Type) {}
    static func use1025<Owner_: DownloadResponseSerializerProtocol>(_ receiver: Owner_, _ a0: URLRequest?, _ a1: HTTPURLResponse?, _ a2: URL?, _ a3: (any Error)?) throws { _ = try receiver.serializeDownload(request: a0, response: a1, fileURL: a2, error: a3) }
    static func use1026(_: (any ResponseSerializer).Type) {}
    static func use1027<Owner_: ResponseSerializer>(_ receiver: Owner_) { _ = receiver.dataPreprocessor }
    static func use1028<Owner_: ResponseSerializer>(_ receiver: Owner_) { _ = receiver.emptyRequestMethods }
    static func use1029<Owner_: ResponseSerializer>(_ receiver: Owner_) { _ = receiver.emptyResponseCodes }
    static func use1030(_: (any DataPreprocessor).Type) {}
    static func use1031<Owner_: DataPreprocessor>(_ receiver: Owner_, _ a0: Data) throws { _ = try receiver.preprocess(a0) }
    static func use1032(_: PassthroughPreprocessor.Type) {}
    static func use1033() { _ = PassthroughPreprocessor() }
    static func use1034(_ receiver: PassthroughPreprocessor, _ a0: Data) throws { _ = try receiver.preprocess(a0) }
    static func use1035(_: GoogleXSSIPreprocessor.Type) {}
    static func use1036() { _ = GoogleXSSIPreprocessor() }
    static func use1037(_ receiver: GoogleXSSIPreprocessor, _ a0: Data) throws { _ = try receiver.preprocess(a0) }
    static func use1038() { _ = PassthroughPreprocessor.passthrough }
    static func use1039() { _ = GoogleXSSIPreprocessor.googleXSSI }
    static func use1040<Owner_: ResponseSerializer>(_: Owner_.Type) { _ = Owner_.defaultDataPreprocessor }
    static func use1041<Owner_: ResponseSerializer>(_: Owner_.Type) { _ = Owner_.defaultEmptyRequestMethods }
    static func use1042<Owner_: ResponseSerializer>(_: Owner_.Type) { _ = Owner_.defaultEmptyResponseCodes }
    static func use1046<Owner_: ResponseSerializer>(_ receiver: Owner_, _ a0: URLRequest?) { _ = receiver.requestAllowsEmptyResponseData(a0) }
    static func use1047<Owner_: ResponseSerializer>(_ receiver: Owner_, _ a0: HTTPURLResponse?) { _ = receiver.responseAllowsEmptyResponseData(a0) }
    static func use1048<Owner_: ResponseSerializer>(_ receiver: Owner_, _ a0: URLRequest?, _ a1: HTTPURLResponse?) { _ = receiver.emptyResponseAllowed(forRequest: a0, response: a1) }
    static func use1050(_: URLResponseSerializer.Type) {}
    static func use1051() { _ = URLResponseSerializer() }
    static func use1052(_ receiver: URLResponseSerializer, _ a0: URLRequest?, _ a1: HTTPURLResponse?, _ a2: URL?, _ a3: (any Error)?) throws { _ = try receiver.serializeDownload(request: a0, response: a1, fileURL: a2, error: a3) }
    static func use1053() { _ = URLResponseSerializer.url }
    static func use1054(_: DataResponseSerializer.Type) {}
    static func use1055(_ receiver: DataResponseSerializer) { _ = receiver.dataPreprocessor }
    static func use1056(_ receiver: DataResponseSerializer) { _ = receiver.emptyResponseCodes }
    static func use1057(_ receiver: DataResponseSerializer) { _ = receiver.emptyRequestMethods }
    static func use1058(_ a0: any DataPreprocessor, _ a1: Set<Int>, _ a2: Set<HTTPMethod>) { _ = DataResponseSerializer(dataPreprocessor: a0, emptyResponseCodes: a1, emptyRequestMethods: a2) }
    static func use1059(_ receiver: DataResponseSerializer, _ a0: URLRequest?, _ a1: HTTPURLResponse?, _ a2: Data?, _ a3: (any Error)?) throws { _ = try receiver.serialize(request: a0, response: a1, data: a2, error: a3) }
    static func use1060() { _ = DataResponseSerializer.data }
    static func use1061(_ a0: any DataPreprocessor, _ a1: Set<Int>, _ a2: Set<HTTPMethod>) { _ = DataResponseSerializer.data(dataPreprocessor: a0, emptyResponseCodes: a1, emptyRequestMethods: a2); _ = DataResponseSerializer.data() }
    static func use1062(_: StringResponseSerializer.Type) {}
    static func use1063(_ receiver: StringResponseSerializer) { _ = receiver.dataPreprocessor }
    static func use1064(_ receiver: StringResponseSerializer) { _ = receiver.encoding }
    static func use1065(_ receiver: StringResponseSerializer) { _ = receiver.emptyResponseCodes }
    static func use1066(_ receiver: StringResponseSerializer) { _ = receiver.emptyRequestMethods }
    static func use1067(_ a0: any DataPreprocessor, _ a1: String.Encoding?, _ a2: Set<Int>, _ a3: Set<HTTPMethod>) { _ = StringResponseSerializer(dataPreprocessor: a0, encoding: a1, emptyResponseCodes: a2, emptyRequestMethods: a3) }
    static func use1068(_ receiver: StringResponseSerializer, _ a0: URLRequest?, _ a1: HTTPURLResponse?, _ a2: Data?, _ a3: (any Error)?) throws { _ = try receiver.serialize(request: a0, response: a1, data: a2, error: a3) }
    static func use1069() { _ = StringResponseSerializer.string }
    static func use1070(_ a0: any DataPreprocessor, _ a1: String.Encoding?, _ a2: Set<Int>, _ a3: Set<HTTPMethod>) { _ = StringResponseSerializer.string(dataPreprocessor: a0, encoding: a1, emptyResponseCodes: a2, emptyRequestMethods: a3); _ = StringResponseSerializer.string() }
    @available(*, deprecated, message: "as in Alamofire")
    static func use1071(_: JSONResponseSerializer.Type) {}
    @available(*, deprecated, message: "as in Alamofire")
    static func use1072(_ receiver: JSONResponseSerializer) { _ = receiver.dataPreprocessor }
    @available(*, deprecated, message: "as in Alamofire")
    static func use1073(_ receiver: JSONResponseSerializer) { _ = receiver.emptyResponseCodes }
    @available(*, deprecated, message: "as in Alamofire")
    static func use1074(_ receiver: JSONResponseSerializer) { _ = receiver.emptyRequestMethods }
    @available(*, deprecated, message: "as in Alamofire")
    static func use1075(_ receiver: JSONResponseSerializer) { _ = receiver.options }
    @available(*, deprecated, message: "as in Alamofire")
    static func use1076(_ a0: any DataPreprocessor, _ a1: Set<Int>, _ a2: Set<HTTPMethod>, _ a3: JSONSerialization.ReadingOptions) { _ = JSONResponseSerializer(dataPreprocessor: a0, emptyResponseCodes: a1, emptyRequestMethods: a2, options: a3) }
    @available(*, deprecated, message: "as in Alamofire")
    static func use1077(_ receiver: JSONResponseSerializer, _ a0: URLRequest?, _ a1: HTTPURLResponse?, _ a2: Data?, _ a3: (any Error)?) throws { _ = try receiver.serialize(request: a0, response: a1, data: a2, error: a3) }
    static func use1078(_: (any EmptyResponse).Type) {}
    static func use1079<Owner_: EmptyResponse>(_: Owner_.Type) { _ = Owner_.emptyValue() }
    static func use1080(_: Empty.Type) {}
    static func use1081() { _ = Empty.value }
    static func use1082() { _ = Empty.emptyValue() }
    static func use1083(_: (any DataDecoder).Type) {}
    static func use1084<Owner_: DataDecoder, D>(_ receiver: Owner_, _ a0: D.Type, _ a1: Data) throws where D : Decodable { _ = try receiver.decode(a0, from: a1) }
    static func use1085<T>(_: DecodableResponseSerializer<T>.Type) where T: Decodable & Sendable {}
    static func use1086<T>(_ receiver: DecodableResponseSerializer<T>) where T: Decodable & Sendable { _ = receiver.dataPreprocessor }
    static func use1087<T>(_ receiver: DecodableResponseSerializer<T>) where T: Decodable & Sendable { _ = receiver.decoder }
    static func use1088<T>(_ receiver: DecodableResponseSerializer<T>) where T: Decodable & Sendable { _ = receiver.emptyResponseCodes }
    static func use1089<T>(_ receiver: DecodableResponseSerializer<T>) where T: Decodable & Sendable { _ = receiver.emptyRequestMethods }
    static func use1090<T>(_ a0: any DataPreprocessor, _ a1: any DataDecoder, _ a2: Set<Int>, _ a3: Set<HTTPMethod>, _: DecodableResponseSerializer<T>.Type) where T: Decodable & Sendable { _ = DecodableResponseSerializer<T>(dataPreprocessor: a0, decoder: a1, emptyResponseCodes: a2, emptyRequestMethods: a3) }
    static func use1091<T>(_ receiver: DecodableResponseSerializer<T>, _ a0: URLRequest?, _ a1: HTTPURLResponse?, _ a2: Data?, _ a3: (any Error)?) throws where T: Decodable & Sendable { _ = try receiver.serialize(request: a0, response: a1, data: a2, error: a3) }
    static func use1092<T>(_ a0: T.Type, _ a1: any DataPreprocessor, _ a2: any DataDecoder, _ a3: Set<Int>, _ a4: Set<HTTPMethod>) where T : Decodable, T : Sendable { _ = DecodableResponseSerializer<T>.decodable(of: a0, dataPreprocessor: a1, decoder: a2, emptyResponseCodes: a3, emptyRequestMethods: a4); _ = DecodableResponseSerializer<T>.decodable(of: a0) }
}
