internal import AirframeTransport
public import Dispatch
internal import Foundation
internal import Synchronization

extension Request {
    /// The request as a `curl` command for a shell. Secrets in header fields and in the URL are hidden.
    public func cURLDescription() -> String {
        guard let request = lastRequest, let url = request.url else { return "$ curl command could not be created" }
        var words = ["$ curl -v", "-X \(request.httpMethod ?? "GET")"]
        if let user = credential?.user { words.append("-u \(quoted("\(user):\(Redaction.placeholder)"))") }
        let own = Set(request.headers.map { $0.name.lowercased() })
        let inherited = context.configuration.headers.filter { !own.contains($0.name.lowercased()) }
        for header in inherited + Array(request.headers) {
            words.append("-H \(quoted("\(header.name): \(Redaction.value(header.value, of: header.name))"))")
        }
        if let body = request.httpBody {
            words.append("--data-binary \(quoted(String(decoding: body, as: UTF8.self)))")
        }
        words.append(quoted(Redaction.url(url.absoluteString)))
        return words.joined(separator: " \\\n\t")
    }

    /// Calls `handler` with the command once the request has been made; at once if it has.
    ///
    /// - Parameters:
    ///   - queue: Where to call it.
    ///   - handler: Gets the command.
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
    /// - Parameter handler: Gets the command, on whatever thread the request runs on.
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

    /// `text` as one word of a POSIX shell.
    private func quoted(_ text: String) -> String {
        "'" + text.replacingOccurrences(of: "'", with: #"'\''"#) + "'"
    }
}
