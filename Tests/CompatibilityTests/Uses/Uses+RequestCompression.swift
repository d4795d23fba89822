// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Features/RequestCompression.swift; do not edit.

import Airframe
import AirframeCore
import AirframeEncoding
import AirframeReachability
import AirframeSecurity
import AirframeSerialization
import AirframeTransport
import Dispatch
import Foundation

/// The symbols of Features/RequestCompression.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesRequestCompression {
    static func use882(_: DeflateRequestCompressor.Type) {}
    static func use883(_: DeflateRequestCompressor.DuplicateHeaderBehavior.Type) {}
    static func use884(_ receiver: DeflateRequestCompressor.DuplicateHeaderBehavior) { if case .error = receiver {} }
    static func use885(_ receiver: DeflateRequestCompressor.DuplicateHeaderBehavior) { if case .replace = receiver {} }
    static func use886(_ receiver: DeflateRequestCompressor.DuplicateHeaderBehavior) { if case .skip = receiver {} }
    static func use887(_: DeflateRequestCompressor.DuplicateHeaderError.Type) {}
    static func use888(_ receiver: DeflateRequestCompressor) { _ = receiver.duplicateHeaderBehavior }
    static func use889(_ receiver: DeflateRequestCompressor) { _ = receiver.shouldCompressBodyData }
    static func use890(_ a0: DeflateRequestCompressor.DuplicateHeaderBehavior, _ a1: @escaping @Sendable (Data) -> Bool) { _ = DeflateRequestCompressor(duplicateHeaderBehavior: a0, shouldCompressBodyData: a1) }
    static func use891(_ receiver: DeflateRequestCompressor, _ a0: URLRequest, _ a1: Session, _ a2: @escaping @Sendable (Result<URLRequest, any Error>) -> Void) { receiver.adapt(a0, for: a1, completion: a2) }
    static func use892() { _ = DeflateRequestCompressor.deflateCompressor }
    static func use893(_ a0: DeflateRequestCompressor.DuplicateHeaderBehavior, _ a1: @escaping @Sendable (Data) -> Bool) { _ = DeflateRequestCompressor.deflateCompressor(duplicateHeaderBehavior: a0, shouldCompressBodyData: a1); _ = DeflateRequestCompressor.deflateCompressor() }
}
