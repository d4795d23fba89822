// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Core/ParameterEncoder.swift; do not edit.

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

/// The symbols of Core/ParameterEncoder.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesParameterEncoder {
    static func use279(_: (any ParameterEncoder).Type) {}
    static func use280<Owner_: ParameterEncoder, Parameters>(_ receiver: Owner_, _ a0: Parameters?, _ a1: URLRequest) throws where Parameters : Encodable, Parameters : Sendable { _ = try receiver.encode(a0, into: a1) }
    static func use281(_: JSONParameterEncoder.Type) {}
    static func use282() { _ = JSONParameterEncoder.`default` }
    static func use283() { _ = JSONParameterEncoder.prettyPrinted }
    static func use284() { _ = JSONParameterEncoder.sortedKeys }
    static func use285(_ receiver: JSONParameterEncoder) { _ = receiver.encoder }
    static func use286(_ a0: JSONEncoder) { _ = JSONParameterEncoder(encoder: a0) }
    static func use287<Parameters>(_ receiver: JSONParameterEncoder, _ a0: Parameters?, _ a1: URLRequest) throws where Parameters : Encodable { _ = try receiver.encode(a0, into: a1) }
    static func use288() { _ = JSONParameterEncoder.json }
    static func use289(_ a0: JSONEncoder) { _ = JSONParameterEncoder.json(encoder: a0); _ = JSONParameterEncoder.json() }
    static func use290(_: URLEncodedFormParameterEncoder.Type) {}
    static func use291(_: URLEncodedFormParameterEncoder.Destination.Type) {}
    static func use292(_ receiver: URLEncodedFormParameterEncoder.Destination) { if case .methodDependent = receiver {} }
    static func use293(_ receiver: URLEncodedFormParameterEncoder.Destination) { if case .queryString = receiver {} }
    static func use294(_ receiver: URLEncodedFormParameterEncoder.Destination) { if case .httpBody = receiver {} }
    static func use295() { _ = URLEncodedFormParameterEncoder.`default` }
    static func use296(_ receiver: URLEncodedFormParameterEncoder) { _ = receiver.encoder }
    static func use297(_ receiver: URLEncodedFormParameterEncoder) { _ = receiver.destination }
    static func use298(_ a0: URLEncodedFormEncoder, _ a1: URLEncodedFormParameterEncoder.Destination) { _ = URLEncodedFormParameterEncoder(encoder: a0, destination: a1) }
    static func use299<Parameters>(_ receiver: URLEncodedFormParameterEncoder, _ a0: Parameters?, _ a1: URLRequest) throws where Parameters : Encodable { _ = try receiver.encode(a0, into: a1) }
    static func use300() { _ = URLEncodedFormParameterEncoder.urlEncodedForm }
    static func use301(_ a0: URLEncodedFormEncoder, _ a1: URLEncodedFormParameterEncoder.Destination) { _ = URLEncodedFormParameterEncoder.urlEncodedForm(encoder: a0, destination: a1); _ = URLEncodedFormParameterEncoder.urlEncodedForm() }
}
