// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Features/Validation.swift; do not edit.

import Airframe
import AirframeCore
import AirframeEncoding
import AirframeReachability
import AirframeSecurity
import AirframeSerialization
import AirframeTransport
import Dispatch
import Foundation

/// The symbols of Features/Validation.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesValidation {
    static func use1117(_: Request.ValidationResult.Type) {}
    static func use1118(_: DataRequest.Validation.Type) {}
    static func use1119<S>(_ receiver: DataRequest, _ a0: S) where S : Sendable, S : Sequence, S.Element == Int { _ = receiver.validate(statusCode: a0) }
    static func use1120<S>(_ receiver: DataRequest, _ a0: @escaping @Sendable () -> S) where S : Sendable, S : Sequence, S.Element == String { _ = receiver.validate(contentType: a0()) }
    static func use1121(_ receiver: DataRequest) { _ = receiver.validate() }
    static func use1122(_: DataStreamRequest.Validation.Type) {}
    static func use1123<S>(_ receiver: DataStreamRequest, _ a0: S) where S : Sendable, S : Sequence, S.Element == Int { _ = receiver.validate(statusCode: a0) }
    static func use1124<S>(_ receiver: DataStreamRequest, _ a0: @escaping @Sendable () -> S) where S : Sendable, S : Sequence, S.Element == String { _ = receiver.validate(contentType: a0()) }
    static func use1125(_ receiver: DataStreamRequest) { _ = receiver.validate() }
    static func use1126(_: DownloadRequest.Validation.Type) {}
    static func use1127<S>(_ receiver: DownloadRequest, _ a0: S) where S : Sendable, S : Sequence, S.Element == Int { _ = receiver.validate(statusCode: a0) }
    static func use1128<S>(_ receiver: DownloadRequest, _ a0: @escaping @Sendable () -> S) where S : Sendable, S : Sequence, S.Element == String { _ = receiver.validate(contentType: a0()) }
    static func use1129(_ receiver: DownloadRequest) { _ = receiver.validate() }
}
