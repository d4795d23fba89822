public import AirframeTransport
public import Foundation
internal import HTTPTypes

/// Requests of a session with a common base URL, header fields, interceptor, options and tags.
///
/// A group is a value: it retains its session and is not registered anywhere.
///
/// ```swift
/// let users = session.group(baseURL: "https://api.test/v2/users", headers: [.authorization(bearerToken: token)])
/// let user = try await users.get("7").serializingDecodable(User.self).value
/// let admins = users.group(baseURL: "admins", tags: ["admin"])
/// ```
///
/// Fields that a request sets itself replace the group's. A request to another origin than the base URL's gets none of
/// the group's credentials, as after a redirect: the fields in ``AirframeLayers/RedirectRules/secrets``.
public struct RequestGroup: RequestMaking {
    /// The session that makes the requests.
    public let session: Session
    /// The additions to the `URLRequest` of each request.
    let additions: Additions
    /// Adapts and retries each request, between the session's and the request's own.
    public let interceptor: (any RequestInterceptor)?

    /// The base URL; `nil` if the group has none, or an invalid one, which fails its requests.
    public var baseURL: URL? { additions.base.flatMap { try? $0.get().url } }

    /// The additions of a group to a `URLRequest`.
    struct Additions: Sendable {
        var base: Result<BaseURL, any Error>?
        var headers: HTTPHeaders
        var options: TransportOptions
        var tags: Set<String>
    }

    init(
        session: Session,
        parent: RequestGroup?,
        baseURL: (any URLConvertible)?,
        headers: HTTPHeaders,
        options: TransportOptions,
        tags: Set<String>,
        interceptor: (any RequestInterceptor)?
    ) {
        self.session = session
        let outer = parent?.additions
        var all = outer?.headers ?? HTTPHeaders()
        for header in headers { all.update(header) }
        let outerBase = outer?.base ?? session.context.baseURL.map { $0.mapError { $0 } }
        additions = Additions(
            base: baseURL.map { baseURL in Result { try Self.base(baseURL, in: outerBase) } } ?? outer?.base,
            headers: all,
            options: outer?.options.merging(options) ?? options,
            tags: tags.union(outer?.tags ?? [])
        )
        let interceptors = [parent?.interceptor, interceptor].compactMap(\.self)
        self.interceptor = interceptors.count > 1 ? Interceptor(interceptors: interceptors) : interceptors.first
    }

    private static func base(_ url: any URLConvertible, in outer: Result<BaseURL, any Error>?) throws -> BaseURL {
        let url = try url.asURL()
        guard url.scheme == nil, let outer else { return try BaseURL(url) }
        return try BaseURL(outer.get().joining(url))
    }

    // MARK: Requests

    /// Returns a source with everything that the group adds, for the functions of ``session`` that the group does not
    /// have.
    ///
    /// - Parameter convertible: The source of the `URLRequest`; its URL may be relative to the base.
    public func adding(to convertible: any URLRequestConvertible) -> any URLRequestConvertible {
        GroupedRequest(convertible: convertible, additions: additions, secrets: session.context.secrets)
    }

