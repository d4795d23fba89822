// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Features/Validation.swift; do not edit.

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

/// The symbols of Features/Validation.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesValidation {
    static func use1203(_: Request.ValidationResult.Type) {}
    static func use1204(_: DataRequest.Validation.Type) {}
    static func use1205<S>(_ receiver: DataRequest, _ a0: S) where S : Sendable, S : Sequence, S.Element == Int { _ = receiver.validate(statusCode: a0) }
    static func use1206<S>(_ receiver: DataRequest, _ a0: @escaping @Sendable () -> S) where S : Sendable, S : Sequence, S.Element == String { _ = receiver.validate(contentType: a0()) }
    static func use1207(_ receiver: DataRequest) { _ = receiver.validate() }
    static func use1208(_: DataStreamRequest.Validation.Type) {}
    static func use1209<S>(_ receiver: DataStreamRequest, _ a0: S) where S : Sendable, S : Sequence, S.Element == Int { _ = receiver.validate(statusCode: a0) }
    static func use1210<S>(_ receiver: DataStreamRequest, _ a0: @escaping @Sendable () -> S) where S : Sendable, S : Sequence, S.Element == String { _ = receiver.validate(contentType: a0()) }
    static func use1211(_ receiver: DataStreamRequest) { _ = receiver.validate() }
    static func use1212(_: DownloadRequest.Validation.Type) {}
    static func use1213<S>(_ receiver: DownloadRequest, _ a0: S) where S : Sendable, S : Sequence, S.Element == Int { _ = receiver.validate(statusCode: a0) }
    static func use1214<S>(_ receiver: DownloadRequest, _ a0: @escaping @Sendable () -> S) where S : Sendable, S : Sequence, S.Element == String { _ = receiver.validate(contentType: a0()) }
    static func use1215(_ receiver: DownloadRequest) { _ = receiver.validate() }
}
