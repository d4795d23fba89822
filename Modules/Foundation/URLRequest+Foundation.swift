public import AirframeCore
internal import Foundation
public import FoundationNetworking

extension AirframeCore.URLRequest {
    /// FoundationNetworking's form of this request; `nil` for one without a URL.
    ///
    /// Fields that occur more than once are joined by a comma. Options and typed values are lost.
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
    /// Airframe's form of this request; `nil` for one without a URL.
    public var airframe: AirframeCore.URLRequest? {
        guard let url else { return nil }
        var request = AirframeCore.URLRequest(url: url)
        request.httpMethod = httpMethod
        for (name, value) in (allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
            request.setValue(value, forHTTPHeaderField: name)
        }
        if let httpBodyStream { request.httpBodyStream = httpBodyStream } else { request.httpBody = httpBody }
        request.cachePolicy = .init(cachePolicy)
        // 60 seconds are the default of both, and leave it to the session here.
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

/// A request of FoundationNetworking's can be sent as it is: `session.request(request)`.
extension FoundationNetworking.URLRequest: AirframeCore.URLRequestConvertible {
    /// Airframe's form of this request.
    ///
    /// - Throws: `AFError.createURLRequestFailed` for a request without a URL.
    public func asURLRequest() throws -> AirframeCore.URLRequest {
        guard let airframe else { throw AFError.createURLRequestFailed(error: URLError(.badURL)) }
        return airframe
    }
}
