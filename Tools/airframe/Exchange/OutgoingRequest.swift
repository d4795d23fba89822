import Airframe
import AirframeCommandLine
import ArgumentParser
import Foundation

/// A request, put together from arguments and options.
struct OutgoingRequest: Sendable {
    /// The content.
    enum Body: Sendable {
        case none
        case data(Data)
        case file(URL)
        case standardInput
        case form([RequestParts.Part])
    }

    /// The head; its body is empty.
    var head: URLRequest
    let body: Body
    /// The names of fields that are not sent, although the session or an option sets them.
    let removedHeaders: [String]
    /// A name and password for a challenge.
    let challengeCredential: URLCredential?

    /// Puts a request together.
    ///
    /// - Parameters:
    ///   - method: The method, or `nil` for the default.
    ///   - url: The URL as it was typed.
    ///   - items: The items behind the URL.
    ///   - options: The options.
    /// - Throws: ``ItemError`` and ``CommandFailure`` for arguments that cannot be used.
    init(method: String?, url: String, items: [String], options: RequestOptions) throws {
        let parsed = try items.enumerated().map { try RequestItem($0.element, number: $0.offset + 1) }
        let parts = try RequestParts(parsed, encoding: options.body.fieldEncoding, read: LocalFile.read)
        let (body, mediaType) = try Self.body(parts.body, options.body)
        self.body = body
        let given = try Self.fields(options.headers)
        removedHeaders = given.removed + parts.removedHeaders
        let text = RequestURL.text(url, query: parts.query)
        let isUpload = options.body.uploadFile != nil
        let verb = method ?? (isUpload ? "PUT" : Self.isEmpty(body) ? "GET" : "POST")
        var head = try URLRequest(url: text, method: HTTPMethod(rawValue: verb))
        // The type of content is the one that was given, and files have none.
        head.sendsUntypedContent = true
        if let mediaType { head.headers.add(.contentType(mediaType)) }
        if case .json = parts.body, mediaType != nil { head.headers.add(.accept("application/json, */*;q=0.5")) }
        if !options.output.compressed { head.headers.add(name: "Accept-Encoding", value: "identity") }
        if let field = options.cookies.field { head.headers.add(field) }
        if let token = options.account.bearer { head.headers.add(.authorization(bearerToken: token)) }
        var challengeCredential: URLCredential?
        if options.account.awsScope == nil, let credential = try options.account.credential(for: head.url?.host()) {
            if options.account.auth == .basic {
                head.headers.add(name: "Authorization", value: credential.basic)
            } else {
                challengeCredential = URLCredential(
                    user: credential.name, password: credential.password, persistence: .forSession)
            }
        }
        self.challengeCredential = challengeCredential
        for name in removedHeaders { head.setValue(nil, forHTTPHeaderField: name) }
        for header in given.sent + parts.headers {
            if header.name.lowercased() == "host" || Self.isSingle(header.name) {
                head.setValue(header.value, forHTTPHeaderField: header.name)
            } else {
                head.addValue(header.value, forHTTPHeaderField: header.name)
            }
        }
        self.head = head
    }

    /// Whether there is content.
    var hasBody: Bool { !Self.isEmpty(body) }

    /// The origin of the URL.
    var origin: Origin? {
        head.url.flatMap { Origin(scheme: $0.scheme ?? "https", host: $0.host() ?? "", port: $0.port) }
    }

    /// Returns the head with the content, for commands that send content from memory alone.
    ///
    /// - Throws: `ValidationError` for content from a file or standard input, and for multipart forms.
    func headWithData() throws -> URLRequest {
        var head = head
        switch body {
        case .none: break
        case .data(let data): head.httpBody = data
        case .file, .standardInput, .form:
            throw ValidationError("this command sends no files and no multipart forms: give the content by --data")
        }
        return head
    }

    /// Whether the field has one value: one that was set by another option is replaced.
    private static func isSingle(_ name: String) -> Bool {
        ["accept", "accept-encoding", "authorization", "content-type", "user-agent"].contains(name.lowercased())
    }

    private static func isEmpty(_ body: Body) -> Bool { if case .none = body { true } else { false } }

    /// The fields of `--header` as curl reads them: those to send, also empty ones (`Name;`), and the names of those
    /// that are left out (`Name:`).
    static func fields(_ texts: [String]) throws -> (sent: [RequestParts.Pair], removed: [String]) {
        var sent: [RequestParts.Pair] = []
        var removed: [String] = []
        for (index, text) in texts.enumerated() {
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 1, text.hasSuffix(";"), text.count > 1 {
                sent.append(RequestParts.Pair(String(text.dropLast()), ""))
                continue
            }
            guard parts.count == 2, !parts[0].isEmpty else {
                // The text may be a value, and so a secret.
                throw ValidationError("header field \(index + 1) has no name or no colon: write 'Name: value'")
            }
            let (name, value) = (String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
            if value.isEmpty { removed.append(name) } else { sent.append(RequestParts.Pair(name, value)) }
        }
        return (sent, removed)
    }

    private static func body(_ body: RequestParts.Body, _ options: BodyOptions) throws -> (Body, String?) {
        if options.hasBody, body != .none {
            throw ItemError("a request has one body: give fields, or --data, --data-raw or --upload-file")
        }
        if let file = options.uploadFile { return (file == "-" ? .standardInput : .file(LocalFile.url(file)), nil) }
        if let raw = options.rawData { return (.data(Data(raw.utf8)), mediaType(of: Data(raw.utf8))) }
        if !options.data.isEmpty {
            let data = Data(try options.data.map(LocalFile.data).joined(separator: Data("&".utf8)))
            return (.data(data), mediaType(of: data))
        }
        switch body {
        case .none: return (.none, nil)
        case .json(let node): return (.data(Data(node.compactText.utf8)), "application/json")
        case .form(let pairs):
            return (.data(Data(FormEncoding.text(pairs).utf8)), "application/x-www-form-urlencoded; charset=utf-8")
        case .multipart(let parts): return (.form(parts), nil)
        case .file(let path): return (path == "-" ? .standardInput : .file(LocalFile.url(path)), nil)
        }
    }

    /// JSON is distinguished from a form by its first character.
    private static func mediaType(of data: Data) -> String {
        let begins = data.first == UInt8(ascii: "{") || data.first == UInt8(ascii: "[")
        let isJSON = begins && (try? JSONReader.read(data)) != nil
        return isJSON ? "application/json" : "application/x-www-form-urlencoded"
    }
}
