public import AirframeCore
internal import AirframeTransport
internal import Foundation
public import FoundationNetworking

extension AirframeCore.URLSessionConfiguration {
    /// A new configuration of FoundationNetworking's type with the values of the shared properties.
    ///
    /// The contents of the storages of cookies, credentials and responses are not copied. A shared storage becomes that
    /// of FoundationNetworking, another one becomes an empty storage in memory, and `nil` stays `nil`.
    public var foundation: FoundationNetworking.URLSessionConfiguration {
        let configuration = FoundationNetworking.URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = httpAdditionalHeaders
        configuration.timeoutIntervalForRequest = timeoutIntervalForRequest
        configuration.timeoutIntervalForResource = timeoutIntervalForResource
        configuration.requestCachePolicy = requestCachePolicy.foundation
        configuration.networkServiceType = .init(rawValue: networkServiceType.rawValue) ?? .default
        configuration.allowsCellularAccess = allowsCellularAccess
        configuration.httpShouldSetCookies = httpShouldSetCookies
        configuration.connectionProxyDictionary = connectionProxyDictionary
        if httpMaximumConnectionsPerHost < .max {
            configuration.httpMaximumConnectionsPerHost = httpMaximumConnectionsPerHost
        }
        if let policy = cookieAcceptPolicyValue.flatMap(FoundationNetworking.HTTPCookie.AcceptPolicy.init(rawValue:)) {
            configuration.httpCookieAcceptPolicy = policy
        }
        setStorages(of: configuration)
        return configuration
    }

    private func setStorages(of configuration: FoundationNetworking.URLSessionConfiguration) {
        let ephemeral = FoundationNetworking.URLSessionConfiguration.ephemeral
        switch cookieStorageState {
        case .shared: break
        case .none: configuration.httpCookieStorage = nil
        case .own, .object: configuration.httpCookieStorage = ephemeral.httpCookieStorage
        }
        switch urlCacheState {
        case .shared: break
        case .none: configuration.urlCache = nil
        case .own, .object: configuration.urlCache = ephemeral.urlCache
        }
        if let storage = urlCredentialStorage {
            let isShared = storage === AirframeCore.URLCredentialStorage.shared
            if !isShared { configuration.urlCredentialStorage = ephemeral.urlCredentialStorage }
        } else {
            configuration.urlCredentialStorage = nil
        }
    }
}

extension FoundationNetworking.URLSessionConfiguration {
    /// A new configuration of Airframe's type with the values of the shared properties: see
    /// ``AirframeCore/URLSessionConfiguration/foundation``.
    public var airframe: AirframeCore.URLSessionConfiguration {
        let configuration = hasSharedStorage ? AirframeCore.URLSessionConfiguration.default : .ephemeral
        configuration.httpAdditionalHeaders = httpAdditionalHeaders
        configuration.timeoutIntervalForRequest = timeoutIntervalForRequest
        configuration.timeoutIntervalForResource = timeoutIntervalForResource
        configuration.requestCachePolicy = .init(requestCachePolicy)
        configuration.networkServiceType = .init(rawValue: networkServiceType.rawValue) ?? .default
        configuration.allowsCellularAccess = allowsCellularAccess
        configuration.httpShouldSetCookies = httpShouldSetCookies
        configuration.connectionProxyDictionary = connectionProxyDictionary
        configuration.httpMaximumConnectionsPerHost = httpMaximumConnectionsPerHost
        configuration.cookieAcceptPolicyValue = httpCookieAcceptPolicy.rawValue
        let sharesCookies = httpCookieStorage.map { $0 === FoundationNetworking.HTTPCookieStorage.shared }
        configuration.cookieStorageState = layerState(isShared: sharesCookies)
        let sharesCache = urlCache.map { $0 === FoundationNetworking.URLCache.shared }
        configuration.urlCacheState = layerState(isShared: sharesCache)
        configuration.urlCredentialStorage = urlCredentialStorage.map { storage in
            storage === FoundationNetworking.URLCredentialStorage.shared
                ? AirframeCore.URLCredentialStorage.shared : AirframeCore.URLCredentialStorage()
        }
        return configuration
    }

    /// - Parameter isShared: Whether a storage is the shared one; `nil` without a storage.
    private func layerState(isShared: Bool?) -> LayerState<any AnyObject & Sendable> {
        switch isShared {
        case true?: .shared
        case false?: .own
        case nil: .none
        }
    }

    private var hasSharedStorage: Bool {
        httpCookieStorage === FoundationNetworking.HTTPCookieStorage.shared
            || urlCache === FoundationNetworking.URLCache.shared
            || urlCredentialStorage === FoundationNetworking.URLCredentialStorage.shared
    }
}
