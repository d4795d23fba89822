// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Core/Request.swift; do not edit.

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

/// The symbols of Core/Request.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesRequest {
    static func use338(_: Request.Type) {}
    static func use339(_: Request.State.Type) {}
    static func use340(_ receiver: Request.State) { if case .initialized = receiver {} }
    static func use341(_ receiver: Request.State) { if case .resumed = receiver {} }
    static func use342(_ receiver: Request.State) { if case .suspended = receiver {} }
    static func use343(_ receiver: Request.State) { if case .cancelled = receiver {} }
    static func use344(_ receiver: Request.State) { if case .finished = receiver {} }
    static func use345(_ receiver: Request) { _ = receiver.id }
    static func use346(_ receiver: Request) { _ = receiver.underlyingQueue }
    static func use347(_ receiver: Request) { _ = receiver.serializationQueue }
    static func use348(_ receiver: Request) { _ = receiver.eventMonitor }
    static func use349(_ receiver: Request) { _ = receiver.interceptor }
    static func use350(_ receiver: Request) { _ = receiver.shouldAutomaticallyResume }
    static func use351(_ receiver: Request) { _ = receiver.delegate }
    static func use352(_ receiver: Request) { _ = receiver.state }
    static func use353(_ receiver: Request) { _ = receiver.isInitialized }
    static func use354(_ receiver: Request) { _ = receiver.isResumed }
    static func use355(_ receiver: Request) { _ = receiver.isSuspended }
    static func use356(_ receiver: Request) { _ = receiver.isCancelled }
    static func use357(_ receiver: Request) { _ = receiver.isFinished }
    static func use358(_: Request.ProgressHandler.Type) {}
    static func use359(_ receiver: Request) { _ = receiver.uploadProgress }
    static func use360(_ receiver: Request) { _ = receiver.downloadProgress }
    static func use361(_ receiver: Request) { _ = receiver.uploadProgressHandler }
    static func use362(_ receiver: Request) { _ = receiver.downloadProgressHandler }
    static func use363(_ receiver: Request) { _ = receiver.redirectHandler }
    static func use364(_ receiver: Request) { _ = receiver.cachedResponseHandler }
    static func use365(_ receiver: Request) { _ = receiver.credential }
    static func use366(_ receiver: Request) { _ = receiver.requests }
    static func use367(_ receiver: Request) { _ = receiver.firstRequest }
    static func use368(_ receiver: Request) { _ = receiver.lastRequest }
    static func use369(_ receiver: Request) { _ = receiver.request }
    static func use370(_ receiver: Request) { _ = receiver.performedRequests }
    static func use371(_ receiver: Request) { _ = receiver.response }
    static func use372(_ receiver: Request) { _ = receiver.tasks }
    static func use373(_ receiver: Request) { _ = receiver.firstTask }
    static func use374(_ receiver: Request) { _ = receiver.lastTask }
    static func use375(_ receiver: Request) { _ = receiver.task }
    static func use376(_ receiver: Request) { _ = receiver.allMetrics }
    static func use377(_ receiver: Request) { _ = receiver.firstMetrics }
    static func use378(_ receiver: Request) { _ = receiver.lastMetrics }
    static func use379(_ receiver: Request) { _ = receiver.metrics }
    static func use380(_ receiver: Request) throws { _ = receiver.retryCount }
    static func use381(_ receiver: Request) { _ = receiver.error }
    static func use382(_ receiver: Request) { _ = receiver.cancel() }
    static func use383(_ receiver: Request) { _ = receiver.suspend() }
    static func use384(_ receiver: Request) { _ = receiver.resume() }
    static func use385(_ receiver: Request, _ a0: String, _ a1: String, _ a2: URLCredential.Persistence) { _ = receiver.authenticate(username: a0, password: a1, persistence: a2); _ = receiver.authenticate(username: a0, password: a1) }
    static func use386(_ receiver: Request, _ a0: URLCredential) { _ = receiver.authenticate(with: a0) }
    static func use387(_ receiver: Request, _ a0: DispatchQueue, _ a1: @escaping Request.ProgressHandler) { _ = receiver.downloadProgress(queue: a0, closure: a1); _ = receiver.downloadProgress(closure: a1) }
    static func use388(_ receiver: Request, _ a0: DispatchQueue, _ a1: @escaping Request.ProgressHandler) { _ = receiver.uploadProgress(queue: a0, closure: a1); _ = receiver.uploadProgress(closure: a1) }
    static func use389(_ receiver: Request, _ a0: any RedirectHandler) { _ = receiver.redirect(using: a0) }
    static func use390(_ receiver: Request, _ a0: any CachedResponseHandler) { _ = receiver.cacheResponse(using: a0) }
    static func use391(_ receiver: Request, _ a0: DispatchQueue, _ a1: @escaping @Sendable (String) -> Void) { _ = receiver.cURLDescription(on: a0, calling: a1) }
    static func use392(_ receiver: Request, _ a0: @escaping @Sendable (String) -> Void) { _ = receiver.cURLDescription(calling: a0) }
    static func use393(_ receiver: Request, _ a0: DispatchQueue, _ a1: @escaping @Sendable (URLRequest) -> Void) { _ = receiver.onURLRequestCreation(on: a0, perform: a1); _ = receiver.onURLRequestCreation(perform: a1) }
    static func use394(_ receiver: Request, _ a0: DispatchQueue, _ a1: @escaping @Sendable (URLSessionTask) -> Void) { _ = receiver.onURLSessionTaskCreation(on: a0, perform: a1); _ = receiver.onURLSessionTaskCreation(perform: a1) }
    static func use395(_ receiver: Request, _ a0: any RequestInterceptor) { _ = receiver.interceptor(a0) }
    static func use396(_ receiver: Request, _ a0: any RequestAdapter) { _ = receiver.adapt(using: a0) }
    static func use397(_ receiver: Request, _ a0: any RequestRetrier) throws { _ = receiver.retry(using: a0) }
    static func use398(_ receiver: Request, _ a0: any EventMonitor) { _ = receiver.eventMonitor(a0) }
    static func use399(_: Request.ResponseDisposition.Type) {}
    static func use400(_ receiver: Request.ResponseDisposition) { if case .allow = receiver {} }
    static func use401(_ receiver: Request.ResponseDisposition) { if case .cancel = receiver {} }
    static func use402(_ receiver: Request) { _ = receiver == receiver }
    static func use403(_ receiver: Request, _ a0: inout Hasher) { receiver.hash(into: &a0) }
    static func use404(_ receiver: Request) { _ = receiver.description }
    static func use405(_ receiver: Request) { _ = receiver.cURLDescription() }
    static func use406(_: (any RequestDelegate).Type) {}
    static func use407<Owner_: RequestDelegate>(_ receiver: Owner_) { _ = receiver.sessionConfiguration }
    static func use408<Owner_: RequestDelegate>(_ receiver: Owner_) { _ = receiver.startImmediately }
    static func use409<Owner_: RequestDelegate>(_ receiver: Owner_, _ a0: Request) { receiver.readyToPerform(request: a0) }
    static func use410<Owner_: RequestDelegate>(_ receiver: Owner_, _ a0: Request) { receiver.cleanup(after: a0) }
    static func use411<Owner_: RequestDelegate>(_ receiver: Owner_, _ a0: Request, _ a1: AFError, _ a2: @escaping @Sendable (RetryResult) -> Void) throws { receiver.retryResult(for: a0, dueTo: a1, completion: a2) }
}
