import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Dispatch
import Foundation
import HTTPTypes
import Testing

@Suite("cURL commands", .timeLimit(.minutes(1)))
struct CURLCommandTests {
    @Test("have Alamofire's format, behind a prompt")
    func alamofireForm() async throws {
        let request = try await Self.made(
            URLRequest(url: "http://api.test/get?a=1&b=2", method: .post, headers: ["X-Name": #"say "hi""#])
        ) { $0.httpBody = Data(#"{"a":"b"}"#.utf8) }
        let words = request.cURLDescription().components(separatedBy: " \\\n\t")
        #expect(words.first == "$ curl -v")
        #expect(words.contains("-X POST"))
        #expect(words.contains(#"-H "X-Name: say \"hi\"""#))
        #expect(words.contains(#"-d "{\"a\":\"b\"}""#))
        #expect(words.last == #""http://api.test/get?a=1&b=2""#)
    }

    @Test("have only Alamofire's words in a description, and all that curl needs in a command")
    func words() async throws {
        let made = try URLRequest(
            url: "http://[::1]/a/./b", method: .head, headers: ["Cookie": "id=1", "X-Name": "x"])
        let request = try await Self.made(made) { _ in }
        let description = request.cURLDescription().components(separatedBy: " \\\n\t")
        #expect(
            description == [
                "$ curl -v", "-X HEAD", #"-H "User-Agent: test""#, #"-H "X-Name: x""#, #""http://[::1]/a/./b""#,
            ])
        let command = try #require(request.cURLCommand(showingSecrets: true))
        for word in ["--head", "--globoff", "--path-as-is", "-H 'Cookie: id=1'"] { #expect(command.contains(word)) }
        let session = Session(transport: ClosureTransport { .text(to: $0) })
        let upload = session.upload(Data("content".utf8), to: "http://api.test/")
        _ = await upload.serializingData().response
        let words = upload.cURLDescription().components(separatedBy: " \\\n\t")
        #expect(!words.contains { $0.hasPrefix("-d") || $0.hasPrefix("--data") || $0.contains("Content-Type") })
        #expect(upload.cURLCommand(showingSecrets: true)?.contains("-d 'content'") == true)
    }

    @Test("redact secrets unless they are requested")
    func secrets() async throws {
        let made = try URLRequest(
            url: "http://user:secret1@api.test/", method: .get,
            headers: ["Authorization": "Bearer secret2", "Cookie": "id=secret3"])
        let request = try await Self.made(made) { _ in }
        request.authenticate(username: "name", password: "secret4")
        let hidden = try #require(request.cURLCommand())
        let shown = try #require(request.cURLCommand(showingSecrets: true))
        for secret in ["secret1", "secret2", "secret3", "secret4"] {
            #expect(!hidden.contains(secret))
            #expect(!request.cURLDescription().contains(secret))
            #expect(shown.contains(secret))
        }
        #expect(hidden.contains("Authorization: Bearer"))
    }

    @Test("show a request that has not begun as it is before adaptation; the description waits for the request")
    func unsent() {
        let session = Session(transport: ClosureTransport { .text(to: $0) }, startRequestsImmediately: false)
        let request = session.request("http://api.test/")
        #expect(request.cURLDescription() == "$ curl command could not be created")
        #expect(request.cURLCommand()?.hasSuffix("'http://api.test/'") == true)
        #expect(request.cURLCommand(redaction: .standard)?.hasSuffix("'http://api.test/'") == true)
        #expect(request.state == .initialized)
        #expect(request.requests.isEmpty)
    }

    @Test("are passed to a handler even if the request could not be made")
    func handlerOfFailure() async throws {
        let session = Session(transport: ClosureTransport { .text(to: $0) })
        let description = await withCheckedContinuation { continuation in
            session.request("").cURLDescription { continuation.resume(returning: $0) }.resume()
        }
        #expect(description == "$ curl command could not be created")
    }

    /// A server's report of the request that it received.
    private struct Echo: Decodable {
        let method: String
        let headers: [String: String]
        let data: String
        let form: [String: String]
        let args: [String: String]
    }

    static let awkward = #"it's $HOME `pwd` "q" \n \\ !x %d {a,b} [1-2] <>&|;*? é"#

    @Test(
        "run in a shell unchanged, and send the same request",
        .enabled(if: Peers.areExpected),
        arguments: [
            Sample("GET", query: "?q=1&r=%20x"),
            Sample(
                "GET", query: "?q={a,b}[1-3]".addingPercentEncoding(withAllowedCharacters: .urlFragmentAllowed) ?? ""),
            Sample("DELETE"),
            Sample("POST", body: Data("plain".utf8)),
            Sample("POST", body: Data(Self.awkward.utf8), type: "text/plain"),
            Sample("PUT", body: Data("@/etc/hostname".utf8)),
            Sample("PATCH", body: Data("two\nlines\n".utf8), type: "text/plain"),
            Sample("POST", body: Data((0...255).map { UInt8($0) }), type: "application/octet-stream"),
            Sample("POST", body: Data(String(repeating: "long ", count: 50_000).utf8), type: "text/plain"),
        ])
    func inShell(sample: Sample) async throws {
        let origin = try Peers.required().http("hangar")
        let url = "\(origin)/anything/x\(sample.query)"
        let made = try URLRequest(
            url: url, method: HTTPMethod(rawValue: sample.method),
            headers: ["X-Awkward": #"it's $HOME `pwd` "q" \n \\ !x"#, "X-Empty": ""])
        let request = try await Self.made(made) {
            $0.httpBody = sample.body
            if let type = sample.type { $0.headers.add(.contentType(type)) }
        }
        let command = try #require(request.cURLCommand(showingSecrets: true))
        try await Self.run(command, sample)
        // The other form hides text without names. Otherwise it runs once its prompt is gone. Its shell is not
        // interactive, and so has no history.
        let description = request.cURLDescription()
        #expect(description.hasPrefix("$ "))
        guard sample.body == nil else { return }
        try await Self.run(
            String(description.dropFirst(2)).replacing("curl -v", with: "curl", maxReplacements: 1), sample)
    }

    private static func run(_ command: String, _ sample: Sample) async throws {
        let silent = command.replacing("curl ", with: "curl --silent --show-error ", maxReplacements: 1)
        // Through a file, because a long command exceeds the limit of an argument.
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("command-\(UUID().uuidString).sh")
        try Data(silent.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let outcome = try await Command(["sh", file.path]).run()
        #expect(outcome.status == 0, "\(outcome.output)")
        let echo = try JSONDecoder().decode(Echo.self, from: Data(outcome.output.utf8))
        #expect(echo.method == sample.method)
        let headers = Dictionary(uniqueKeysWithValues: echo.headers.map { ($0.key.lowercased(), $0.value) })
        #expect(headers["x-awkward"] == #"it's $HOME `pwd` "q" \n \\ !x"#)
        #expect(headers["x-empty"] == "")
        #expect(headers["content-type"] == sample.sentType)
        #expect(headers["content-length"].flatMap { Int($0) } ?? 0 == sample.body?.count ?? 0)
        guard let body = sample.body, let text = String(data: body, encoding: .utf8) else { return }
        if sample.isForm { #expect(echo.form == [text: ""]) } else { #expect(echo.data == text) }
    }

    struct Sample: CustomTestStringConvertible {
        let method: String
        let query: String
        let body: Data?
        let type: String?

        /// Whether the content is sent as a form because it has no type.
        var isForm: Bool { method == "POST" && body != nil && type == nil }
        var sentType: String? { isForm ? "application/x-www-form-urlencoded" : type }

        init(_ method: String, query: String = "", body: Data? = nil, type: String? = nil) {
            self.method = method
            self.query = query
            self.body = body
            self.type = type
        }

        var testDescription: String { "\(method) \(query) \(body?.count ?? 0) bytes" }
    }

    @Test("are passed to a handler asynchronously even if the request has been made")
    func handlerOfMadeRequest() async throws {
        let queue = DispatchQueue(label: "root")
        let session = Session(transport: ClosureTransport { .text(to: $0) }, rootQueue: queue)
        let request = session.request("http://api.test/")
        _ = await request.serializingData().response
        let descriptions = Log<String>()
        queue.suspend()
        request.cURLDescription(calling: { descriptions.append($0) })
        let isCalledImmediately = !descriptions.values.isEmpty
        queue.resume()
        #expect(!isCalledImmediately)
        try await eventually("the call") { descriptions.values == [request.cURLDescription()] }
        request.cURLDescription(on: queue) { descriptions.append($0) }
        try await eventually("the call on a queue") { descriptions.values.count == 2 }
    }

    /// A request that has been made; its response does not matter.
    private static func made(
        _ urlRequest: URLRequest,
        _ change: (inout URLRequest) -> Void
    ) async throws -> DataRequest {
        var urlRequest = urlRequest
        change(&urlRequest)
        let configuration = URLSessionConfiguration.af.default
        configuration.headers = [.userAgent("test")]
        let session = Session(transport: ClosureTransport { .text(to: $0) }, configuration: configuration)
        let request = session.request(urlRequest)
        _ = await request.serializingData().response
        return request
    }
}
