import AirframeAuthentication
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Digest (RFC 7616)", .timeLimit(.minutes(1)))
struct DigestTests {
    /// The answer to `challenge` with the client nonce `cnonce`.
    private static func answer(
        to challenge: String,
        request: TransportRequest = .to(),
        cnonce: String = "0a4f113b"
    ) async throws -> DigestParameters {
        let base = ScriptedTransport(challenging: challenge)
        _ = try await AuthenticationLayer(base) { cnonce }.send(request)
        return try #require(DigestParameters(base.authorizations.last ?? nil))
    }

    @Test(
        "The examples of RFC 7616 §3.9.1 and RFC 2617 §3.5",
        arguments: [
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ]
    )
    func examples(algorithm: String, response: String) async throws {
        let answer = try await Self.answer(
            to: """
                Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=\(algorithm), \
                nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", \
                opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
                """,
            request: .to("/dir/index.html"),
            cnonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
        )
        #expect(answer["response"] == response)
        #expect(answer["username"] == "Mufasa")
        #expect(answer["realm"] == "http-auth@example.org")
        #expect(answer["uri"] == "/dir/index.html")
        #expect(answer["algorithm"] == algorithm)
        #expect(answer["qop"] == "auth")
        #expect(answer["nc"] == "00000001")
        #expect(answer["opaque"] == "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS")
    }

    @Test("userhash, charset and SHA-512-256: the example of RFC 7616 §3.9.2, as corrected")
    func userhash() async throws {
        let challenge = """
            Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, charset=UTF-8, userhash=true, \
            nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", \
            opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS"
            """
        let request = TransportRequest.to("/doe.json", user: "Jäsøn Doe", password: "Secret, or not?")
        let answer = try await Self.answer(
            to: challenge, request: request, cnonce: "NTg6RKcb9boFIAS3KrFK9BGeh+niz/sm")
        #expect(answer["username"] == "793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b")
        #expect(answer["userhash"] == "true")
        #expect(answer["response"] == "7a4e1192babbba02e91182d2895bfdbf7adafc6e48d4e517ca301974843d840c")
    }

