public import AirframeCore
internal import AirframeTransport
internal import Foundation
public import FoundationNetworking
internal import HTTPTypes

extension AirframeCore.HTTPURLResponse {
    /// The response as FoundationNetworking's type; `nil` without a URL.
    ///
    /// Repeated fields are joined by commas.
    public var foundation: FoundationNetworking.HTTPURLResponse? {
        guard let url else { return nil }
        let fields = Dictionary(headers.map { ($0.name, $0.value) }) { $1 }
        return FoundationNetworking.HTTPURLResponse(
            url: url, statusCode: statusCode, httpVersion: httpVersion?.rawValue, headerFields: fields)
    }
}

extension FoundationNetworking.HTTPURLResponse {
    /// The response as Airframe's type; `nil` without a URL, or with a status or a field that HTTP does not allow.
    ///
    /// The HTTP version is lost, because FoundationNetworking does not expose it.
    public var airframe: AirframeCore.HTTPURLResponse? {
        guard let url else { return nil }
        let fields = allHeaderFields.map { (String(describing: $0.key), String(describing: $0.value)) }
        return AirframeCore.HTTPURLResponse(
            url: url, statusCode: statusCode, httpVersion: nil, headerFields: Dictionary(fields) { $1 })
    }
}

extension AirframeCore.CachedURLResponse {
    /// The response as FoundationNetworking's type; `nil` if its head is not an HTTP response or has no URL.
    public var foundation: FoundationNetworking.CachedURLResponse? {
        guard let head = (response as? AirframeCore.HTTPURLResponse)?.foundation else { return nil }
        return FoundationNetworking.CachedURLResponse(
            response: head,
            data: data,
            userInfo: userInfo,
            storagePolicy: .init(rawValue: storagePolicy.rawValue) ?? .notAllowed
        )
    }
}

extension FoundationNetworking.CachedURLResponse {
    /// The response as Airframe's type; `nil` if its head is not an HTTP response. `userInfo` is dropped, because its
    /// values may not be Sendable.
    public var airframe: AirframeCore.CachedURLResponse? {
        guard let head = (response as? FoundationNetworking.HTTPURLResponse)?.airframe else { return nil }
        return AirframeCore.CachedURLResponse(
            response: head,
            data: data,
            storagePolicy: .init(rawValue: storagePolicy.rawValue) ?? .notAllowed
        )
    }
}
