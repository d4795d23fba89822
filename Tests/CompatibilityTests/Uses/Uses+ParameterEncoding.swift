// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Core/ParameterEncoding.swift; do not edit.

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

/// The symbols of Core/ParameterEncoding.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesParameterEncoding {
    static func use302(_: Parameters.Type) {}
    static func use303(_: (any ParameterEncoding).Type) {}
    static func use304<Owner_: ParameterEncoding>(_ receiver: Owner_, _ a0: any URLRequestConvertible, _ a1: Parameters?) throws { _ = try receiver.encode(a0, with: a1) }
    static func use305(_: URLEncoding.Type) {}
    static func use306(_: URLEncoding.Destination.Type) {}
    static func use307(_ receiver: URLEncoding.Destination) { if case .methodDependent = receiver {} }
    static func use308(_ receiver: URLEncoding.Destination) { if case .queryString = receiver {} }
    static func use309(_ receiver: URLEncoding.Destination) { if case .httpBody = receiver {} }
    static func use310(_: URLEncoding.ArrayEncoding.Type) {}
    static func use311(_ receiver: URLEncoding.ArrayEncoding) { if case .brackets = receiver {} }
    static func use312(_ receiver: URLEncoding.ArrayEncoding) { if case .noBrackets = receiver {} }
    static func use313(_ receiver: URLEncoding.ArrayEncoding) { if case .indexInBrackets = receiver {} }
    static func use314(_ receiver: URLEncoding.ArrayEncoding) { if case .custom(_) = receiver {} }
    static func use315(_: URLEncoding.BoolEncoding.Type) {}
    static func use316(_ receiver: URLEncoding.BoolEncoding) { if case .numeric = receiver {} }
    static func use317(_ receiver: URLEncoding.BoolEncoding) { if case .literal = receiver {} }
    static func use318() { _ = URLEncoding.`default` }
    static func use319() { _ = URLEncoding.queryString }
    static func use320() { _ = URLEncoding.httpBody }
    static func use321(_ receiver: URLEncoding) { _ = receiver.destination }
    static func use322(_ receiver: URLEncoding) { _ = receiver.arrayEncoding }
    static func use323(_ receiver: URLEncoding) { _ = receiver.boolEncoding }
    static func use324(_ a0: URLEncoding.Destination, _ a1: URLEncoding.ArrayEncoding, _ a2: URLEncoding.BoolEncoding) { _ = URLEncoding(destination: a0, arrayEncoding: a1, boolEncoding: a2) }
    static func use325(_ receiver: URLEncoding, _ a0: any URLRequestConvertible, _ a1: Parameters?) throws { _ = try receiver.encode(a0, with: a1) }
    static func use326(_ receiver: URLEncoding, _ a0: String, _ a1: Any) { _ = receiver.queryComponents(fromKey: a0, value: a1) }
    static func use327(_ receiver: URLEncoding, _ a0: String) { _ = receiver.escape(a0) }
    static func use328(_: JSONEncoding.Type) {}
    static func use329(_: JSONEncoding.Error.Type) {}
    static func use330(_ receiver: JSONEncoding.Error) { if case .invalidJSONObject = receiver {} }
    static func use331() { _ = JSONEncoding.`default` }
    static func use332() { _ = JSONEncoding.prettyPrinted }
    static func use333(_ receiver: JSONEncoding) { _ = receiver.options }
    static func use334(_ a0: JSONSerialization.WritingOptions) { _ = JSONEncoding(options: a0) }
    static func use335(_ receiver: JSONEncoding, _ a0: any URLRequestConvertible, _ a1: Parameters?) throws { _ = try receiver.encode(a0, with: a1) }
    static func use336(_ receiver: JSONEncoding, _ a0: any URLRequestConvertible, _ a1: Any?) throws { _ = try receiver.encode(a0, withJSONObject: a1); _ = try receiver.encode(a0) }
    static func use337(_ receiver: JSONEncoding.Error) { _ = receiver.localizedDescription }
}