    @Test("A name beyond ASCII is sent in the extended form if the server supports UTF-8, and as raw bytes otherwise")
    func extendedUser() async throws {
        let request = TransportRequest.to(user: "Jäsøn Doe")
        let extended = try await Self.answer(to: #"Digest realm="r", nonce="n", charset="UTF-8""#, request: request)
        #expect(extended["username*"] == "UTF-8''J%C3%A4s%C3%B8n%20Doe")
        #expect(extended["username"] == nil)
        let plain = try await Self.answer(to: #"Digest realm="r", nonce="n""#, request: request)
        #expect(plain["username"] == "Jäsøn Doe")
        #expect(extended["response"] == plain["response"])
        let control = try await Self.answer(to: #"Digest realm="r", nonce="n""#, request: .to(user: "a\r\nb"))
        #expect(control["username*"] == "UTF-8''a%0D%0Ab")
    }

    @Test("Quoted values are escaped in the field, and hashed unescaped")
    func escapes() async throws {
        let request = TransportRequest.to(#"/a"b"#, user: #"o"b\c"#)
        let answer = try await Self.answer(to: #"Digest realm="a \"b\" \\c", nonce="n\"1""#, request: request)
        #expect(answer["realm"] == #"a "b" \c"#)
        #expect(answer["username"] == #"o"b\c"#)
        #expect(answer["nonce"] == #"n"1"#)
    }

    @Test("Without qop the answer is that of RFC 2069, without count and client nonce")
    func legacy() async throws {
        let answer = try await Self.answer(to: #"Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e""#)
        #expect(answer["qop"] == nil && answer["nc"] == nil && answer["cnonce"] == nil && answer["algorithm"] == nil)
        #expect(answer["response"]?.count == 32)
    }

    @Test("-sess binds the secret to the nonces, and sends the client nonce", arguments: ["MD5-sess", "SHA-256-sess"])
    func session(algorithm: String) async throws {
        let plain = try await Self.answer(
            to: "Digest realm=\"r\", nonce=\"n\", qop=\"auth\", algorithm=\(algorithm.dropLast(5))")
        let bound = try await Self.answer(
            to: "Digest realm=\"r\", nonce=\"n\", qop=\"auth\", algorithm=\(algorithm)")
        #expect(bound["algorithm"] == algorithm)
        #expect(bound["cnonce"] == "0a4f113b")
        #expect(plain["response"] != bound["response"])
    }

    @Test("A -sess session keeps its client nonce; other answers use a new one each time")
    func sessionNonces() async throws {
        for (algorithm, count) in [("MD5-sess", 1), ("MD5", 3)] {
            let base = ScriptedTransport(
                challenging: "Digest realm=\"r\", nonce=\"n\", qop=auth, algorithm=\(algorithm)")
            let layer = AuthenticationLayer(base)
            for _ in 0..<3 { _ = try await layer.send(.to()) }
            let answers = base.authorizations.compactMap(DigestParameters.init)
            #expect(answers.compactMap { $0["nc"] } == ["00000001", "00000002", "00000003"])
            #expect(Set(answers.compactMap { $0["cnonce"] }).count == count)
            #expect(answers.allSatisfy { $0["cnonce"]?.count == 32 })
        }
    }

    @Test("auth is chosen before auth-int; other protections are not answered")
    func protection() async throws {
        let both = try await Self.answer(to: #"Digest realm="r", nonce="n", qop="auth-int,auth""#)
        #expect(both["qop"] == "auth")
        let spelled = try await Self.answer(to: #"Digest realm="r", nonce="n", qop=AUTH"#)
        #expect(spelled["qop"] == "auth")
        let base = ScriptedTransport(challenging: #"Digest realm="r", nonce="n", qop="auth-conf""#)
        #expect(try await AuthenticationLayer(base).send(.to()).head.status.code == 401)
        #expect(base.requests.count == 1)
    }

    @Test("auth-int covers content from memory, files and streams")
    func content() async throws {
        let data = Data("the content".utf8)
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("content-\(UUID().uuidString)")
        try Data("xxthe contentyy".utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let challenge = #"Digest realm="r", nonce="n", qop="auth-int""#
        let bodies: [RequestBody] = [
            .bytes(data), .file(FileRegion(path: url.path, offset: 2, length: 11)),
            .restartableSequence {
                AsyncStream { continuation in
                    continuation.yield(data.prefix(4))
                    continuation.yield(data.dropFirst(4))
                    continuation.finish()
                }
            },
        ]
        var responses: Set<String> = []
        for body in bodies {
            let answer = try await Self.answer(to: challenge, request: .to(method: .post, body: body))
            #expect(answer["qop"] == "auth-int")
            responses.insert(try #require(answer["response"]))
        }
        #expect(responses.count == 1)
        // Computed by the formula of RFC 7616 §3.4.1 with another library's MD5.
        #expect(responses == ["f31e2aa468b6b9ca8f47c964928bbe78"])
    }

    @Test("A file that ends early fails with its name")
    func shortFile() async throws {
        let base = ScriptedTransport(challenging: #"Digest realm="r", nonce="n", qop="auth-int""#)
        let body = RequestBody.file(FileRegion(path: "/no/such/file", length: 1))
        let error = await #expect(throws: TransportError.self) {
            try await AuthenticationLayer(base).send(.to(method: .post, body: body))
        }
        #expect(error?.code == .bodyFailed)
        #expect(error?.message.contains("/no/such/file") == true)
    }

    @Test(
        "Algorithms are recognized by all names in use, and by no others",
        arguments: [
            ("MD5", true), ("md5", true), ("MD5-sess", true), ("md5-SESS", true), ("SHA-256", true), ("SHA256", true),
            ("SHA-512-256", true), ("SHA-512-256-sess", true), ("SHA-512", false), ("SHA-1", false), ("", false),
        ]
    )
    func algorithms(name: String, isKnown: Bool) async throws {
        let base = ScriptedTransport(challenging: "Digest realm=\"r\", nonce=\"n\", algorithm=\"\(name)\"")
        _ = try await AuthenticationLayer(base).send(.to())
        #expect(base.requests.count == (isKnown ? 2 : 1))
        if isKnown {
            #expect(base.authorizations.last??.contains("algorithm=\(name)") == true, "it is sent back as it came")
        }
    }
}

/// Public vectors, read from the folder `shared` next to the repository.
@Suite("Vectors of HTTP authentication", .timeLimit(.minutes(1)))
struct ForeignVectors {
    struct Vectors: Decodable {
        let digest: [DigestVector]
        let basic: [BasicVector]
    }

    struct DigestVector: Decodable, Sendable {
        let source, alg, user, password, realm, method, uri, nonce, nc, cnonce, qop, opaque, response: String
        let userhash: String?
    }

    struct BasicVector: Decodable, Sendable {
        let source, user, password, header: String
        let charset: String?
    }

    static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../../../shared/conformance/auth-vectors.json"
    ).standardizedFileURL

    static let vectors = try? JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file))

    @Test("of Digest", .enabled(if: vectors != nil, "no conformance data next to the repository"))
    func digest() async throws {
        for vector in try #require(Self.vectors).digest {
            let challenge = """
                Digest realm="\(vector.realm)", nonce="\(vector.nonce)", qop="\(vector.qop)", algorithm=\(vector.alg), \
                opaque="\(vector.opaque)"\(vector.userhash == nil ? "" : ", userhash=true, charset=UTF-8")
                """
            let base = ScriptedTransport(challenging: challenge)
            let method = try #require(HTTPRequest.Method(vector.method))
            let request = TransportRequest.to(
                vector.uri, method: method, user: vector.user, password: vector.password)
            _ = try await AuthenticationLayer(base) { vector.cnonce }.send(request)
            let answer = try #require(DigestParameters(base.authorizations.last ?? nil))
            #expect(answer["response"] == vector.response, "\(vector.source)")
            #expect(answer["username"] == vector.userhash ?? vector.user)
            #expect(answer["nc"] == vector.nc)
        }
    }

    @Test("of Basic", .enabled(if: vectors != nil, "no conformance data next to the repository"))
    func basic() async throws {
        for vector in try #require(Self.vectors).basic {
            let charset = vector.charset.map { ", charset=\"\($0)\"" } ?? ""
            let base = ScriptedTransport(challenging: "Basic realm=\"r\"\(charset)")
            _ = try await AuthenticationLayer(base).send(.to(user: vector.user, password: vector.password))
            #expect(base.authorizations.last == vector.header, "\(vector.source)")
        }
    }
}
