internal import AirframeTransport
internal import AirframeWire
internal import HTTPTypes

extension RequestPlan {
    /// The size of the head that libcurl writes on an HTTP/1.1 connection. libcurl reports it only after the request
    /// has been sent, and metrics need it with the event.
    var headByteCount: Int {
        let target = route.forwards(to: origin) ? url : self.target ?? request.head.path ?? "/"
        var count = method.rawValue.utf8.count + target.utf8.count + " ".utf8.count + " HTTP/1.1\r\n".utf8.count
        count += headers.byteCount + "\r\n".utf8.count
        if !request.head.headerFields.contains(where: { $0.name.canonicalName == "host" }) {
            count += "Host: \r\n".utf8.count + hostByteCount
        }
        guard !body.isNone else { return count }
        if let length = body.announcedLength {
            count += "Content-Length: \r\n".utf8.count + Self.digitCount(of: length)
        } else {
            count += "Transfer-Encoding: chunked\r\n".utf8.count
        }
        return count
    }

    /// The size of the host in the `Host` field, from which libcurl omits the default port and a zone (RFC 6874 §4).
    private var hostByteCount: Int {
        let isDefault = origin.port == (origin.isSecure ? 443 : 80)
        let isIPv6 = origin.host.contains(":")
        let name = isIPv6 ? origin.host.utf8.prefix { $0 != UInt8(ascii: "%") }.count + 2 : origin.host.utf8.count
        return isDefault ? name : name + 1 + Self.digitCount(of: Int64(origin.port))
    }

    private static func digitCount(of number: Int64) -> Int {
        var count = 1
        var rest = number
        while rest > 9 {
            rest /= 10
            count += 1
        }
        return count
    }
}
