// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Core/Session.swift; do not edit.

import Airframe
import AirframeCore
import AirframeEncoding
import AirframeReachability
import AirframeSecurity
import AirframeSerialization
import AirframeTransport
import Dispatch
import Foundation

/// The symbols of Core/Session.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesSession {
    static func use438(_: Session.Type) {}
    static func use439() { _ = Session.`default` }
    static func use440(_: Session.RequestSetup.Type) {}
    static func use441(_ receiver: Session.RequestSetup) { if case .lazy = receiver {} }
    static func use442(_ receiver: Session.RequestSetup) { if case .eager = receiver {} }
    static func use443(_ receiver: Session) { _ = receiver.rootQueue }
    static func use444(_ receiver: Session) { _ = receiver.startRequestsImmediately }
    static func use445(_ receiver: Session) { _ = receiver.requestSetup }
    static func use446(_ receiver: Session) { _ = receiver.requestQueue }
    static func use447(_ receiver: Session) { _ = receiver.serializationQueue }
    static func use448(_ receiver: Session) { _ = receiver.interceptor }
    static func use449(_ receiver: Session) { _ = receiver.serverTrustManager }
    static func use450(_ receiver: Session) { _ = receiver.redirectHandler }
    static func use451(_ receiver: Session) { _ = receiver.cachedResponseHandler }
    static func use452(_ receiver: Session) { _ = receiver.eventMonitor }
    static func use453(_ a0: URLSessionConfiguration, _ a1: DispatchQueue, _ a2: Bool, _ a3: Session.RequestSetup, _ a4: DispatchQueue?, _ a5: DispatchQueue?, _ a6: (any RequestInterceptor)?, _ a7: ServerTrustManager?, _ a8: (any RedirectHandler)?, _ a9: (any CachedResponseHandler)?, _ a10: [any EventMonitor]) { _ = Session(configuration: a0, rootQueue: a1, startRequestsImmediately: a2, requestSetup: a3, requestQueue: a4, serializationQueue: a5, interceptor: a6, serverTrustManager: a7, redirectHandler: a8, cachedResponseHandler: a9, eventMonitors: a10) }
    static func use454(_ receiver: Session, _ a0: @escaping @Sendable (Set<Request>) -> Void) { receiver.withAllRequests(perform: a0) }
    static func use455(_ receiver: Session, _ a0: DispatchQueue, _ a1: (@Sendable () -> Void)?) { receiver.cancelAllRequests(completingOnQueue: a0, completion: a1); receiver.cancelAllRequests() }
    static func use456(_: Session.RequestModifier.Type) {}
    static func use457(_ receiver: Session, _ a0: any URLConvertible, _ a1: HTTPMethod, _ a2: Parameters?, _ a3: any ParameterEncoding, _ a4: HTTPHeaders?, _ a5: (any RequestInterceptor)?, _ a6: Bool?, _ a7: Session.RequestModifier?) { _ = receiver.request(a0, method: a1, parameters: a2, encoding: a3, headers: a4, interceptor: a5, shouldAutomaticallyResume: a6, requestModifier: a7); _ = receiver.request(a0, parameters: a2) }
    static func use458<Parameters>(_ receiver: Session, _ a0: any URLConvertible, _ a1: HTTPMethod, _ a2: Parameters?, _ a3: any ParameterEncoder, _ a4: HTTPHeaders?, _ a5: (any RequestInterceptor)?, _ a6: Bool?, _ a7: Session.RequestModifier?) where Parameters : Encodable, Parameters : Sendable { _ = receiver.request(a0, method: a1, parameters: a2, encoder: a3, headers: a4, interceptor: a5, shouldAutomaticallyResume: a6, requestModifier: a7); _ = receiver.request(a0, parameters: a2) }
    static func use459(_ receiver: Session, _ a0: any URLRequestConvertible, _ a1: (any RequestInterceptor)?, _ a2: Bool?) { _ = receiver.request(a0, interceptor: a1, shouldAutomaticallyResume: a2); _ = receiver.request(a0) }
    static func use460<Parameters>(_ receiver: Session, _ a0: any URLConvertible, _ a1: HTTPMethod, _ a2: Parameters?, _ a3: any ParameterEncoder, _ a4: HTTPHeaders?, _ a5: Bool, _ a6: (any RequestInterceptor)?, _ a7: Bool?, _ a8: Session.RequestModifier?) where Parameters : Encodable, Parameters : Sendable { _ = receiver.streamRequest(a0, method: a1, parameters: a2, encoder: a3, headers: a4, automaticallyCancelOnStreamError: a5, interceptor: a6, shouldAutomaticallyResume: a7, requestModifier: a8); _ = receiver.streamRequest(a0, parameters: a2) }
    static func use461(_ receiver: Session, _ a0: any URLConvertible, _ a1: HTTPMethod, _ a2: HTTPHeaders?, _ a3: Bool, _ a4: (any RequestInterceptor)?, _ a5: Bool?, _ a6: Session.RequestModifier?) { _ = receiver.streamRequest(a0, method: a1, headers: a2, automaticallyCancelOnStreamError: a3, interceptor: a4, shouldAutomaticallyResume: a5, requestModifier: a6); _ = receiver.streamRequest(a0) }
    static func use462(_ receiver: Session, _ a0: any URLRequestConvertible, _ a1: Bool, _ a2: (any RequestInterceptor)?, _ a3: Bool?) { _ = receiver.streamRequest(a0, automaticallyCancelOnStreamError: a1, interceptor: a2, shouldAutomaticallyResume: a3); _ = receiver.streamRequest(a0) }
    static func use463(_ receiver: Session, _ a0: any URLConvertible, _ a1: HTTPMethod, _ a2: Parameters?, _ a3: any ParameterEncoding, _ a4: HTTPHeaders?, _ a5: (any RequestInterceptor)?, _ a6: Bool?, _ a7: Session.RequestModifier?, _ a8: DownloadRequest.Destination?) { _ = receiver.download(a0, method: a1, parameters: a2, encoding: a3, headers: a4, interceptor: a5, shouldAutomaticallyResume: a6, requestModifier: a7, to: a8); _ = receiver.download(a0, parameters: a2) }
    static func use464<Parameters>(_ receiver: Session, _ a0: any URLConvertible, _ a1: HTTPMethod, _ a2: Parameters?, _ a3: any ParameterEncoder, _ a4: HTTPHeaders?, _ a5: (any RequestInterceptor)?, _ a6: Bool?, _ a7: Session.RequestModifier?, _ a8: DownloadRequest.Destination?) where Parameters : Encodable, Parameters : Sendable { _ = receiver.download(a0, method: a1, parameters: a2, encoder: a3, headers: a4, interceptor: a5, shouldAutomaticallyResume: a6, requestModifier: a7, to: a8); _ = receiver.download(a0, parameters: a2) }
    static func use465(_ receiver: Session, _ a0: any URLRequestConvertible, _ a1: (any RequestInterceptor)?, _ a2: Bool?, _ a3: DownloadRequest.Destination?) { _ = receiver.download(a0, interceptor: a1, shouldAutomaticallyResume: a2, to: a3); _ = receiver.download(a0) }
    static func use466(_ receiver: Session, _ a0: Data, _ a1: (any RequestInterceptor)?, _ a2: Bool?, _ a3: DownloadRequest.Destination?) { _ = receiver.download(resumingWith: a0, interceptor: a1, shouldAutomaticallyResume: a2, to: a3); _ = receiver.download(resumingWith: a0) }
    static func use467(_ receiver: Session, _ a0: Data, _ a1: any URLConvertible, _ a2: HTTPMethod, _ a3: HTTPHeaders?, _ a4: (any RequestInterceptor)?, _ a5: Bool?, _ a6: FileManager, _ a7: Session.RequestModifier?) { _ = receiver.upload(a0, to: a1, method: a2, headers: a3, interceptor: a4, shouldAutomaticallyResume: a5, fileManager: a6, requestModifier: a7); _ = receiver.upload(a0, to: a1) }
    static func use468(_ receiver: Session, _ a0: Data, _ a1: any URLRequestConvertible, _ a2: (any RequestInterceptor)?, _ a3: Bool?, _ a4: FileManager) { _ = receiver.upload(a0, with: a1, interceptor: a2, shouldAutomaticallyResume: a3, fileManager: a4); _ = receiver.upload(a0, with: a1) }
    static func use469(_ receiver: Session, _ a0: URL, _ a1: any URLConvertible, _ a2: HTTPMethod, _ a3: HTTPHeaders?, _ a4: (any RequestInterceptor)?, _ a5: Bool?, _ a6: FileManager, _ a7: Session.RequestModifier?) { _ = receiver.upload(a0, to: a1, method: a2, headers: a3, interceptor: a4, shouldAutomaticallyResume: a5, fileManager: a6, requestModifier: a7); _ = receiver.upload(a0, to: a1) }
    static func use470(_ receiver: Session, _ a0: URL, _ a1: any URLRequestConvertible, _ a2: (any RequestInterceptor)?, _ a3: Bool?, _ a4: FileManager) { _ = receiver.upload(a0, with: a1, interceptor: a2, shouldAutomaticallyResume: a3, fileManager: a4); _ = receiver.upload(a0, with: a1) }
    static func use471(_ receiver: Session, _ a0: InputStream, _ a1: any URLConvertible, _ a2: HTTPMethod, _ a3: HTTPHeaders?, _ a4: (any RequestInterceptor)?, _ a5: FileManager, _ a6: Session.RequestModifier?) { _ = receiver.upload(a0, to: a1, method: a2, headers: a3, interceptor: a4, fileManager: a5, requestModifier: a6); _ = receiver.upload(a0, to: a1) }
    static func use472(_ receiver: Session, _ a0: InputStream, _ a1: any URLRequestConvertible, _ a2: (any RequestInterceptor)?, _ a3: Bool?, _ a4: FileManager) { _ = receiver.upload(a0, with: a1, interceptor: a2, shouldAutomaticallyResume: a3, fileManager: a4); _ = receiver.upload(a0, with: a1) }
    static func use473(_ receiver: Session, _ a0: @escaping (MultipartFormData) -> Void, _ a1: any URLConvertible, _ a2: UInt64, _ a3: HTTPMethod, _ a4: HTTPHeaders?, _ a5: (any RequestInterceptor)?, _ a6: FileManager, _ a7: Session.RequestModifier?) { _ = receiver.upload(multipartFormData: a0, to: a1, usingThreshold: a2, method: a3, headers: a4, interceptor: a5, fileManager: a6, requestModifier: a7); _ = receiver.upload(multipartFormData: a0, to: a1) }
    static func use474(_ receiver: Session, _ a0: @escaping (MultipartFormData) -> Void, _ a1: any URLRequestConvertible, _ a2: UInt64, _ a3: (any RequestInterceptor)?, _ a4: FileManager) { _ = receiver.upload(multipartFormData: a0, with: a1, usingThreshold: a2, interceptor: a3, fileManager: a4); _ = receiver.upload(multipartFormData: a0, with: a1) }
    static func use475(_ receiver: Session, _ a0: MultipartFormData, _ a1: any URLConvertible, _ a2: UInt64, _ a3: HTTPMethod, _ a4: HTTPHeaders?, _ a5: (any RequestInterceptor)?, _ a6: Bool?, _ a7: FileManager, _ a8: Session.RequestModifier?) { _ = receiver.upload(multipartFormData: a0, to: a1, usingThreshold: a2, method: a3, headers: a4, interceptor: a5, shouldAutomaticallyResume: a6, fileManager: a7, requestModifier: a8); _ = receiver.upload(multipartFormData: a0, to: a1, usingThreshold: a2) }
    static func use476(_ receiver: Session, _ a0: MultipartFormData, _ a1: any URLRequestConvertible, _ a2: UInt64, _ a3: (any RequestInterceptor)?, _ a4: Bool?, _ a5: FileManager) { _ = receiver.upload(multipartFormData: a0, with: a1, usingThreshold: a2, interceptor: a3, shouldAutomaticallyResume: a4, fileManager: a5); _ = receiver.upload(multipartFormData: a0, with: a1, usingThreshold: a2) }
    static func use477(_ receiver: Session) { _ = receiver.sessionConfiguration }
}
