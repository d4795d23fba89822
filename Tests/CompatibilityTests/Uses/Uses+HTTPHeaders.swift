// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Core/HTTPHeaders.swift; do not edit.

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

/// The symbols of Core/HTTPHeaders.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesHTTPHeaders {
    static func use201(_: HTTPHeaders.Type) {}
    static func use202() { _ = HTTPHeaders() }
    static func use203(_ a0: [HTTPHeader]) { _ = HTTPHeaders(a0) }
    static func use204(_ a0: [String : String]) { _ = HTTPHeaders(a0) }
    static func use205(_ receiver: inout HTTPHeaders, _ a0: String, _ a1: String) { receiver.add(name: a0, value: a1) }
    static func use206(_ receiver: inout HTTPHeaders, _ a0: HTTPHeader) { receiver.add(a0) }
    static func use207(_ receiver: inout HTTPHeaders, _ a0: String, _ a1: String) { receiver.update(name: a0, value: a1) }
    static func use208(_ receiver: inout HTTPHeaders, _ a0: HTTPHeader) { receiver.update(a0) }
    static func use209(_ receiver: inout HTTPHeaders, _ a0: String) { receiver.remove(name: a0) }
    static func use210(_ receiver: inout HTTPHeaders) { receiver.sort() }
    static func use211(_ receiver: HTTPHeaders) { _ = receiver.sorted() }
    static func use212(_ receiver: HTTPHeaders, _ a0: String) { _ = receiver.value(for: a0) }
    static func use213(_ receiver: HTTPHeaders, _ a0: String) { _ = receiver[a0] }
    static func use214(_ receiver: HTTPHeaders) { _ = receiver.dictionary }
    static func use215(_ a0: (String, String)) { _ = HTTPHeaders(dictionaryLiteral: a0) }
    static func use216(_ a0: HTTPHeader) { _ = HTTPHeaders(arrayLiteral: a0) }
    static func use217(_ receiver: HTTPHeaders) { _ = receiver.makeIterator() }
    static func use218(_ receiver: HTTPHeaders) { _ = receiver.startIndex }
    static func use219(_ receiver: HTTPHeaders) { _ = receiver.endIndex }
    static func use220(_ receiver: HTTPHeaders, _ a0: Int) { _ = receiver[a0] }
    static func use221(_ receiver: HTTPHeaders, _ a0: Int) { _ = receiver.index(after: a0) }
    static func use222(_ receiver: HTTPHeaders) { _ = receiver.description }
    static func use223(_: HTTPHeader.Type) {}
    static func use224(_ receiver: HTTPHeader) { _ = receiver.name }
    static func use225(_ receiver: HTTPHeader) { _ = receiver.value }
    static func use226(_ a0: String, _ a1: String) { _ = HTTPHeader(name: a0, value: a1) }
    static func use227(_ receiver: HTTPHeader) { _ = receiver.description }
    static func use228(_ a0: String) { _ = HTTPHeader.accept(a0) }
    static func use229(_ a0: String) { _ = HTTPHeader.acceptCharset(a0) }
    static func use230(_ a0: String) { _ = HTTPHeader.acceptLanguage(a0) }
    static func use231(_ a0: String) { _ = HTTPHeader.acceptEncoding(a0) }
    static func use232(_ a0: String, _ a1: String) { _ = HTTPHeader.authorization(username: a0, password: a1) }
    static func use233(_ a0: String) { _ = HTTPHeader.authorization(bearerToken: a0) }
    static func use234(_ a0: String) { _ = HTTPHeader.authorization(a0) }
    static func use235(_ a0: String) { _ = HTTPHeader.contentDisposition(a0) }
    static func use236(_ a0: String) { _ = HTTPHeader.contentEncoding(a0) }
    static func use237(_ a0: String) { _ = HTTPHeader.contentType(a0) }
    static func use238(_ a0: String) { _ = HTTPHeader.userAgent(a0) }
    static func use239(_ a0: String) { _ = HTTPHeader.websocketProtocol(a0) }
    static func use240() { _ = HTTPHeaders.`default` }
    static func use241() { _ = HTTPHeader.defaultAcceptEncoding }
    static func use242() { _ = HTTPHeader.defaultAcceptLanguage }
    static func use243() { _ = HTTPHeader.defaultUserAgent }
    static func use244(_ receiver: URLRequest) { _ = receiver.headers }
    static func use245(_ receiver: HTTPURLResponse) { _ = receiver.headers }
    static func use246(_ receiver: URLSessionConfiguration) { _ = receiver.headers }
}
