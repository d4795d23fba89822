internal import AirframeTransport
internal import HTTPTypes

/// The request target and the value of `Host` (RFC 9112 §3.2).
struct HTTP1RequestTarget {
    /// The part before ``target`` in the absolute form, kept apart so that the two need not be concatenated.
    let prefix: String
    let target: String
    /// The value of `Host`.
    let host: String

    /// The number of bytes that target and host take.
    var bound: Int { prefix.utf8.count + target.utf8.count + host.utf8.count }

    // A function rather than an initializer, which would receive a copy of the head.
    static func make(_ head: RequestHead, _ method: HTTP1Method) throws(HTTP1Violation) -> HTTP1RequestTarget {
        if let known = head.knownHost, head.form == .origin, method != .connect {
            return HTTP1RequestTarget(prefix: "", target: try path(head.request.path, method), host: known)
        }
        let request = head.request
        guard let authority = request.authority, !authority.isEmpty else {
            throw .invalidRequest("the request has no authority (host)")
        }
        let place = try Self.place(authority)
        if method == .connect {
            try Self.checkTunnelTarget(place)
            return HTTP1RequestTarget(prefix: "", target: place, host: place)
        }
        let scheme = request.scheme ?? ""
        let host = place.withoutDefaultPort(of: scheme)
        let path = try Self.path(request.path, method)
        switch head.form {
        case .origin:
            return HTTP1RequestTarget(prefix: "", target: path, host: host)
        case .absolute:
            guard scheme == "http" || scheme == "https" else {
                throw .invalidRequest("a proxy does not forward the scheme \(scheme.debugDescription)")
            }
            // RFC 9112 §3.2.4: the last proxy turns this back into the asterisk form.
            return HTTP1RequestTarget(
                prefix: "\(scheme)://\(host)",
                target: path == "*" ? "" : path,
                host: host
            )
        }
    }

    /// Returns the authority without user information (RFC 9110 §4.2.4) and without a zone, which must not be sent.
    private static func place(_ authority: String) throws(HTTP1Violation) -> String {
        let bytes = authority.utf8.span
        var start = 0
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "@"):
                start = index + 1
            case 0...0x20, 0x7F...0xFF, UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\\"):
                let byte = bytes[index].hexadecimal
                throw .invalidRequest("the request's authority contains the byte \(byte), which no host can contain")
            default: break
            }
        }
        guard start < bytes.count else { throw .invalidRequest("the request's authority has no host") }
        return (start == 0 ? authority : String(authority.utf8.dropFirst(start)) ?? "").withoutZone
    }

    /// Returns the value of `Host` for `authority`; `nil` if it has none.
    static func host(of authority: String, scheme: String) -> String? {
        guard !authority.isEmpty, let place = try? place(authority) else { return nil }
        return place.withoutDefaultPort(of: scheme)
    }

    private static func checkTunnelTarget(_ place: String) throws(HTTP1Violation) {
        let bytes = place.utf8
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")), colon > place.startIndex,
            case let port = bytes[bytes.index(after: colon)...],
            !port.isEmpty, port.allSatisfy(\.isDigit)
        else {
            let shown = Redaction.invalidURL(place).debugDescription
            throw .invalidRequest("CONNECT needs a host and a port (RFC 9110 §9.3.6): \(shown)")
        }
    }

    private static func path(_ path: String?, _ method: HTTP1Method) throws(HTTP1Violation) -> String {
        guard let path, !path.isEmpty else { return "/" }
        let bytes = path.utf8.span.bytes
        if bytes.mayHoldMoreThanTarget {
            for offset in 0..<bytes.byteCount {
                let byte = bytes.byte(offset)
                guard byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "#") else {
                    throw .invalidRequest(
                        "the request's path contains the byte \(byte.hexadecimal), which no request target can contain"
                    )
                }
            }
        }
        switch bytes.byte(0) {
        case UInt8(ascii: "/"): return path
        case UInt8(ascii: "?"): return "/\(path)"
        case UInt8(ascii: "*") where path == "*" && method == .options: return path
        default:
            let shown = Redaction.invalidURL(path).debugDescription
            throw .invalidRequest("the request's path does not start with a slash: \(shown)")
        }
    }
}
