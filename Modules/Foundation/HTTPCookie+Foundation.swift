public import AirframeCookies
internal import Foundation
public import FoundationNetworking

extension AirframeCookies.HTTPCookie {
    /// The cookie as FoundationNetworking's type; `nil` if that type rejects it.
    public var foundation: FoundationNetworking.HTTPCookie? {
        var properties: [FoundationNetworking.HTTPCookiePropertyKey: Any] = [
            .name: name, .value: value, .domain: domain, .path: path,
        ]
        if isSecure { properties[.secure] = "TRUE" }
        if isHTTPOnly { properties[.init(rawValue: "HttpOnly")] = "TRUE" }
        if let expiresDate { properties[.expires] = expiresDate } else { properties[.discard] = "TRUE" }
        return FoundationNetworking.HTTPCookie(properties: properties)
    }
}

extension FoundationNetworking.HTTPCookie {
    /// The cookie as Airframe's type; `nil` if it cannot be sent (RFC 6265bis §4.1.1).
    public var airframe: AirframeCookies.HTTPCookie? {
        AirframeCookies.HTTPCookie(
            name: name,
            value: value,
            domain: domain,
            path: path,
            expires: isSessionOnly ? nil : expiresDate,
            isSecure: isSecure,
            isHTTPOnly: isHTTPOnly
        )
    }
}
