// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Features/AuthenticationInterceptor.swift; do not edit.

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

/// The symbols of Features/AuthenticationInterceptor.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesAuthenticationInterceptor {
    static func use587(_: (any AuthenticationCredential).Type) {}
    static func use588<Owner_: AuthenticationCredential>(_ receiver: Owner_) { _ = receiver.requiresRefresh }
    static func use589(_: (any Authenticator).Type) {}
    static func use591<Owner_: Authenticator>(_ receiver: Owner_, _ a0: Owner_.Credential, _ a1: inout URLRequest) { receiver.apply(a0, to: &a1) }
    static func use592<Owner_: Authenticator>(_ receiver: Owner_, _ a0: Owner_.Credential, _ a1: Session, _ a2: @escaping @Sendable (Result<Owner_.Credential, any Error>) -> Void) { receiver.refresh(a0, for: a1, completion: a2) }
    static func use593<Owner_: Authenticator>(_ receiver: Owner_, _ a0: URLRequest, _ a1: HTTPURLResponse, _ a2: any Error) { _ = receiver.didRequest(a0, with: a1, failDueToAuthenticationError: a2) }
    static func use594<Owner_: Authenticator>(_ receiver: Owner_, _ a0: URLRequest, _ a1: Owner_.Credential) { _ = receiver.isRequest(a0, authenticatedWith: a1) }
    static func use595(_: AuthenticationError.Type) {}
    static func use596(_ receiver: AuthenticationError) { if case .missingCredential = receiver {} }
    static func use597(_ receiver: AuthenticationError) { if case .excessiveRefresh = receiver {} }
    static func use598<AuthenticatorType>(_: AuthenticationInterceptor<AuthenticatorType>.Type) where AuthenticatorType: Authenticator {}
    static func use599<AuthenticatorType>(_: AuthenticationInterceptor<AuthenticatorType>.RefreshWindow.Type) where AuthenticatorType: Authenticator {}
    static func use600<AuthenticatorType>(_ receiver: AuthenticationInterceptor<AuthenticatorType>.RefreshWindow) where AuthenticatorType: Authenticator { _ = receiver.interval }
    static func use601<AuthenticatorType>(_ receiver: AuthenticationInterceptor<AuthenticatorType>.RefreshWindow) where AuthenticatorType: Authenticator { _ = receiver.maximumAttempts }
    static func use602<AuthenticatorType>(_ a0: TimeInterval, _ a1: Int, _: AuthenticationInterceptor<AuthenticatorType>.RefreshWindow.Type) where AuthenticatorType: Authenticator { _ = AuthenticationInterceptor<AuthenticatorType>.RefreshWindow(interval: a0, maximumAttempts: a1) }
    static func use603<AuthenticatorType>(_ receiver: AuthenticationInterceptor<AuthenticatorType>) where AuthenticatorType: Authenticator { _ = receiver.credential }
    static func use604<AuthenticatorType>(_ a0: AuthenticatorType, _ a1: AuthenticationInterceptor<AuthenticatorType>.Credential?, _ a2: AuthenticationInterceptor<AuthenticatorType>.RefreshWindow?, _: AuthenticationInterceptor<AuthenticatorType>.Type) where AuthenticatorType: Authenticator { _ = AuthenticationInterceptor<AuthenticatorType>(authenticator: a0, credential: a1, refreshWindow: a2) }
    static func use605<AuthenticatorType>(_ receiver: AuthenticationInterceptor<AuthenticatorType>, _ a0: URLRequest, _ a1: Session, _ a2: @escaping @Sendable (Result<URLRequest, any Error>) -> Void) where AuthenticatorType: Authenticator { receiver.adapt(a0, for: a1, completion: a2) }
    static func use606<AuthenticatorType>(_ receiver: AuthenticationInterceptor<AuthenticatorType>, _ a0: Request, _ a1: Session, _ a2: any Error, _ a3: @escaping @Sendable (RetryResult) -> Void) throws where AuthenticatorType: Authenticator { receiver.retry(a0, for: a1, dueTo: a2, completion: a3) }
}
