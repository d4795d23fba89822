// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Core/Session.swift; do not edit.

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

/// The symbols of Core/Session.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesSession {
    static func use447(_: Session.Type) {}
    static func use448() { _ = Session.`default` }
    static func use449(_: Session.RequestSetup.Type) {}
    static func use450(_ receiver: Session.RequestSetup) { if case .lazy = receiver {} }
    static func use451(_ receiver: Session.RequestSetup) { if case .eager = receiver {} }
    static func use452(_ receiver: Session) { _ = receiver.session }
    static func use453(_ receiver: Session) { _ = receiver.delegate }
    static func use454(_ receiver: Session) { _ = receiver.rootQueue }
    static func use455(_ receiver: Session) { _ = receiver.startRequestsImmediately }
    static func use456(_ receiver: Session) { _ = receiver.requestSetup }
    static func use457(_ receiver: Session) { _ = receiver.requestQueue }
    static func use458(_ receiver: Session) { _ = receiver.serializationQueue }
    static func use459(_ receiver: Session) { _ = receiver.interceptor }
    static func use460(_ receiver: Session) { _ = receiver.serverTrustManager }
    static func use461(_ receiver: Session) { _ = receiver.redirectHandler }
    static func use462(_ receiver: Session) { _ = receiver.cachedResponseHandler }
    static func use463(_ receiver: Session) { _ = receiver.eventMonitor }
    @available(*, deprecated, message: "as in Alamofire")
    static func use464(_ receiver: Session) { _ = receiver.defaultEventMonitors }
    static func use465(_ a0: URLSession, _ a1: SessionDelegate, _ a2: DispatchQueue, _ a3: Bool, _ a4: Session.RequestSetup, _ a5: DispatchQueue?, _ a6: DispatchQueue?, _ a7: (any RequestInterceptor)?, _ a8: ServerTrustManager?, _ a9: (any RedirectHandler)?, _ a10: (any CachedResponseHandler)?, _ a11: [any EventMonitor]) { _ = Session(session: a0, delegate: a1, rootQueue: a2, startRequestsImmediately: a3, requestSetup: a4, requestQueue: a5, serializationQueue: a6, interceptor: a7, serverTrustManager: a8, redirectHandler: a9, cachedResponseHandler: a10, eventMonitors: a11) }
    static func use466(_ a0: URLSessionConfiguration, _ a1: SessionDelegate, _ a2: DispatchQueue, _ a3: Bool, _ a4: Session.RequestSetup, _ a5: DispatchQueue?, _ a6: DispatchQueue?, _ a7: (any RequestInterceptor)?, _ a8: ServerTrustManager?, _ a9: (any RedirectHandler)?, _ a10: (any CachedResponseHandler)?, _ a11: [any EventMonitor]) { _ = Session(configuration: a0, delegate: a1, rootQueue: a2, startRequestsImmediately: a3, requestSetup: a4, requestQueue: a5, serializationQueue: a6, interceptor: a7, serverTrustManager: a8, redirectHandler: a9, cachedResponseHandler: a10, eventMonitors: a11) }
    static func use467(_ receiver: Session, _ a0: @escaping @Sendable (Set<Request>) -> Void) { receiver.withAllRequests(perform: a0) }
    static func use468(_ receiver: Session, _ a0: DispatchQueue, _ a1: (@Sendable () -> Void)?) { receiver.cancelAllRequests(completingOnQueue: a0, completion: a1); receiver.cancelAllRequests() }
    static func use469(_: Session.RequestModifier.Type) {}
    static func use470(_ receiver: Session, _ a0: any URLConvertible, _ a1: HTTPMethod, _ a2: Parameters?, _ a3: any ParameterEncoding, _ a4: HTTPHeaders?, _ a5: (any RequestInterceptor)?, _ a6: Bool?, _ a7: Session.RequestModifier?) { _ = receiver.request(a0, method: a1, parameters: a2, encoding: a3, headers: a4, interceptor: a5, shouldAutomaticallyResume: a6, requestModifier: a7); _ = receiver.request(a0) }
    static func use471<Parameters>(_ receiver: Session, _ a0: any URLConvertible, _ a1: HTTPMethod, _ a2: Parameters?, _ a3: any ParameterEncoder, _ a4: HTTPHeaders?, _ a5: (any RequestInterceptor)?, _ a6: Bool?, _ a7: Session.RequestModifier?) where Parameters : Encodable, Parameters : Sendable { _ = receiver.request(a0, method: a1, parameters: a2, encoder: a3, headers: a4, interceptor: a5, shouldAutomaticallyResume: a6, requestModifier: a7) }
    static func use472(_ receiver: Session, _ a0: any URLRequestConvertible, _ a1: (any RequestInterceptor)?, _ a2: Bool?) { _ = receiver.request(a0, interceptor: a1, shouldAutomaticallyResume: a2); _ = receiver.request(a0) }
    static func use473<Parameters>(_ receiver: Session, _ a0: any URLConvertible, _ a1: HTTPMethod, _ a2: Parameters?, _ a3: any ParameterEncoder, _ a4: HTTPHeaders?, _ a5: Bool, _ a6: (any RequestInterceptor)?, _ a7: Bool?, _ a8: Session.RequestModifier?) where Parameters : Encodable, Parameters : Sendable { _ = receiver.streamRequest(a0, method: a1, parameters: a2, encoder: a3, headers: a4, automaticallyCancelOnStreamError: a5, interceptor: a6, shouldAutomaticallyResume: a7, requestModifier: a8) }
    static func use474(_ receiver: Session, _ a0: any URLConvertible, _ a1: HTTPMethod, _ a2: HTTPHeaders?, _ a3: Bool, _ a4: (any RequestInterceptor)?, _ a5: Bool?, _ a6: Session.RequestModifier?) { _ = receiver.streamRequest(a0, method: a1, headers: a2, automaticallyCancelOnStreamError: a3, interceptor: a4, shouldAutomaticallyResume: a5, requestModifier: a6); _ = receiver.streamRequest(a0) }
    static func use475(_ receiver: Session, _ a0: any URLRequestConvertible, _ a1: Bool, _ a2: (any RequestInterceptor)?, _ a3: Bool?) { _ = receiver.streamRequest(a0, automaticallyCancelOnStreamError: a1, interceptor: a2, shouldAutomaticallyResume: a3); _ = receiver.streamRequest(a0) }
    static func use476<Parameters>(_ receiver: Session, _ a0: any URLConvertible, _ a1: WebSocketRequest.Configuration, _ a2: Parameters?, _ a3: any ParameterEncoder, _ a4: HTTPHeaders?, _ a5: (any RequestInterceptor)?, _ a6: Bool?, _ a7: Session.RequestModifier?) where Parameters : Encodable, Parameters : Sendable { _ = receiver.webSocketRequest(to: a0, configuration: a1, parameters: a2, encoder: a3, headers: a4, interceptor: a5, shouldAutomaticallyResume: a6, requestModifier: a7); _ = receiver.webSocketRequest(to: a0, parameters: a2) }
    static func use477(_ receiver: Session, _ a0: any URLRequestConvertible, _ a1: WebSocketRequest.Configuration, _ a2: (any RequestInterceptor)?, _ a3: Bool?) { _ = receiver.webSocketRequest(performing: a0, configuration: a1, interceptor: a2, shouldAutomaticallyResume: a3); _ = receiver.webSocketRequest(performing: a0) }
    static func use478(_ receiver: Session, _ a0: any URLConvertible, _ a1: HTTPMethod, _ a2: Parameters?, _ a3: any ParameterEncoding, _ a4: HTTPHeaders?, _ a5: (any RequestInterceptor)?, _ a6: Bool?, _ a7: Session.RequestModifier?, _ a8: DownloadRequest.Destination?) { _ = receiver.download(a0, method: a1, parameters: a2, encoding: a3, headers: a4, interceptor: a5, shouldAutomaticallyResume: a6, requestModifier: a7, to: a8); _ = receiver.download(a0) }
    static func use479<Parameters>(_ receiver: Session, _ a0: any URLConvertible, _ a1: HTTPMethod, _ a2: Parameters?, _ a3: any ParameterEncoder, _ a4: HTTPHeaders?, _ a5: (any RequestInterceptor)?, _ a6: Bool?, _ a7: Session.RequestModifier?, _ a8: DownloadRequest.Destination?) where Parameters : Encodable, Parameters : Sendable { _ = receiver.download(a0, method: a1, parameters: a2, encoder: a3, headers: a4, interceptor: a5, shouldAutomaticallyResume: a6, requestModifier: a7, to: a8) }
    static func use480(_ receiver: Session, _ a0: any URLRequestConvertible, _ a1: (any RequestInterceptor)?, _ a2: Bool?, _ a3: DownloadRequest.Destination?) { _ = receiver.download(a0, interceptor: a1, shouldAutomaticallyResume: a2, to: a3); _ = receiver.download(a0) }
    static func use481(_ receiver: Session, _ a0: Data, _ a1: (any RequestInterceptor)?, _ a2: Bool?, _ a3: DownloadRequest.Destination?) { _ = receiver.download(resumingWith: a0, interceptor: a1, shouldAutomaticallyResume: a2, to: a3); _ = receiver.download(resumingWith: a0) }
    static func use482(_ receiver: Session, _ a0: Data, _ a1: any URLConvertible, _ a2: HTTPMethod, _ a3: HTTPHeaders?, _ a4: (any RequestInterceptor)?, _ a5: Bool?, _ a6: FileManager, _ a7: Session.RequestModifier?) { _ = receiver.upload(a0, to: a1, method: a2, headers: a3, interceptor: a4, shouldAutomaticallyResume: a5, fileManager: a6, requestModifier: a7); _ = receiver.upload(a0, to: a1) }
    static func use483(_ receiver: Session, _ a0: Data, _ a1: any URLRequestConvertible, _ a2: (any RequestInterceptor)?, _ a3: Bool?, _ a4: FileManager) { _ = receiver.upload(a0, with: a1, interceptor: a2, shouldAutomaticallyResume: a3, fileManager: a4); _ = receiver.upload(a0, with: a1) }
    static func use484(_ receiver: Session, _ a0: URL, _ a1: any URLConvertible, _ a2: HTTPMethod, _ a3: HTTPHeaders?, _ a4: (any RequestInterceptor)?, _ a5: Bool?, _ a6: FileManager, _ a7: Session.RequestModifier?) { _ = receiver.upload(a0, to: a1, method: a2, headers: a3, interceptor: a4, shouldAutomaticallyResume: a5, fileManager: a6, requestModifier: a7); _ = receiver.upload(a0, to: a1) }
    static func use485(_ receiver: Session, _ a0: URL, _ a1: any URLRequestConvertible, _ a2: (any RequestInterceptor)?, _ a3: Bool?, _ a4: FileManager) { _ = receiver.upload(a0, with: a1, interceptor: a2, shouldAutomaticallyResume: a3, fileManager: a4); _ = receiver.upload(a0, with: a1) }
    static func use486(_ receiver: Session, _ a0: InputStream, _ a1: any URLConvertible, _ a2: HTTPMethod, _ a3: HTTPHeaders?, _ a4: (any RequestInterceptor)?, _ a5: FileManager, _ a6: Session.RequestModifier?) { _ = receiver.upload(a0, to: a1, method: a2, headers: a3, interceptor: a4, fileManager: a5, requestModifier: a6); _ = receiver.upload(a0, to: a1) }
    static func use487(_ receiver: Session, _ a0: InputStream, _ a1: any URLRequestConvertible, _ a2: (any RequestInterceptor)?, _ a3: Bool?, _ a4: FileManager) { _ = receiver.upload(a0, with: a1, interceptor: a2, shouldAutomaticallyResume: a3, fileManager: a4); _ = receiver.upload(a0, with: a1) }
    static func use488(_ receiver: Session, _ a0: @escaping (MultipartFormData) -> Void, _ a1: any URLConvertible, _ a2: UInt64, _ a3: HTTPMethod, _ a4: HTTPHeaders?, _ a5: (any RequestInterceptor)?, _ a6: FileManager, _ a7: Session.RequestModifier?) { _ = receiver.upload(multipartFormData: a0, to: a1, usingThreshold: a2, method: a3, headers: a4, interceptor: a5, fileManager: a6, requestModifier: a7); _ = receiver.upload(multipartFormData: a0, to: a1) }
    static func use489(_ receiver: Session, _ a0: @escaping (MultipartFormData) -> Void, _ a1: any URLRequestConvertible, _ a2: UInt64, _ a3: (any RequestInterceptor)?, _ a4: FileManager) { _ = receiver.upload(multipartFormData: a0, with: a1, usingThreshold: a2, interceptor: a3, fileManager: a4); _ = receiver.upload(multipartFormData: a0, with: a1) }
    static func use490(_ receiver: Session, _ a0: MultipartFormData, _ a1: any URLConvertible, _ a2: UInt64, _ a3: HTTPMethod, _ a4: HTTPHeaders?, _ a5: (any RequestInterceptor)?, _ a6: Bool?, _ a7: FileManager, _ a8: Session.RequestModifier?) { _ = receiver.upload(multipartFormData: a0, to: a1, usingThreshold: a2, method: a3, headers: a4, interceptor: a5, shouldAutomaticallyResume: a6, fileManager: a7, requestModifier: a8); _ = receiver.upload(multipartFormData: a0, to: a1) }
    static func use491(_ receiver: Session, _ a0: MultipartFormData, _ a1: any URLRequestConvertible, _ a2: UInt64, _ a3: (any RequestInterceptor)?, _ a4: Bool?, _ a5: FileManager) { _ = receiver.upload(multipartFormData: a0, with: a1, usingThreshold: a2, interceptor: a3, shouldAutomaticallyResume: a4, fileManager: a5); _ = receiver.upload(multipartFormData: a0, with: a1) }
    static func use492(_ receiver: Session) { _ = receiver.sessionConfiguration }
    static func use493(_ receiver: Session) { _ = receiver.startImmediately }
    static func use494(_ receiver: Session, _ a0: Request) { receiver.readyToPerform(request: a0) }
    static func use495(_ receiver: Session, _ a0: Request) { receiver.cleanup(after: a0) }
    static func use496(_ receiver: Session, _ a0: Request, _ a1: AFError, _ a2: @escaping @Sendable (RetryResult) -> Void) throws { receiver.retryResult(for: a0, dueTo: a1, completion: a2) }
}
