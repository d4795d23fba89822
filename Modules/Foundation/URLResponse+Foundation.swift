public import AirframeCore
internal import AirframeTransport
internal import Foundation
public import FoundationNetworking
internal import HTTPTypes

extension AirframeCore.HTTPURLResponse {
    /// FoundationNetworking's form of this response; `nil` for one without a URL.
    ///
    /// Fields that occur more than once are joined by a comma.
    public var foundation: FoundationNetworking.HTTPURLResponse? {
        guard let url else { return nil }
        let fields = Dictionary(headers.map { ($0.name, $0.value) }) { $1 }
        return FoundationNetworking.HTTPURLResponse(
            url: url, statusCode: statusCode, httpVersion: httpVersion?.rawValue, headerFields: fields)
    }
}

extension FoundationNetworking.HTTPURLResponse {
    /// Airframe's form of this response; `nil` for one without a URL, or with a status or a field that HTTP does not
    /// allow.
    ///
    /// FoundationNetworking does not tell the version of HTTP.
    public var airframe: AirframeCore.HTTPURLResponse? {
        guard let url else { return nil }
        let fields = allHeaderFields.map { (String(describing: $0.key), String(describing: $0.value)) }
        return AirframeCore.HTTPURLResponse(
            url: url, statusCode: statusCode, httpVersion: nil, headerFields: Dictionary(fields) { $1 })
    }
}

extension AirframeCore.CachedURLResponse {
    /// FoundationNetworking's form of this response; `nil` where its head is not one of HTTP, or has no URL.
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
    /// Airframe's form of this response, without its `userInfo`, whose values may not be Sendable; `nil` where its head
    /// is not one of HTTP.
    public var airframe: AirframeCore.CachedURLResponse? {
        guard let head = (response as? FoundationNetworking.HTTPURLResponse)?.airframe else { return nil }
        return AirframeCore.CachedURLResponse(
            response: head,
            data: data,
            storagePolicy: .init(rawValue: storagePolicy.rawValue) ?? .notAllowed
        )
    }
}