    /// Creates a request whose response is data.
    ///
    /// - Parameters:
    ///   - convertible: The source of the `URLRequest`, called again for each attempt.
    ///   - interceptor: Adapts and retries this request, after the group's interceptor.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; `nil` for the session's
    ///     setting.
    public func request(
        _ convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> DataRequest {
        session.request(
            adding(to: convertible),
            interceptor: combined(interceptor),
            shouldAutomaticallyResume: shouldAutomaticallyResume
        )
    }

    /// Creates a request whose response is data.
    ///
    /// - Parameters:
    ///   - url: The URL, absolute or relative to the base.
    ///   - method: The method.
    ///   - headers: The header fields to set.
    ///   - interceptor: Adapts and retries this request, after the group's interceptor.
    ///   - requestModifier: Changes the `URLRequest`.
    public func request(
        _ url: any URLConvertible,
        method: HTTPMethod = .get,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: Session.RequestModifier? = nil
    ) -> DataRequest {
        request(
            PlainRequest(url: url, method: method, headers: headers, modifier: requestModifier),
            interceptor: interceptor
        )
    }

    /// Creates a request whose response is written to a file.
    ///
    /// - Parameters:
    ///   - url: The URL, absolute or relative to the base.
    ///   - headers: The header fields to set.
    ///   - interceptor: Adapts and retries this request, after the group's interceptor.
    ///   - requestModifier: Changes the `URLRequest`.
    ///   - destination: Returns the file's destination; `nil` leaves the file in the temporary directory.
    public func download(
        _ url: any URLConvertible,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: Session.RequestModifier? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        let plain = PlainRequest(url: url, method: .get, headers: headers, modifier: requestModifier)
        return session.download(adding(to: plain), interceptor: combined(interceptor), to: destination)
    }

    /// Creates a request whose response is passed to handlers as it arrives.
    ///
    /// - Parameters:
    ///   - url: The URL, absolute or relative to the base.
    ///   - method: The method.
    ///   - headers: The header fields to set.
    ///   - interceptor: Adapts and retries this request, after the group's interceptor.
    ///   - requestModifier: Changes the `URLRequest`.
    public func streamRequest(
        _ url: any URLConvertible,
        method: HTTPMethod = .get,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: Session.RequestModifier? = nil
    ) -> DataStreamRequest {
        let plain = PlainRequest(url: url, method: method, headers: headers, modifier: requestModifier)
        return session.streamRequest(adding(to: plain), interceptor: combined(interceptor))
    }

    /// Uploads data.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - url: The URL, absolute or relative to the base.
    ///   - method: The method.
    ///   - headers: The header fields to set.
    ///   - interceptor: Adapts and retries this request, after the group's interceptor.
    ///   - requestModifier: Changes the `URLRequest`.
    public func upload(
        _ data: Data,
        to url: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: Session.RequestModifier? = nil
    ) -> UploadRequest {
        let plain = PlainRequest(url: url, method: method, headers: headers, modifier: requestModifier)
        return session.upload(data, with: adding(to: plain), interceptor: combined(interceptor))
    }

    private func combined(_ own: (any RequestInterceptor)?) -> (any RequestInterceptor)? {
        guard let interceptor, let own else { return own ?? interceptor }
        return Interceptor(interceptors: [interceptor, own])
    }
}

extension Session {
    /// Creates a group of requests.
    ///
    /// - Parameters:
    ///   - baseURL: The URL that relative URLs are resolved against. It may be relative to the session's. An invalid
    ///     one fails the group's requests.
    ///   - headers: Fields that every request gets unless it sets them itself.
    ///   - options: The options of the requests that do not set them.
    ///   - tags: Tags of every request.
    ///   - interceptor: Adapts and retries every request, after the session's interceptor.
    public func group(
        baseURL: (any URLConvertible)? = nil,
        headers: HTTPHeaders = HTTPHeaders(),
        options: TransportOptions = TransportOptions(),
        tags: Set<String> = [],
        interceptor: (any RequestInterceptor)? = nil
    ) -> RequestGroup {
        RequestGroup(
            session: self, parent: nil, baseURL: baseURL, headers: headers, options: options, tags: tags,
            interceptor: interceptor)
    }
}

extension RequestGroup {
    /// Creates a group within this one, with everything that this one adds.
    ///
    /// - Parameters:
    ///   - baseURL: The URL that relative URLs are resolved against. It may be relative to this group's.
    ///   - headers: Fields that every request gets unless it sets them itself.
    ///   - options: The options of the requests that do not set them.
    ///   - tags: Tags of every request, in addition to this group's.
    ///   - interceptor: Adapts and retries every request, after this group's interceptor.
    public func group(
        baseURL: (any URLConvertible)? = nil,
        headers: HTTPHeaders = HTTPHeaders(),
        options: TransportOptions = TransportOptions(),
        tags: Set<String> = [],
        interceptor: (any RequestInterceptor)? = nil
    ) -> RequestGroup {
        RequestGroup(
            session: session, parent: self, baseURL: baseURL, headers: headers, options: options, tags: tags,
            interceptor: interceptor)
    }
}
