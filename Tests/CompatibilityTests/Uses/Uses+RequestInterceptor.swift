// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Features/RequestInterceptor.swift; do not edit.

import Airframe
import AirframeCore
import AirframeEncoding
import AirframeReachability
import AirframeSecurity
import AirframeSerialization
import AirframeTransport
import Dispatch
import Foundation

/// The symbols of Features/RequestInterceptor.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesRequestInterceptor {
    static func use894(_: RequestAdapterState.Type) {}
    static func use895(_ receiver: RequestAdapterState) { _ = receiver.requestID }
    static func use896(_ receiver: RequestAdapterState) { _ = receiver.session }
    static func use897(_: (any RequestAdapter).Type) {}
    static func use898<Owner_: RequestAdapter>(_ receiver: Owner_, _ a0: URLRequest, _ a1: Session, _ a2: @escaping @Sendable (Result<URLRequest, any Error>) -> Void) { receiver.adapt(a0, for: a1, completion: a2) }
    static func use899<Owner_: RequestAdapter>(_ receiver: Owner_, _ a0: URLRequest, _ a1: RequestAdapterState, _ a2: @escaping @Sendable (Result<URLRequest, any Error>) -> Void) { receiver.adapt(a0, using: a1, completion: a2) }
    static func use901(_: RetryResult.Type) {}
    static func use902(_ receiver: RetryResult) throws { if case .retry = receiver {} }
    static func use903(_ receiver: RetryResult) throws { if case .retryWithDelay(_) = receiver {} }
    static func use904(_ receiver: RetryResult) throws { if case .doNotRetry = receiver {} }
    static func use905(_ receiver: RetryResult) throws { if case .doNotRetryWithError(_) = receiver {} }
    static func use906(_: (any RequestRetrier).Type) {}
    static func use907<Owner_: RequestRetrier>(_ receiver: Owner_, _ a0: Request, _ a1: Session, _ a2: any Error, _ a3: @escaping @Sendable (RetryResult) -> Void) throws { receiver.retry(a0, for: a1, dueTo: a2, completion: a3) }
    static func use908(_: (any RequestInterceptor).Type) {}
    static func use909<Owner_: RequestInterceptor>(_ receiver: Owner_, _ a0: URLRequest, _ a1: Session, _ a2: @escaping @Sendable (Result<URLRequest, any Error>) -> Void) { receiver.adapt(a0, for: a1, completion: a2) }
    static func use910<Owner_: RequestInterceptor>(_ receiver: Owner_, _ a0: Request, _ a1: Session, _ a2: any Error, _ a3: @escaping @Sendable (RetryResult) -> Void) throws { receiver.retry(a0, for: a1, dueTo: a2, completion: a3) }
    static func use911(_: AdaptHandler.Type) {}
    static func use912(_: RetryHandler.Type) {}
    static func use913(_: Adapter.Type) {}
    static func use914(_ a0: @escaping AdaptHandler) { _ = Adapter(a0) }
    static func use915(_ receiver: Adapter, _ a0: URLRequest, _ a1: Session, _ a2: @escaping @Sendable (Result<URLRequest, any Error>) -> Void) { receiver.adapt(a0, for: a1, completion: a2) }
    static func use916(_ receiver: Adapter, _ a0: URLRequest, _ a1: RequestAdapterState, _ a2: @escaping @Sendable (Result<URLRequest, any Error>) -> Void) { receiver.adapt(a0, using: a1, completion: a2) }
    static func use917(_ a0: @escaping AdaptHandler) { _ = Adapter.adapter(using: a0) }
    static func use918(_: Retrier.Type) {}
    static func use919(_ a0: @escaping RetryHandler) { _ = Retrier(a0) }
    static func use920(_ receiver: Retrier, _ a0: Request, _ a1: Session, _ a2: any Error, _ a3: @escaping @Sendable (RetryResult) -> Void) throws { receiver.retry(a0, for: a1, dueTo: a2, completion: a3) }
    static func use921(_ a0: @escaping RetryHandler) { _ = Retrier.retrier(using: a0) }
    static func use922(_: Interceptor.Type) {}
    static func use923(_ receiver: Interceptor) { _ = receiver.adapters }
    static func use924(_ receiver: Interceptor) { _ = receiver.retriers }
    static func use925(_ a0: @escaping AdaptHandler, _ a1: @escaping RetryHandler) throws { _ = Interceptor(adaptHandler: a0, retryHandler: a1) }
    static func use926(_ a0: any RequestAdapter, _ a1: any RequestRetrier) { _ = Interceptor(adapter: a0, retrier: a1) }
    static func use927(_ a0: [any RequestAdapter], _ a1: [any RequestRetrier], _ a2: [any RequestInterceptor]) { _ = Interceptor(adapters: a0, retriers: a1, interceptors: a2) }
    static func use928(_ receiver: Interceptor, _ a0: URLRequest, _ a1: Session, _ a2: @escaping @Sendable (Result<URLRequest, any Error>) -> Void) { receiver.adapt(a0, for: a1, completion: a2) }
    static func use929(_ receiver: Interceptor, _ a0: URLRequest, _ a1: RequestAdapterState, _ a2: @escaping @Sendable (Result<URLRequest, any Error>) -> Void) { receiver.adapt(a0, using: a1, completion: a2) }
    static func use930(_ receiver: Interceptor, _ a0: Request, _ a1: Session, _ a2: any Error, _ a3: @escaping @Sendable (RetryResult) -> Void) throws { receiver.retry(a0, for: a1, dueTo: a2, completion: a3) }
    static func use931(_ a0: @escaping AdaptHandler, _ a1: @escaping RetryHandler) { _ = Interceptor.interceptor(adapter: a0, retrier: a1) }
    static func use932(_ a0: any RequestAdapter, _ a1: any RequestRetrier) { _ = Interceptor.interceptor(adapter: a0, retrier: a1) }
    static func use933(_ a0: [any RequestAdapter], _ a1: [any RequestRetrier], _ a2: [any RequestInterceptor]) { _ = Interceptor.interceptor(adapters: a0, retriers: a1, interceptors: a2); _ = Interceptor.interceptor() }
}
