// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Features/RetryPolicy.swift; do not edit.

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

/// The symbols of Features/RetryPolicy.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesRetryPolicy {
    static func use1093(_: RetryPolicy.Type) {}
    static func use1094() throws { _ = RetryPolicy.defaultRetryLimit }
    static func use1095() throws { _ = RetryPolicy.defaultExponentialBackoffBase }
    static func use1096() throws { _ = RetryPolicy.defaultExponentialBackoffScale }
    static func use1097() throws { _ = RetryPolicy.defaultRetryableHTTPMethods }
    static func use1098() throws { _ = RetryPolicy.defaultRetryableHTTPStatusCodes }
    static func use1099() throws { _ = RetryPolicy.defaultRetryableURLErrorCodes }
    static func use1100(_ receiver: RetryPolicy) throws { _ = receiver.retryLimit }
    static func use1101(_ receiver: RetryPolicy) { _ = receiver.exponentialBackoffBase }
    static func use1102(_ receiver: RetryPolicy) { _ = receiver.exponentialBackoffScale }
    static func use1103(_ receiver: RetryPolicy) throws { _ = receiver.retryableHTTPMethods }
    static func use1104(_ receiver: RetryPolicy) throws { _ = receiver.retryableHTTPStatusCodes }
    static func use1105(_ receiver: RetryPolicy) throws { _ = receiver.retryableURLErrorCodes }
    static func use1106(_ a0: UInt, _ a1: UInt, _ a2: Double, _ a3: Set<HTTPMethod>, _ a4: Set<Int>, _ a5: Set<URLError.Code>) throws { _ = RetryPolicy(retryLimit: a0, exponentialBackoffBase: a1, exponentialBackoffScale: a2, retryableHTTPMethods: a3, retryableHTTPStatusCodes: a4, retryableURLErrorCodes: a5) }
    static func use1107(_ receiver: RetryPolicy, _ a0: Request, _ a1: Session, _ a2: any Error, _ a3: @escaping @Sendable (RetryResult) -> Void) throws { receiver.retry(a0, for: a1, dueTo: a2, completion: a3) }
    static func use1108(_ receiver: RetryPolicy, _ a0: Request, _ a1: any Error) throws { _ = receiver.shouldRetry(request: a0, dueTo: a1) }
    static func use1109() throws { _ = RetryPolicy.retryPolicy }
    static func use1110(_ a0: UInt, _ a1: UInt, _ a2: Double, _ a3: Set<HTTPMethod>, _ a4: Set<Int>, _ a5: Set<URLError.Code>) throws { _ = RetryPolicy.retryPolicy(retryLimit: a0, exponentialBackoffBase: a1, exponentialBackoffScale: a2, retryableHTTPMethods: a3, retryableHTTPStatusCodes: a4, retryableURLErrorCodes: a5); _ = RetryPolicy.retryPolicy() }
    static func use1111(_: ConnectionLostRetryPolicy.Type) {}
    static func use1112(_ a0: UInt, _ a1: UInt, _ a2: Double, _ a3: Set<HTTPMethod>) throws { _ = ConnectionLostRetryPolicy(retryLimit: a0, exponentialBackoffBase: a1, exponentialBackoffScale: a2, retryableHTTPMethods: a3) }
    static func use1113() throws { _ = ConnectionLostRetryPolicy.connectionLostRetryPolicy }
    static func use1114(_ a0: UInt, _ a1: UInt, _ a2: Double, _ a3: Set<HTTPMethod>) throws { _ = ConnectionLostRetryPolicy.connectionLostRetryPolicy(retryLimit: a0, exponentialBackoffBase: a1, exponentialBackoffScale: a2, retryableHTTPMethods: a3); _ = ConnectionLostRetryPolicy.connectionLostRetryPolicy() }
}
