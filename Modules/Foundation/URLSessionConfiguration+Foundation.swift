public import AirframeCore
internal import AirframeTransport
internal import Foundation
public import FoundationNetworking

extension AirframeCore.URLSessionConfiguration {
    /// A new configuration of FoundationNetworking's type with the values of the shared properties.
    ///
    /// The storages of cookies, credentials and responses are not shared.
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
        return configuration
    }
}

extension FoundationNetworking.URLSessionConfiguration {
    /// A new configuration of Airframe's type with the values of the shared properties: see
    /// ``AirframeCore/URLSessionConfiguration/foundation``.
    public var airframe: AirframeCore.URLSessionConfiguration {
        let configuration = AirframeCore.URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = httpAdditionalHeaders
        configuration.timeoutIntervalForRequest = timeoutIntervalForRequest
        configuration.timeoutIntervalForResource = timeoutIntervalForResource
        configuration.requestCachePolicy = .init(requestCachePolicy)
        configuration.networkServiceType = .init(rawValue: networkServiceType.rawValue) ?? .default
        configuration.allowsCellularAccess = allowsCellularAccess
        configuration.httpShouldSetCookies = httpShouldSetCookies
        configuration.connectionProxyDictionary = connectionProxyDictionary
        configuration.httpMaximumConnectionsPerHost = httpMaximumConnectionsPerHost
        return configuration
    }
}
