// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Core/Response.swift; do not edit.

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

/// The symbols of Core/Response.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesResponse {
    static func use412<Success>(_: AFDataResponse<Success>.Type) {}
    static func use413<Success>(_: AFDownloadResponse<Success>.Type) {}
    static func use414<Success, Failure>(_: DataResponse<Success, Failure>.Type) where Success: Sendable, Failure: Error {}
    static func use415<Success, Failure>(_ receiver: DataResponse<Success, Failure>) where Success: Sendable, Failure: Error { _ = receiver.request }
    static func use416<Success, Failure>(_ receiver: DataResponse<Success, Failure>) where Success: Sendable, Failure: Error { _ = receiver.response }
    static func use417<Success, Failure>(_ receiver: DataResponse<Success, Failure>) where Success: Sendable, Failure: Error { _ = receiver.data }
    static func use418<Success, Failure>(_ receiver: DataResponse<Success, Failure>) where Success: Sendable, Failure: Error { _ = receiver.metrics }
    static func use419<Success, Failure>(_ receiver: DataResponse<Success, Failure>) where Success: Sendable, Failure: Error { _ = receiver.serializationDuration }
    static func use420<Success, Failure>(_ receiver: DataResponse<Success, Failure>) where Success: Sendable, Failure: Error { _ = receiver.result }
    static func use421<Success, Failure>(_ receiver: DataResponse<Success, Failure>) where Success: Sendable, Failure: Error { _ = receiver.value }
    static func use422<Success, Failure>(_ receiver: DataResponse<Success, Failure>) where Success: Sendable, Failure: Error { _ = receiver.error }
    static func use423<Success, Failure>(_ a0: URLRequest?, _ a1: HTTPURLResponse?, _ a2: Data?, _ a3: URLSessionTaskMetrics?, _ a4: TimeInterval, _ a5: Result<Success, Failure>, _: DataResponse<Success, Failure>.Type) where Success: Sendable, Failure: Error { _ = DataResponse<Success, Failure>(request: a0, response: a1, data: a2, metrics: a3, serializationDuration: a4, result: a5) }
    static func use424<Success, Failure>(_ receiver: DataResponse<Success, Failure>) where Success: Sendable, Failure: Error, Success : Sendable, Failure : Error { _ = receiver.description }
    static func use425<Success, Failure>(_ receiver: DataResponse<Success, Failure>) where Success: Sendable, Failure: Error, Success : Sendable, Failure : Error { _ = receiver.debugDescription }
    static func use426<Success, Failure, NewSuccess>(_ receiver: DataResponse<Success, Failure>, _ a0: (Success) -> NewSuccess) where Success: Sendable, Failure: Error, Success : Sendable, Failure : Error, NewSuccess : Sendable { _ = receiver.map(a0) }
    static func use427<Success, Failure, NewSuccess>(_ receiver: DataResponse<Success, Failure>, _ a0: (Success) throws -> NewSuccess) throws where Success: Sendable, Failure: Error, Success : Sendable, Failure : Error, NewSuccess : Sendable { _ = receiver.tryMap(a0) }
    static func use428<Success, Failure, NewFailure>(_ receiver: DataResponse<Success, Failure>, _ a0: (Failure) -> NewFailure) where Success: Sendable, Failure: Error, Success : Sendable, Failure : Error, NewFailure : Error { _ = receiver.mapError(a0) }
    static func use429<Success, Failure, NewFailure>(_ receiver: DataResponse<Success, Failure>, _ a0: (Failure) throws -> NewFailure) throws where Success: Sendable, Failure: Error, Success : Sendable, Failure : Error, NewFailure : Error { _ = receiver.tryMapError(a0) }
    static func use430<Success, Failure>(_: DownloadResponse<Success, Failure>.Type) where Success: Sendable, Failure: Error {}
    static func use431<Success, Failure>(_ receiver: DownloadResponse<Success, Failure>) where Success: Sendable, Failure: Error { _ = receiver.request }
    static func use432<Success, Failure>(_ receiver: DownloadResponse<Success, Failure>) where Success: Sendable, Failure: Error { _ = receiver.response }
    static func use433<Success, Failure>(_ receiver: DownloadResponse<Success, Failure>) where Success: Sendable, Failure: Error { _ = receiver.fileURL }
    static func use434<Success, Failure>(_ receiver: DownloadResponse<Success, Failure>) where Success: Sendable, Failure: Error { _ = receiver.resumeData }
    static func use435<Success, Failure>(_ receiver: DownloadResponse<Success, Failure>) where Success: Sendable, Failure: Error { _ = receiver.metrics }
    static func use436<Success, Failure>(_ receiver: DownloadResponse<Success, Failure>) where Success: Sendable, Failure: Error { _ = receiver.serializationDuration }
    static func use437<Success, Failure>(_ receiver: DownloadResponse<Success, Failure>) where Success: Sendable, Failure: Error { _ = receiver.result }
    static func use438<Success, Failure>(_ receiver: DownloadResponse<Success, Failure>) where Success: Sendable, Failure: Error { _ = receiver.value }
    static func use439<Success, Failure>(_ receiver: DownloadResponse<Success, Failure>) where Success: Sendable, Failure: Error { _ = receiver.error }
    static func use440<Success, Failure>(_ a0: URLRequest?, _ a1: HTTPURLResponse?, _ a2: URL?, _ a3: Data?, _ a4: URLSessionTaskMetrics?, _ a5: TimeInterval, _ a6: Result<Success, Failure>, _: DownloadResponse<Success, Failure>.Type) where Success: Sendable, Failure: Error { _ = DownloadResponse<Success, Failure>(request: a0, response: a1, fileURL: a2, resumeData: a3, metrics: a4, serializationDuration: a5, result: a6) }
    static func use441<Success, Failure>(_ receiver: DownloadResponse<Success, Failure>) where Success: Sendable, Failure: Error, Success : Sendable, Failure : Error { _ = receiver.description }
    static func use442<Success, Failure>(_ receiver: DownloadResponse<Success, Failure>) where Success: Sendable, Failure: Error, Success : Sendable, Failure : Error { _ = receiver.debugDescription }
    static func use443<Success, Failure, NewSuccess>(_ receiver: DownloadResponse<Success, Failure>, _ a0: (Success) -> NewSuccess) where Success: Sendable, Failure: Error, Success : Sendable, Failure : Error, NewSuccess : Sendable { _ = receiver.map(a0) }
    static func use444<Success, Failure, NewSuccess>(_ receiver: DownloadResponse<Success, Failure>, _ a0: (Success) throws -> NewSuccess) throws where Success: Sendable, Failure: Error, Success : Sendable, Failure : Error, NewSuccess : Sendable { _ = receiver.tryMap(a0) }
    static func use445<Success, Failure, NewFailure>(_ receiver: DownloadResponse<Success, Failure>, _ a0: (Failure) -> NewFailure) where Success: Sendable, Failure: Error, Success : Sendable, Failure : Error, NewFailure : Error { _ = receiver.mapError(a0) }
    static func use446<Success, Failure, NewFailure>(_ receiver: DownloadResponse<Success, Failure>, _ a0: (Failure) throws -> NewFailure) throws where Success: Sendable, Failure: Error, Success : Sendable, Failure : Error, NewFailure : Error { _ = receiver.tryMapError(a0) }
}
