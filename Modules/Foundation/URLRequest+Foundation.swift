public import AirframeCore
internal import Foundation
public import FoundationNetworking

extension AirframeCore.URLRequest {
    /// The request as FoundationNetworking's type; `nil` without a URL.
    ///
    /// Repeated fields are joined by commas. Options and typed values are dropped.
    public var foundation: FoundationNetworking.URLRequest? {
        guard let url else { return nil }
        var request = FoundationNetworking.URLRequest(url: url)
        request.httpMethod = httpMethod
        for header in headers { request.setValue(header.value, forHTTPHeaderField: header.name) }
        if let httpBodyStream { request.httpBodyStream = httpBodyStream } else { request.httpBody = httpBody }
        request.cachePolicy = cachePolicy.foundation
        request.timeoutInterval = timeoutInterval
        request.networkServiceType = .init(rawValue: networkServiceType.rawValue) ?? .default
        request.httpShouldHandleCookies = httpShouldHandleCookies
        request.allowsCellularAccess = allowsCellularAccess
        request.mainDocumentURL = mainDocumentURL
        return request
    }
}

extension FoundationNetworking.URLRequest {
    /// The request as Airframe's type; `nil` without a URL.
    public var airframe: AirframeCore.URLRequest? {
        guard let url else { return nil }
        var request = AirframeCore.URLRequest(url: url)
        request.httpMethod = httpMethod
        for (name, value) in (allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
            request.setValue(value, forHTTPHeaderField: name)
        }
        if let httpBodyStream { request.httpBodyStream = httpBodyStream } else { request.httpBody = httpBody }
        request.cachePolicy = .init(cachePolicy)
        // Both have a default of 60 s, which here means the session's timeout.
        if timeoutInterval != AirframeCore.URLRequest.defaultTimeoutInterval {
            request.timeoutInterval = timeoutInterval
        }
        request.networkServiceType = .init(rawValue: networkServiceType.rawValue) ?? .default
        request.httpShouldHandleCookies = httpShouldHandleCookies
        request.allowsCellularAccess = allowsCellularAccess
        request.mainDocumentURL = mainDocumentURL
        return request
    }
}

/// FoundationNetworking's requests can be sent unconverted: `session.request(request)`.
extension FoundationNetworking.URLRequest: AirframeCore.URLRequestConvertible {
    /// Returns the request as Airframe's type.
    ///
    /// - Throws: `AFError.createURLRequestFailed` for a request without a URL.
    public func asURLRequest() throws -> AirframeCore.URLRequest {
        guard let airframe else { throw AFError.createURLRequestFailed(error: URLError(.badURL)) }
        return airframe
    }
}
