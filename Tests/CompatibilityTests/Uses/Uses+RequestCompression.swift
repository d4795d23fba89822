// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Features/RequestCompression.swift; do not edit.

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

/// The symbols of Features/RequestCompression.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesRequestCompression {
    static func use968(_: DeflateRequestCompressor.Type) {}
    static func use969(_: DeflateRequestCompressor.DuplicateHeaderBehavior.Type) {}
    static func use970(_ receiver: DeflateRequestCompressor.DuplicateHeaderBehavior) { if case .error = receiver {} }
    static func use971(_ receiver: DeflateRequestCompressor.DuplicateHeaderBehavior) { if case .replace = receiver {} }
    static func use972(_ receiver: DeflateRequestCompressor.DuplicateHeaderBehavior) { if case .skip = receiver {} }
    static func use973(_: DeflateRequestCompressor.DuplicateHeaderError.Type) {}
    static func use974(_ receiver: DeflateRequestCompressor) { _ = receiver.duplicateHeaderBehavior }
    static func use975(_ receiver: DeflateRequestCompressor) { _ = receiver.shouldCompressBodyData }
    static func use976(_ a0: DeflateRequestCompressor.DuplicateHeaderBehavior, _ a1: @escaping @Sendable (Data) -> Bool) { _ = DeflateRequestCompressor(duplicateHeaderBehavior: a0, shouldCompressBodyData: a1) }
    static func use977(_ receiver: DeflateRequestCompressor, _ a0: URLRequest, _ a1: Session, _ a2: @escaping @Sendable (Result<URLRequest, any Error>) -> Void) { receiver.adapt(a0, for: a1, completion: a2) }
    static func use978() { _ = DeflateRequestCompressor.deflateCompressor }
    static func use979(_ a0: DeflateRequestCompressor.DuplicateHeaderBehavior, _ a1: @escaping @Sendable (Data) -> Bool) { _ = DeflateRequestCompressor.deflateCompressor(duplicateHeaderBehavior: a0, shouldCompressBodyData: a1); _ = DeflateRequestCompressor.deflateCompressor() }
}
