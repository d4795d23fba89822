internal import AirframeTransport
internal import HTTPTypes

/// Whether a response may be stored, with the reason for a refusal (RFC 9111 §3).
enum Storability: Sendable, Hashable {
    /// The response may be stored.
    case storable
    /// The response may be stored, but is stale when it arrives and cannot be validated, for this reason. Only requests
    /// that accept stored responses regardless of their age can use it.
    case stale(String)
    /// The response may not be stored, for this reason.
    case refused(String)

    /// Decides whether a response may be stored.
    ///
    /// - Parameters:
    ///   - head: The response.
    ///   - request: The request that it answers.
    ///   - contentLength: The length of its content, if it is known.
    ///   - policy: The cache's rules.
    init(
        _ head: HTTPResponse,
        answering request: HTTPRequest,
        contentLength: Int64? = nil,
        policy: CachePolicy
    ) {
        let control = CacheControl(head.headerFields[values: .cacheControl])
        if let reason = Self.refusal(head, control, request, policy) {
            self = .refused(reason)
        } else if let reason = Self.partialRefusal(head, request, contentLength) {
            self = .refused(reason)
        } else if let reason = Self.uselessness(head, control, policy) {
            self = head.status.isStoredStale ? .stale(reason) : .refused(reason)
        } else {
            self = .storable
        }
    }

    private static func refusal(
        _ head: HTTPResponse,
        _ control: CacheControl,
        _ request: HTTPRequest,
        _ policy: CachePolicy
    ) -> String? {
        let requestControl = CacheControl(request.headerFields[values: .cacheControl])
        if request.method != .get, !isStorablePost(head, request, control) {
            return "only responses to GET are stored"
        }
        if head.status.kind == .informational { return "the response is not final" }
        if control.mustUnderstand, !head.status.isUnderstood { return "the status is not understood" }
        // A stored challenge would answer the same request with credentials.
        if head.status.code == 401 || head.status.code == 407 { return "the response is a challenge" }
        if head.status.code == 304 { return "a 304 has no content to store" }
        // They depend on a condition or a range, which later requests may not have (RFC 9110 §15.5.13, §15.5.17).
        if head.status.code == 412 || head.status.code == 416 {
            return "a \(head.status.code) answers only a request with the same conditions and range"
        }
        if requestControl.noStore { return "the request says no-store" }
        // Each request has a new nonce count and response value, so that the variant would never match (RFC 7616 §3.4).
        if policy.separatesCredentials, !control.isPublic,
            request.headerFields[.authorization]?.prefix(7).lowercased() == "digest "
        {
            return "no later request has the same Digest credentials, and the response is not public"
        }
        return prohibition(head, control, request, policy)
    }

    /// The reason that the fields of a response forbid a cache to store it, or to keep it after they were updated.
    static func prohibition(
        _ head: HTTPResponse,
        _ control: CacheControl,
        _ request: HTTPRequest,
        _ policy: CachePolicy
    ) -> String? {
        // A cache that understands the status ignores no-store together with must-understand (§5.2.2.3).
        if control.noStore, !control.mustUnderstand { return "the response says no-store" }
        if policy.kind == .shared, let reason = sharedRefusal(control, request) { return reason }
        if head.headerFields[values: .vary].contains(where: { FieldList.members(of: $0).contains("*") }) {
            return "Vary: * matches no later request"
        }
        return nil
    }

    private static func partialRefusal(
        _ head: HTTPResponse,
        _ request: HTTPRequest,
        _ contentLength: Int64?
    ) -> String? {
        guard head.status.code == 206 else { return nil }
        // A 206 answers a range request only (RFC 9110 §15.3.7).
        guard request.headerFields.contains(.range) else { return "the request did not ask for a part" }
        guard let range = head.partRange else { return "the part has no valid Content-Range" }
        if let contentLength, !range.describes(contentLength, in: head) {
            return "the part's content has \(contentLength) bytes, and its Content-Range \(range.length)"
        }
        return nil
    }

    /// The reason for a shared cache not to store a response (§3, §3.5).
    private static func sharedRefusal(_ control: CacheControl, _ request: HTTPRequest) -> String? {
        if control.isPrivate == .response { return "the response is private" }
        if request.headerFields.contains(.authorization),
            !control.isPublic, !control.mustRevalidate, control.sharedMaxAge == nil
        {
            return "the request had credentials, and the response does not allow sharing (RFC 9111 §3.5)"
        }
        return nil
    }

    /// The reason that a response is of no use: it is neither fresh nor can it be validated.
    private static func uselessness(_ head: HTTPResponse, _ control: CacheControl, _ policy: CachePolicy) -> String? {
        let fields = head.headerFields
        if fields.contains(.eTag) || fields.contains(.lastModified) {
            let hasExplicit =
                control.maxAge != nil || fields.contains(.expires) || control.isPublic || control.isPrivate != nil
                || (policy.kind == .shared && control.sharedMaxAge != nil)
            guard hasExplicit || head.status.isHeuristicallyCacheable else {
                return "a \(head.status.code) is stored only if it says for how long"
            }
            return nil
        }
        let instant = ExchangeTimes(request: 0, response: 0)
        // At instant 0, because only the sign of the lifetime matters here: a Date gives an absolute one.
        let lifetime = Freshness(head, control, instant, policy: policy).lifetime
        let staleUse = max(control.staleWhileRevalidate?.valid ?? 0, control.staleIfError?.valid ?? 0)
        guard lifetime > 0 || staleUse > 0 else {
            return "the response is not fresh and has no validator"
        }
        return nil
    }

    /// A `POST` response with explicit freshness and its own target as `Content-Location` answers later `GET`s
    /// (RFC 9110 §9.3.3).
    private static func isStorablePost(
        _ head: HTTPResponse,
        _ request: HTTPRequest,
        _ control: CacheControl
    ) -> Bool {
        guard request.method == .post, head.status.kind == .successful, head.status.code != 206,
            control.maxAge != nil || head.headerFields.contains(.expires),
            let location = head.headerFields[.contentLocation], let key = CacheKey(request)
        else { return false }
        return key.resolving(location) == key
    }
}

extension HTTPResponse.Status {
    /// Whether stale responses with this status may be stored. Of the statuses that RFC 9111 §3 permits to store
    /// without an expiry: successes, except parts, and permanent redirects, which lead to them. An error would take the
    /// place of a later success.
    fileprivate var isStoredStale: Bool { [200, 203, 204, 301, 308].contains(code) }
}
