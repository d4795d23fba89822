internal import AirframeTransport
internal import HTTPTypes

/// The header lines of a request in libcurl's form: the caller's in their order, and lines that keep libcurl from
/// adding its own.
struct RequestFields {
    let list: HeaderList

    /// - Throws: ``TransportError/Code/invalidRequest`` for framing fields that contradict the content.
    init(
        _ request: borrowing TransportRequest,
        body: RequestContent,
        origin: Origin,
        isForwarded: Bool
    ) throws(TransportError) {
        if request.head.headerFields.isEmpty, body.isNone, !isForwarded, request.options.priority == nil,
            !Self.expectsContent(request.head.method)
        {
            list = .ofNoFields
            return
        }
        list = HeaderList()
        var hasContentType = false
        var hasPriority = false
        var hasExpect = false
        var hasAccept = false
        var hasHost = false
        for field in request.head.headerFields {
            switch field.name {
            case .contentLength:
                try Self.checkLength(field.value, body: body, origin: origin)
                continue
            case .transferEncoding:
                try Self.checkCoding(field.value, body: body, origin: origin)
                continue
            case .proxyAuthorization where !isForwarded:
                // For the next proxy and not for the server behind it (RFC 9110 §11.7.2).
                continue
            case .contentType: hasContentType = true
            case .expect:
                try Self.checkExpectation(field.value, body: body, origin: origin)
                hasExpect = true
            case .accept: hasAccept = true
            default:
                hasPriority = hasPriority || field.name.canonicalName == "priority"
                guard field.name.canonicalName == "host" else { break }
                // libcurl would send the first one only.
                guard !hasHost else { throw RequestPlan.invalid("the request has two Host fields", origin) }
                hasHost = true
            }
            try append(field, origin: origin)
        }
        if let priority = request.options.priority, !hasPriority { list.append("priority: \(priority.fieldValue)") }
        try appendExpectation(request, body: body, isSet: hasExpect)
        // A name with nothing after its colon removes a line that libcurl would add.
        if !hasAccept { list.append("Accept:") }
        if isForwarded { list.append("Proxy-Connection:") }
        switch body {
        case .none where Self.expectsContent(request.head.method):
            // Methods that expect content announce that there is none (RFC 9110 §8.6).
            list.append("Content-Length: 0")
        case .memory where !hasContentType: list.append("Content-Type:")
        default: break
        }
    }

    private static func expectsContent(_ method: HTTPRequest.Method) -> Bool {
        method == .post || method == .put || method == .patch
    }

    private func append(_ field: HTTPField, origin: Origin) throws(TransportError) {
        var name = field.name.rawName
        guard name.withUTF8({ $0.canBeFieldName }) else {
            throw RequestPlan.invalid("the field name \(name.debugDescription) is not a token", origin)
        }
        let isClean = field.withUnsafeBytesOfValue { value in
            guard !value.holdsLineBreakOrNUL else { return false }
            list.append(name: name, value: value)
            return true
        }
        guard isClean else { throw RequestPlan.invalid("the field \(name) contains a line break or NUL", origin) }
    }

    private func appendExpectation(
        _ request: borrowing TransportRequest,
        body: RequestContent,
        isSet: Bool
    ) throws(TransportError) {
        guard !body.isNone, !isSet else { return }
        // A request without content must not expect 100 Continue (RFC 9110 §10.1.1).
        if case .always = request.options.expectContinue, !body.isEmpty {
            list.append("Expect: 100-continue")
        } else {
            list.append("Expect:")
        }
    }

    // The engine frames the content. A field of the caller's must not contradict it.
    private static func checkLength(
        _ value: String,
        body: RequestContent,
        origin: Origin
    ) throws(TransportError) {
        let length = body.isNone ? 0 : body.announcedLength
        guard let length, Int64(value) == length else {
            let actual = length.map { "\($0) bytes" } ?? "of unknown length"
            throw RequestPlan.invalid("the field Content-Length says \(value), the content is \(actual)", origin)
        }
    }

    private static func checkExpectation(
        _ value: String,
        body: RequestContent,
        origin: Origin
    ) throws(TransportError) {
        guard body.isNone || body.announcedLength == 0 else { return }
        let members = value.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
        guard !members.contains("100-continue") else {
            throw RequestPlan.invalid("Expect: 100-continue without content (RFC 9110 §10.1.1)", origin)
        }
    }

    private static func checkCoding(
        _ value: String,
        body: RequestContent,
        origin: Origin
    ) throws(TransportError) {
        guard !body.isNone, body.announcedLength == nil, value.lowercased() == "chunked" else {
            throw RequestPlan.invalid("the engine sets the field Transfer-Encoding, not the request (\(value))", origin)
        }
    }
}
