public import AirframeTransport
public import Dispatch
internal import Foundation
internal import HTTPTypes
internal import Synchronization

extension Request {
    /// The request as a `curl` command behind a prompt, as a person would type it. Secrets in header fields, in the URL
    /// and in the body are hidden: see ``RedactionPolicy/text(_:mediaType:)``. A body that is no text is not written
    /// down.
    public func cURLDescription() -> String {
        guard let command = makeCURLCommand(.standard, or: nil) else {
            return "$ curl command could not be created"
        }
        return "$ " + command.text(.double, verbose: true)
    }

    /// The request as a command for a POSIX shell that sends the same request: method, fields and body.
    ///
    /// A body that is binary or long is written through `printf`. One that is streamed has to be given to the command
    /// on its standard input, and so has one that is binary unless secrets are shown: it cannot be searched for them.
    ///
    /// - Parameter showingSecrets: Whether passwords, tokens, cookies and bodies of any kind are written out. The
    ///   command is one to keep to oneself then.
    /// - Returns: `nil` where no `URLRequest` can be made. Before the request has begun, the command is that of the
    ///   request before interceptors adapt it.
    public func cURLCommand(showingSecrets: Bool = false) -> String? {
        makeCURLCommand(showingSecrets ? .none : .standard, or: unsentRequest)?.text(.single, verbose: false)
    }

    /// The request as a command for a POSIX shell in one line, as ``cURLCommand(showingSecrets:)`` has it in several.
    ///
    /// - Parameter redaction: What is a secret.
    /// - Returns: `nil` where no `URLRequest` can be made. Before the request has begun, the command is that of the
    ///   request before interceptors adapt it.
    public func cURLCommand(redaction: RedactionPolicy) -> String? {
        makeCURLCommand(redaction, or: unsentRequest)?.text(.single, verbose: false, separator: " ")
    }

    /// The `URLRequest` of a request that has not begun, as it is before it is adapted.
    private var unsentRequest: URLRequest? { lastRequest == nil ? try? makeCompleteURLRequest() : nil }

    private func makeCURLCommand(_ redaction: RedactionPolicy, or unsent: URLRequest?) -> CURLCommand? {
        guard let request = lastRequest ?? unsent, let url = request.url, url.host() != nil else { return nil }
        let own = Set(request.headers.map { $0.name.lowercased() })
        let inherited = context.defaultFields.lazy
            .filter { !own.contains($0.name.canonicalName) }
            .map { (name: $0.name.rawName, value: $0.value) }
        let headers = Array(inherited) + request.headers.map { (name: $0.name, value: $0.value) }
        let user = credential.flatMap { credential in
            credential.user.map {
                "\($0):\(redaction.hidesPasswords ? RedactionPolicy.placeholder : credential.password ?? "")"
            }
        }
        let mediaType = headers.first { $0.name.lowercased() == "content-type" }?.value
        return CURLCommand(
            method: request.httpMethod ?? "GET",
            url: redaction.url(url.absoluteString),
            headers: headers.map { ($0.name, redaction.value($0.value, of: $0.name)) },
            user: user,
            body: describedBody(of: request).redacted(by: redaction, mediaType: mediaType)
        )
    }

    private func describedBody(of request: URLRequest) -> CURLCommand.Body {
        if let uploadable = (self as? UploadRequest)?.uploadable {
            if case .data(let data) = uploadable { return .data(data) }
            if case .file(let url, _) = uploadable { return .file(url.path) }
            return .stream
        }
        if let data = request.httpBody { return .data(data) }
        return request.httpBodyStream == nil ? .none : .stream
    }

    /// Calls `handler` with the command once the request has been made; at once if it has.
    ///
    /// - Parameters:
    ///   - queue: Where to call it.
    ///   - handler: Gets what ``cURLDescription()`` returns. A later call replaces it.
    @preconcurrency
    @discardableResult
    public func cURLDescription(
        on queue: DispatchQueue,
        calling handler: @escaping @Sendable (String) -> Void
    ) -> Self {
        describeWhenMade { description in queue.async { handler(description) } }
        return self
    }

    /// Calls `handler` with the command once the request has been made; at once if it has.
    ///
    /// - Parameter handler: Gets what ``cURLDescription()`` returns, on whatever thread the request runs on. A later
    ///   call replaces it.
    @preconcurrency
    @discardableResult
    public func cURLDescription(calling handler: @escaping @Sendable (String) -> Void) -> Self {
        describeWhenMade(handler)
        return self
    }

    private func describeWhenMade(_ handler: @escaping @Sendable (String) -> Void) {
        let isMade = mutable.withLock { state in
            guard state.requests.isEmpty else { return true }
            state.withHandlers { $0.cURL = handler }
            return false
        }
        if isMade { handler(cURLDescription()) }
    }
}
