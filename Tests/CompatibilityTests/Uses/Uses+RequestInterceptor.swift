// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Features/RequestInterceptor.swift; do not edit.

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

/// The symbols of Features/RequestInterceptor.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesRequestInterceptor {
    static func use980(_: RequestAdapterState.Type) {}
    static func use981(_ receiver: RequestAdapterState) { _ = receiver.requestID }
    static func use982(_ receiver: RequestAdapterState) { _ = receiver.session }
    static func use983(_: (any RequestAdapter).Type) {}
    static func use984<Owner_: RequestAdapter>(_ receiver: Owner_, _ a0: URLRequest, _ a1: Session, _ a2: @escaping @Sendable (Result<URLRequest, any Error>) -> Void) { receiver.adapt(a0, for: a1, completion: a2) }
    static func use985<Owner_: RequestAdapter>(_ receiver: Owner_, _ a0: URLRequest, _ a1: RequestAdapterState, _ a2: @escaping @Sendable (Result<URLRequest, any Error>) -> Void) { receiver.adapt(a0, using: a1, completion: a2) }
    static func use987(_: RetryResult.Type) {}
    static func use988(_ receiver: RetryResult) throws { if case .retry = receiver {} }
    static func use989(_ receiver: RetryResult) throws { if case .retryWithDelay(_) = receiver {} }
    static func use990(_ receiver: RetryResult) throws { if case .doNotRetry = receiver {} }
    static func use991(_ receiver: RetryResult) throws { if case .doNotRetryWithError(_) = receiver {} }
    static func use992(_: (any RequestRetrier).Type) {}
    static func use993<Owner_: RequestRetrier>(_ receiver: Owner_, _ a0: Request, _ a1: Session, _ a2: any Error, _ a3: @escaping @Sendable (RetryResult) -> Void) throws { receiver.retry(a0, for: a1, dueTo: a2, completion: a3) }
    static func use994(_: (any RequestInterceptor).Type) {}
    static func use995<Owner_: RequestInterceptor>(_ receiver: Owner_, _ a0: URLRequest, _ a1: Session, _ a2: @escaping @Sendable (Result<URLRequest, any Error>) -> Void) { receiver.adapt(a0, for: a1, completion: a2) }
    static func use996<Owner_: RequestInterceptor>(_ receiver: Owner_, _ a0: Request, _ a1: Session, _ a2: any Error, _ a3: @escaping @Sendable (RetryResult) -> Void) throws { receiver.retry(a0, for: a1, dueTo: a2, completion: a3) }
    static func use997(_: AdaptHandler.Type) {}
    static func use998(_: RetryHandler.Type) {}
    static func use999(_: Adapter.Type) {}
    static func use1000(_ a0: @escaping AdaptHandler) { _ = Adapter(a0) }
    static func use1001(_ receiver: Adapter, _ a0: URLRequest, _ a1: Session, _ a2: @escaping @Sendable (Result<URLRequest, any Error>) -> Void) { receiver.adapt(a0, for: a1, completion: a2) }
    static func use1002(_ receiver: Adapter, _ a0: URLRequest, _ a1: RequestAdapterState, _ a2: @escaping @Sendable (Result<URLRequest, any Error>) -> Void) { receiver.adapt(a0, using: a1, completion: a2) }
    static func use1003(_ a0: @escaping AdaptHandler) { _ = Adapter.adapter(using: a0) }
    static func use1004(_: Retrier.Type) {}
    static func use1005(_ a0: @escaping RetryHandler) { _ = Retrier(a0) }
    static func use1006(_ receiver: Retrier, _ a0: Request, _ a1: Session, _ a2: any Error, _ a3: @escaping @Sendable (RetryResult) -> Void) throws { receiver.retry(a0, for: a1, dueTo: a2, completion: a3) }
    static func use1007(_ a0: @escaping RetryHandler) { _ = Retrier.retrier(using: a0) }
    static func use1008(_: Interceptor.Type) {}
    static func use1009(_ receiver: Interceptor) { _ = receiver.adapters }
    static func use1010(_ receiver: Interceptor) { _ = receiver.retriers }
    static func use1011(_ a0: @escaping AdaptHandler, _ a1: @escaping RetryHandler) throws { _ = Interceptor(adaptHandler: a0, retryHandler: a1) }
    static func use1012(_ a0: any RequestAdapter, _ a1: any RequestRetrier) { _ = Interceptor(adapter: a0, retrier: a1) }
    static func use1013(_ a0: [any RequestAdapter], _ a1: [any RequestRetrier], _ a2: [any RequestInterceptor]) { _ = Interceptor(adapters: a0, retriers: a1, interceptors: a2) }
    static func use1014(_ receiver: Interceptor, _ a0: URLRequest, _ a1: Session, _ a2: @escaping @Sendable (Result<URLRequest, any Error>) -> Void) { receiver.adapt(a0, for: a1, completion: a2) }
    static func use1015(_ receiver: Interceptor, _ a0: URLRequest, _ a1: RequestAdapterState, _ a2: @escaping @Sendable (Result<URLRequest, any Error>) -> Void) { receiver.adapt(a0, using: a1, completion: a2) }
    static func use1016(_ receiver: Interceptor, _ a0: Request, _ a1: Session, _ a2: any Error, _ a3: @escaping @Sendable (RetryResult) -> Void) throws { receiver.retry(a0, for: a1, dueTo: a2, completion: a3) }
    static func use1017(_ a0: @escaping AdaptHandler, _ a1: @escaping RetryHandler) { _ = Interceptor.interceptor(adapter: a0, retrier: a1) }
    static func use1018(_ a0: any RequestAdapter, _ a1: any RequestRetrier) { _ = Interceptor.interceptor(adapter: a0, retrier: a1) }
    static func use1019(_ a0: [any RequestAdapter], _ a1: [any RequestRetrier], _ a2: [any RequestInterceptor]) { _ = Interceptor.interceptor(adapters: a0, retriers: a1, interceptors: a2); _ = Interceptor.interceptor() }
}
