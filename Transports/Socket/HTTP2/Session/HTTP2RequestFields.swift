internal import AirframeTransport
internal import CNGHTTP2
internal import Glibc
internal import HTTPTypes

/// The field section of a request, in one byte array (RFC 9113 §8.3.1).
struct HTTP2RequestFields: Equatable {
    private struct Entry: Equatable {
        let name: Range<Int>
        let value: Range<Int>
        let isSensitive: Bool
    }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    /// Whether a field must not be guessed or kept (RFC 7541 §7.1.3).
    private(set) var hasSecret = false

    /// The size as RFC 9113 §6.5.2 counts it.
    var size: Int { bytes.count + 32 * entries.count }

    /// Creates the section of trailers.
    init(trailers: HTTPFields) { _ = append(trailers) }

    /// Creates the section of a request head.
    ///
    /// - Parameter host: The value of the request's own `Host`, once it is known.
    /// - Throws: ``TransportError/Code/invalidRequest`` if a part is missing or malformed.
    init(_ description: borrowing HTTP2RequestHead, host: String? = nil) throws(HTTP2Failure) {
        let head = description.request
        bytes.reserveCapacity(256)
        entries.reserveCapacity(8 + head.headerFields.count)
        let protocolName = description.protocolName
        let method = head.method
        let isTunnel = method == .connect && protocolName == nil
        let content = description.content
        if content != .none, let fault = content.fault(of: HTTP1Method(method)) { throw Self.invalid(fault) }
        guard let place = host ?? head.authority?.withoutUser.withoutZone, !place.isEmpty else {
            throw Self.invalid("the request has no authority (host)")
        }
        try append(":method", method.rawValue)
        if let protocolName { try append(":protocol", protocolName) }
        if !isTunnel {
            let path = try Self.path(head.path, method)
            let scheme = head.scheme?.lowercased() ?? "https"
            try append(":scheme", scheme)
            // As over HTTP/1.1, so that one signature covers both.
            try append(":authority", host == nil ? place.withoutDefaultPort(of: scheme) : place)
            appendChecked(":path", path)
        } else {
            try append(":authority", place)
        }
        let notes = append(head.headerFields, of: content, isForProxy: isTunnel)
        _ = append(description.additionalFields, isForProxy: isTunnel)
        if let contentLength = description.contentLength { try append("content-length", String(contentLength)) }
        if let fault = notes.fault { throw Self.invalid(fault) }
        if notes.expectsContinue, let fault = content.faultOfExpectation { throw Self.invalid(fault) }
        guard notes.hosts.count <= 1 else { throw Self.invalid("the request has two Host fields") }
        // Overrides the authority, as over HTTP/1.1 (RFC 9113 §8.3.1), except for the target of a tunnel. Few requests
        // have one, so that it is not looked up before the other fields.
        if host == nil, !isTunnel, let own = notes.hosts.first, !own.isEmpty {
            self = try Self(description, host: own.withoutUser.withoutZone)
        }
    }

    // Messages name no value: a path or an authority may contain a secret.
    private static func invalid(_ message: String) -> HTTP2Failure { HTTP2Failure(.invalidRequest, message) }

