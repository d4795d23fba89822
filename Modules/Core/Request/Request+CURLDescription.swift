public import AirframeTransport
public import Dispatch
internal import Foundation
internal import HTTPTypes
internal import Synchronization

extension Request {
    /// Returns the request as a `curl` command behind a prompt, in Alamofire's words: without the content of an upload
    /// and without a `Cookie` field of the request. ``cURLCommand(showingSecrets:)`` has all that curl needs. Secrets
    /// in header fields, in the URL and in the body are redacted: see ``RedactionPolicy/text(_:mediaType:)``. A body
    /// that is not text is left out.
    ///
    /// The stored cookies that the session adds (`-b`), and the stored credential of a request that has none itself
    /// (`-u`), are those at the time of the call. The cookies and the password are redacted.
    public func cURLDescription() -> String {
        guard let command = makeCURLCommand(.standard, for: .description, or: nil) else {
            return "$ curl command could not be created"
        }
        return "$ " + command.text(.double, verbose: true)
    }

    /// Returns a command for a POSIX shell that sends the same request: method, fields, body, and the stored cookies
    /// and credential that the session adds at the time of the call.
    ///
    /// A body that is binary or long is written through `printf`. A streamed body has to be passed to the command on
    /// its standard input. So has a binary body unless secrets are shown, because it cannot be searched for them.
    ///
    /// - Parameter showingSecrets: Whether passwords, tokens, cookies and bodies of any kind are written out. Do not
    ///   publish such a command.
    /// - Returns: The command, or `nil` if no `URLRequest` can be made. Before the request has begun, the command is
    ///   that of the request before interceptors adapt it.
    public func cURLCommand(showingSecrets: Bool = false) -> String? {
        makeCURLCommand(showingSecrets ? .none : .standard, for: .execution, or: unsentRequest)?
            .text(.single, verbose: false)
    }

    /// Returns a command for a POSIX shell like ``cURLCommand(showingSecrets:)``, in one line.
    ///
    /// - Parameter redaction: The policy that decides what is secret.
    /// - Returns: The command, or `nil` if no `URLRequest` can be made. Before the request has begun, the command is
    ///   that of the request before interceptors adapt it.
    public func cURLCommand(redaction: RedactionPolicy) -> String? {
        makeCURLCommand(redaction, for: .execution, or: unsentRequest)?
            .text(.single, verbose: false, separator: " ")
    }

    /// The `URLRequest` before adaptation of a request that has not begun.
    private var unsentRequest: URLRequest? { lastRequest == nil ? try? makeCompleteURLRequest() : nil }

    private func makeCURLCommand(
        _ redaction: RedactionPolicy,
        for purpose: CURLCommand.Purpose,
        or unsent: URLRequest?
    ) -> CURLCommand? {
        guard let request = lastRequest ?? unsent, let url = request.url, url.host() != nil else { return nil }
        let own = Set(request.headers.map { $0.name.lowercased() })
        let inherited = context.defaultFields.lazy
            .filter { !own.contains($0.name.canonicalName) }
            .map { (name: $0.name.rawName, value: $0.value) }
        var headers = Array(inherited) + request.headers.map { (name: $0.name, value: $0.value) }
        if purpose == .description { headers.removeAll { $0.name.lowercased() == "cookie" } }
        let outline = outline(of: request)
        let cookies = Self.cookieOption(for: outline.map { storedCookies(for: $0) } ?? [], purpose, &headers)
        let credential = credential ?? outline.flatMap { storedCredential(for: $0) }
        let user = credential.flatMap { credential in
            credential.user.map {
                "\($0):\(redaction.hidesPasswords ? RedactionPolicy.placeholder : credential.password ?? "")"
            }
        }
        let mediaType = headers.first { $0.name.lowercased() == "content-type" }?.value
        return CURLCommand(
            purpose: purpose,
            method: request.httpMethod ?? "GET",
            url: redaction.url(url.absoluteString),
            headers: headers.map { ($0.name, redaction.value($0.value, of: $0.name)) },
            user: user,
            cookies: cookies.map { redaction.value($0, of: .cookie) },
            body: describedBody(of: request, for: purpose).redacted(by: redaction, mediaType: mediaType),
            assumesForm: assumesForm(request)
        )
    }

    /// Returns the value of curl's option `-b` for stored cookies, or adds them to `headers` and returns `nil`.
    private static func cookieOption(
        for stored: [String],
        _ purpose: CURLCommand.Purpose,
        _ headers: inout [(name: String, value: String)]
    ) -> String? {
        guard !stored.isEmpty else { return nil }
        let cookies = stored.joined(separator: purpose == .description ? ";" : "; ")
        // curl ignores the option if there is a Cookie field.
        if let own = headers.firstIndex(where: { $0.name.lowercased() == "cookie" }) {
            headers[own].value += "; \(cookies)"
            return nil
        }
        // curl takes a value without `=`, or with an `@` at the beginning, for the name of a file.
        guard cookies.utf8.contains(UInt8(ascii: "=")), cookies.utf8.first != UInt8(ascii: "@") else {
            headers.append((name: "Cookie", value: cookies))
            return nil
        }
        return cookies
    }

    private func describedBody(of request: URLRequest, for purpose: CURLCommand.Purpose) -> CURLCommand.Body {
        if purpose == .execution, let upload = self as? UploadRequest {
            switch upload.knownUploadable {
            case .data(let data): return .data(data)
            case .file(let url, _): return .file(url.path)
            case .stream, nil: return .stream
            }
        }
        if let data = request.httpBody { return .data(data) }
        return purpose == .description || request.httpBodyStream == nil ? .none : .stream
    }

    /// Calls `handler` with the command once the request has been made, or soon if it has been.
    ///
    /// - Parameters:
    ///   - queue: The queue to call the handler on.
    ///   - handler: Receives the result of ``cURLDescription()``. A later call replaces it.
    @preconcurrency
    @discardableResult
    public func cURLDescription(
        on queue: DispatchQueue,
        calling handler: @escaping @Sendable (String) -> Void
    ) -> Self {
        let isMade = !describeWhenMade { description in queue.async { handler(description) } }
        if isMade { queue.async { handler(self.cURLDescription()) } }
        return self
    }

    /// Calls `handler` with the command once the request has been made, or soon if it has been. The call never happens
    /// within this one.
    ///
    /// - Parameter handler: Receives the result of ``cURLDescription()``, on the thread that the request runs on, or on
    ///   the session's `rootQueue` if the request has been made. A later call replaces it.
    @preconcurrency
    @discardableResult
    public func cURLDescription(calling handler: @escaping @Sendable (String) -> Void) -> Self {
        let isMade = !describeWhenMade(handler)
        if isMade { context.rootQueue.async { handler(self.cURLDescription()) } }
        return self
    }

    /// Keeps `handler` until the request is made. Returns `false` if it has been made.
    private func describeWhenMade(_ handler: @escaping @Sendable (String) -> Void) -> Bool {
        mutable.withLock { state in
            guard state.requests.isEmpty else { return false }
            state.withHandlers { $0.cURL = handler }
            return true
        }
    }
}
