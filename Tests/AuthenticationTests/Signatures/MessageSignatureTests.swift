import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@testable import AirframeAuthentication

@Suite("HTTP message signatures (RFC 9421)", .timeLimit(.minutes(1)))
struct MessageSignatureTests {
    private let vectors: SignatureVectors
    private let date = Date(timeIntervalSince1970: 1_618_884_480)

    init() throws { vectors = try SignatureVectors.load() }

    @Test("every published signature is verified", arguments: try SignatureVectors.load().vectors)
    func published(_ vector: SignatureVectors.Vector) throws {
        let verified = try verify(vector, signature: vector.signature)
        #expect(verified.label == vector.label)
        // Changing the first byte invalidates the signature.
        let changed = (vector.signature.hasPrefix("A") ? "B" : "A") + vector.signature.dropFirst()
        #expect(throws: MessageSignatureError.mismatch(label: vector.label)) {
            try verify(vector, signature: String(changed))
        }
    }

    @Test("signatures without randomness are the published ones", arguments: ["B.2.5", "B.2.6"])
    func deterministic(_ name: String) async throws {
        let vector = try #require(vectors.vectors.first { $0.name == name })
        var request = TransportRequest(vectors.request, body: .bytes(Data(#"{"hello": "world"}"#.utf8)))
        let covered = vector.input.prefix { $0 != ")" }
        let names = covered.matches(of: /"([a-z@-]+)"/).map { SignatureComponent(String($0.1)) }
        let signer = MessageSigner(try vectors.key(vector.key), covering: names, label: vector.label)
        try await signer.sign(&request, at: Date(timeIntervalSince1970: 1_618_884_473))
        #expect(request.head.headerFields[.signatureInput] == "\(vector.label)=\(vector.input)")
        #expect(request.head.headerFields[.signature] == "\(vector.label)=:\(vector.signature):")
    }

    @Test("signatures of every algorithm are verified", arguments: SignatureAlgorithm.allCases)
    func roundTrip(_ algorithm: SignatureAlgorithm) async throws {
        let key = try vectors.signingKey(algorithm)
        let signer = MessageSigner(
            key, covering: [.method, .targetURI, "content-digest", .queryParameter("Pet")], tag: "app", lifetime: 60,
            namesAlgorithm: true, nonce: { "n" })
        var head = vectors.request
        head.headerFields[ContentDigest.name] = nil
        var request = TransportRequest(head, body: .bytes(Data("content".utf8)))
        try await signer.sign(&request, at: date)
        let verifier = MessageVerifier(requiring: [.method, "content-digest"]) { $0 == key.identifier ? key : nil }
        let signature = try verifier.verify(request.head, at: date)
        #expect(signature.parameters["tag"] == .string("app") && signature.parameters["nonce"] == .string("n"))
        #expect(try ContentDigest.verify(Data("content".utf8), against: request.head.headerFields))
        #expect(throws: MessageSignatureError.digestMismatch(algorithm: "sha-256")) {
            try ContentDigest.verify(Data("contenT".utf8), against: request.head.headerFields)
        }

        var changed = request.head
        changed.path = "/foo?param=Value&Pet=cat"
        #expect(throws: MessageSignatureError.mismatch(label: "sig1")) { try verifier.verify(changed, at: date) }
        #expect(throws: MessageSignatureError.self) {
            try verifier.verify(request.head, at: date.addingTimeInterval(61))
        }
        #expect(throws: MessageSignatureError.self) {
            try verifier.verify(request.head, at: date.addingTimeInterval(-61))
        }
        #expect(throws: MessageSignatureError.uncoveredComponent("\"@status\"")) {
            try MessageVerifier(requiring: [.status]) { _ in key }.verify(request.head, at: date)
        }
        #expect(throws: MessageSignatureError.missingSignature("with a known key")) {
            try MessageVerifier(requiring: []) { _ in nil }.verify(request.head, at: date)
        }
    }

    @Test(
        "signatures survive permitted changes by intermediaries, and no others (RFC 9421 §B.4)",
        arguments: [
            ("GET", "example.org", ["application/json", "*/*"], "", true),
            ("GET", "example.org", ["application/json", "*/*"], "&param=added", true),
            ("GET", "EXAMPLE.org:443", ["application/json, */*"], "", true),
            ("POST", "example.com", ["application/json", "*/*"], "", false),
            ("GET", "example.org", ["*/*", "application/json"], "", false),
        ]
    )
    func transformations(
        _ method: String,
        _ authority: String,
        _ accept: [String],
        _ query: String,
        _ isValid: Bool
    ) throws {
        let method = try #require(HTTPRequest.Method(method))
        var head = HTTPRequest(
            method: method, scheme: "https", authority: authority, path: "/demo?name1=Value1&Name2=value2\(query)")
        for value in accept { head.headerFields.append(HTTPField(name: .accept, value: value)) }
        head.headerFields[.signatureInput] = "transform=\(vectors.transformation.input)"
        head.headerFields[.signature] = "transform=:\(vectors.transformation.signature):"
        let key = try vectors.key("ed25519")
        let verifier = MessageVerifier(requiring: []) { _ in key }
        if isValid {
            #expect(try verifier.verify(head, at: date).label == "transform")
        } else {
            #expect(throws: MessageSignatureError.mismatch(label: "transform")) { try verifier.verify(head, at: date) }
        }
    }

    @Test(
        "the values of components (RFC 9421 §2.1, §2.2)",
        arguments: [
            (.method, "GET"), (.scheme, "https"), (.authority, "api.test"), (.path, "/p"),
            (.query, "?a=b%20c&q=x&q=y"), (.requestTarget, "/p?a=b%20c&q=x&q=y"),
            (.targetURI, "https://api.test/p?a=b%20c&q=x&q=y"), (.queryParameter("a"), "b%20c"),
            (.queryParameter("q"), nil),
            (.queryParameter("z"), nil), (.status, nil), ("x-lines", "a, b"), ("x-missing", nil), ("host", "API.test"),
            (.bytes(of: "x-lines"), ":YQ==:, :Yg==:"), (.structured("x-dictionary"), "a=1, b=2;x=1;y=2, c=(a b c)"),
            (.member("b", of: "x-dictionary"), "2;x=1;y=2"), (.member("z", of: "x-dictionary"), nil),
            (SignatureComponent.method.ofRequest, nil),
        ] as [(SignatureComponent, String?)]
    )
    func components(_ component: SignatureComponent, _ expected: String?) throws {
        var head = HTTPRequest(
            method: .get, scheme: "HTTPS", authority: "API.test:443", path: "/p?a=b%20c&q=x&q=y")
        for (name, value) in [
            ("X-Lines", "a"), ("X-Lines", " b "), ("X-Dictionary", "a=1,    b=2;x=1;y=2,   c=(a   b   c)"),
        ] {
            head.headerFields.append(HTTPField(name: try #require(.init(name)), value: value))
        }
        if let expected {
            #expect(try SignedMessage.request(head).value(of: component) == expected)
        } else {
            #expect(throws: MessageSignatureError.self) { try SignedMessage.request(head).value(of: component) }
        }
    }

    @Test("the authority is that which is sent: a request's own Host overrides that of its URL (RFC 9421 §2.2.3)")
    func ownHost() throws {
        var head = HTTPRequest(method: .get, scheme: "https", authority: "10.0.0.5", path: "/p")
        head.headerFields[try #require(HTTPField.Name("Host"))] = "API.test:443"
        #expect(try SignedMessage.request(head).value(of: .authority) == "api.test")
        let canonical = AWSCanonicalRequest(head, contentHash: "", encodesPathTwice: true)
        #expect(canonical.text.contains("\nhost:API.test:443\n"))
    }

    @Test(
        "the host is in the form in which it is sent: without user, zone and default port",
        arguments: [
            ("https", "bucket.test:443", "bucket.test"), ("http", "[fe80::1%25eth0]:9000", "[fe80::1]:9000"),
            ("http", "u:p@bucket.test:80", "bucket.test"), ("https", "bucket.test:80", "bucket.test:80"),
        ])
    func sentHost(_ scheme: String, _ authority: String, _ sent: String) throws {
        let head = HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/p")
        let canonical = AWSCanonicalRequest(head, contentHash: "", encodesPathTwice: true)
        #expect(canonical.text.contains("\nhost:\(sent)\n"))
        #expect(try SignedMessage.request(head).value(of: "host") == sent)
        #expect(try SignedMessage.request(head).value(of: .authority) == sent)
    }

    @Test("a component is covered once, regardless of the order of its parameters (RFC 9421 §2.5)")
    func repeated() {
        let one = SignatureComponent(StructuredItem(.string("a"), ["sf": .boolean(true), "tr": .boolean(true)]))
        let two = SignatureComponent(StructuredItem(.string("a"), ["tr": .boolean(true), "sf": .boolean(true)]))
        var trailers = HTTPFields()
        trailers[.init("a") ?? .accept] = "1"
        let message = SignedMessage.response(HTTPResponse(status: .ok), request: nil, trailers: trailers)
        #expect(throws: MessageSignatureError.repeatedComponent("\"a\";tr;sf")) {
            try SignatureBase([one, two], [:], of: message)
        }
    }

    @Test("a key of another type than its algorithm's is rejected")
    func wrongKey() {
        #expect(throws: MessageSignatureError.self) {
            try SignatureKey("k", .ecdsaP384SHA384, publicKey: vectors.keys["p256Public"] ?? "")
        }
        #expect(throws: MessageSignatureError.self) { try SignatureKey("k", .ed25519, privateKey: "nonsense") }
        let key = SignatureKey("id", secret: Data("hush".utf8))
        #expect("\(key)" == "SignatureKey(id, hmac-sha256)" && !String(reflecting: key).contains("hush"))
    }

    @Test(
        "a key on another curve of the same size is rejected (RFC 9421 §3.3.4, RFC 7518 §3.4)",
        arguments: [
            // secp256k1
            (
                .ecdsaP256SHA256,
                """
                MFYwEAYHKoZIzj0CAQYFK4EEAAoDQgAEuIm6RpH94hoIIP5vKBslRd+hOBvoXULs
                ABTvvbnNx6QpOsXcw9uGaCAgWNmq7iZiqXbyfTvPgCBx3o/b9LeqZw==
                """
            ),
            // brainpoolP256r1
            (
                .ecdsaP256SHA256,
                """
                MFowFAYHKoZIzj0CAQYJKyQDAwIIAQEHA0IABFLtSni8bg7rLq6u570btO1ggiNg
                GwusasMTJkb1TrqVWLyW4HzDB+6Sof4vT2gb7iaLHrGOM7l1lRgV8v8GC6A=
                """
            ),
            // brainpoolP384r1
            (
                .ecdsaP384SHA384,
                """
                MHowFAYHKoZIzj0CAQYJKyQDAwIIAQELA2IABEQKHgAsXmBvRjgowP1TjHh5eq4/
                +r1qe3SGOKFmtftNEs6jmH4ppCaxM9DQ4Nb+5mgzFGMvX3bzNwBPPXfXhwJQi0Tj
                V7lz40E/O0oGmaeE7uWdSIXg/TUttzfP53Z+jw==
                """
            ),
        ] as [(SignatureAlgorithm, String)])
    func otherCurve(algorithm: SignatureAlgorithm, base64: String) {
        let pem = "-----BEGIN PUBLIC KEY-----\n\(base64)\n-----END PUBLIC KEY-----\n"
        let error = #expect(throws: MessageSignatureError.self) {
            try SignatureKey("k", algorithm, publicKey: pem)
        }
        #expect(error == .unusableKey("its type or curve does not match \(algorithm.rawValue)"))
    }

    private func verify(_ vector: SignatureVectors.Vector, signature: String) throws -> MessageVerifier.Signature {
        let key = try vectors.key(vector.key)
        let verifier = MessageVerifier(requiring: []) { _ in key }
        func sign(_ fields: inout HTTPFields) {
            fields[.signatureInput] = "\(vector.label)=\(vector.input)"
            fields[.signature] = "\(vector.label)=:\(signature):"
        }
        switch vector.message {
        case "response", "unavailable":
            var head = vector.message == "response" ? vectors.response : vectors.unavailable
            sign(&head.headerFields)
            return try verifier.verify(head, to: vectors.request, at: date)
        default:
            var head = vector.message == "request" ? vectors.request : vectors.proxiedRequest
            sign(&head.headerFields)
            return try verifier.verify(head, at: date)
        }
    }
}