    /// Returns the value of `:path`, which has the rules of the request target in HTTP/1.1 (RFC 9113 §8.3.1).
    private static func path(_ path: String?, _ method: HTTPRequest.Method) throws(HTTP2Failure) -> String {
        guard let path, !path.isEmpty else { return "/" }
        let bytes = path.utf8.span.bytes
        if bytes.mayHoldMoreThanTarget {
            for offset in 0..<bytes.byteCount {
                let byte = bytes.byte(offset)
                guard byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "#") else {
                    throw invalid(
                        "the request's path contains the byte \(byte.hexadecimal), which no request target can contain"
                    )
                }
            }
        }
        switch bytes.byte(0) {
        case UInt8(ascii: "/"): return path
        case UInt8(ascii: "?"): return "/\(path)"
        case UInt8(ascii: "*") where path == "*" && method == .options: return path
        default: throw invalid("the request's path does not start with a slash (RFC 9113 §8.3.1)")
        }
    }

    private mutating func append(_ name: StaticString, _ value: String) throws(HTTP2Failure) {
        // A gateway that translates to HTTP/1.1 could read another request from a control byte or space (RFC 9113
        // §10.3).
        var value = value
        let isClean = value.withUTF8 { bytes in
            // Without an early exit, so that the compiler vectorizes the loop.
            bytes.reduce(UInt8(0)) { $0 | ($1 <= 0x20 || $1 == 0x7F ? 1 : 0) } == 0
        }
        guard isClean else {
            throw Self.invalid("\(name) contains a space or control character (RFC 9113 §10.3)")
        }
        appendChecked(name, value)
    }

    /// Appends a field whose value contains no space and no control character.
    private mutating func appendChecked(_ name: StaticString, _ value: String) {
        let name = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        var value = value
        value.withUTF8 { append(name, $0, isSensitive: false) }
    }

    /// The properties of a request that its fields determine.
    private struct Notes {
        /// The values of `Host`.
        var hosts: [String] = []
        var expectsContinue = false
        /// The first rule that a field violates.
        var fault: String?
    }

    /// Appends all fields but `Host` and those that frame the content.
    ///
    /// - Parameters:
    ///   - content: The content, with which fields must agree; `nil` for fields that do not describe any.
    ///   - isForProxy: Whether the server is a proxy that opens a tunnel, as far as the request says.
    private mutating func append(
        _ fields: HTTPFields,
        of content: RequestContentLength? = nil,
        isForProxy: Bool = false
    ) -> Notes {
        var notes = Notes()
        for field in fields {
            var name = field.name.canonicalName
            name.withUTF8 { name in
                switch Self.treatment(of: name, field) {
                case .dropped: return
                case .host: notes.hosts.append(field.value)
                case .length: notes.fault = notes.fault ?? content?.fault(ofLength: field.value)
                case .coding: notes.fault = notes.fault ?? content?.fault(ofCoding: field.value)
                case .onlyProxies where !isForProxy: return
                case .onlyProxies: append(name, field, isSensitive: true)
                case .onlyTrailers where field.value.lowercased() != "trailers": return
                case .onlyTrailers: append(name, field, isSensitive: false)
                case .sensitive: append(name, field, isSensitive: true)
                case .expectation:
                    notes.expectsContinue = notes.expectsContinue || field.expectsContinue
                    append(name, field, isSensitive: Self.isSensitive(field))
                case .ordinary: append(name, field, isSensitive: Self.isSensitive(field))
                }
            }
        }
        return notes
    }

    private static func isSensitive(_ field: HTTPField) -> Bool {
        field.indexingStrategy == .disallow || field.indexingStrategy == .avoid
    }

    /// What is done with a field of a request.
    private enum Treatment {
        case ordinary
        /// RFC 7541 §7.1.3: an attacker must not be able to guess the value from the compressed size.
        case sensitive
        /// RFC 9113 §8.2.2, or the engine sets the field itself.
        case dropped
        /// RFC 9113 §8.3.1: `:authority` has its value.
        case host
        /// `Content-Length`, which the engine sets itself.
        case length
        /// `Transfer-Encoding`, which HTTP/2 does not have (RFC 9113 §8.2.2).
        case coding
        /// `Expect` (RFC 9110 §10.1.1).
        case expectation
        /// RFC 9113 §8.2.2: `te` may have no other value.
        case onlyTrailers
        /// A secret for the next proxy, not for the origin server (RFC 9110 §11.7.2).
        case onlyProxies
    }

    /// - Parameter name: The name of `field` in lower case.
    private static func treatment(of name: UnsafeBufferPointer<UInt8>, _ field: HTTPField) -> Treatment {
        func equals(_ text: StaticString) -> Bool {
            text.utf8CodeUnitCount == name.count && name.baseAddress.map { memcmp($0, text.utf8Start, name.count) } == 0
        }
        // By length first: twelve comparisons of strings took 420 instructions for each field.
        let known: Treatment? =
            switch name.count {
            case 2: equals("te") ? .onlyTrailers : nil
            case 4: equals("host") ? .host : nil
            case 6:
                equals("accept") ? .ordinary : equals("cookie") ? .sensitive : equals("expect") ? .expectation : nil
            case 7: equals("upgrade") ? .dropped : nil
            case 10:
                equals("user-agent") ? .ordinary : equals("connection") || equals("keep-alive") ? .dropped : nil
            case 12: equals("content-type") ? .ordinary : nil
            case 13: equals("authorization") ? .sensitive : nil
            case 14: equals("content-length") ? .length : equals("http2-settings") ? .dropped : nil
            case 15: equals("accept-encoding") || equals("accept-language") ? .ordinary : nil
            case 16: equals("proxy-connection") ? .dropped : nil
            case 17: equals("transfer-encoding") ? .coding : nil
            case 19: equals("proxy-authorization") ? .onlyProxies : nil
            default: nil
            }
        return known ?? (HTTP2SecretNames.contains(field.name) ? .sensitive : .ordinary)
    }

    /// Appends a field with the bytes of its value, which need not be UTF-8 (RFC 9110 §5.5).
    private mutating func append(_ name: UnsafeBufferPointer<UInt8>, _ field: HTTPField, isSensitive: Bool) {
        field.withUnsafeBytesOfValue { append(name, $0, isSensitive: isSensitive) }
    }

    private mutating func append(
        _ name: UnsafeBufferPointer<UInt8>,
        _ value: UnsafeBufferPointer<UInt8>,
        isSensitive: Bool
    ) {
        let start = bytes.count
        bytes.append(contentsOf: name)
        let middle = bytes.count
        bytes.append(contentsOf: value)
        if isSensitive { hasSecret = true }
        entries.append(Entry(name: start..<middle, value: middle..<bytes.count, isSensitive: isSensitive))
    }

    /// Calls `body` with the fields as libnghttp2's structures.
    func withFields<Result>(_ body: (UnsafePointer<nghttp2_nv>?, Int) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { bytes in
            withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: entries.count) { fields in
                for (index, entry) in entries.enumerated() {
                    let base = bytes.baseAddress
                    fields.initializeElement(
                        at: index,
                        to: airframe_h2_field(
                            base.map { $0 + entry.name.lowerBound }, entry.name.count,
                            base.map { $0 + entry.value.lowerBound }, entry.value.count,
                            entry.isSensitive ? 1 : 0
                        )
                    )
                }
                return body(fields.baseAddress.map { UnsafePointer($0) }, entries.count)
            }
        }
    }
}
