import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@testable import AirframeAuthentication

@Suite("AWS Signature Version 4", .timeLimit(.minutes(1)))
struct AWSSignatureTests {
    /// A case of the public suite.
    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let request: String
        let canonical: String
        let stringToSign: String
        let authorization: String
        let signed: String

        var testDescription: String { name }

        /// The request, without `X-Amz-Date` and with obsolete line folding replaced by a space.
        var transportRequest: TransportRequest {
            get throws {
                let parts = request.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
                let unfolded = parts[0].replacing(/\n[ \t]+/, with: " ")
                let lines = unfolded.split(separator: "\n")
                let start = try #require(lines.first?.wholeMatch(of: /(\S+) (.*) HTTP\/1.1/))
                let method = try #require(HTTPRequest.Method(String(start.1)))
                var head = HTTPRequest(method: method, scheme: "https", authority: nil, path: String(start.2))
                for line in lines.dropFirst() {
                    let field = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                    let value = field[1].trimmingCharacters(in: .whitespaces)
                    switch field[0].lowercased() {
                    case "host": head.authority = value
                    case "x-amz-date": break
                    default:
                        head.headerFields.append(HTTPField(name: try #require(.init(String(field[0]))), value: value))
                    }
                }
                let body = parts.count > 1 && !parts[1].isEmpty ? RequestBody.bytes(Data(parts[1].utf8)) : .none
                return TransportRequest(head, body: body)
            }
        }
    }

    static let permanent = AWSCredentials(
        accessKeyID: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
    /// 2015-08-30T12:36:00Z.
    static let date = Date(timeIntervalSince1970: 1_440_938_160)

    static func vectors() throws -> [Vector] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let data = try Data(contentsOf: folder.appending(path: "Vectors/aws-sig-v4.json"))
        return try JSONDecoder().decode([Vector].self, from: data)
    }

    @Test("every case of the public suite", arguments: try vectors())
    func suite(_ vector: Vector) async throws {
        var request = try vector.transportRequest
        let isTokenLate = vector.name.hasSuffix("header-after")
        let token = vector.signed.firstMatch(of: /X-Amz-Security-Token:(\S+)/).map { String($0.1) }
        let credentials = AWSCredentials(
            accessKeyID: Self.permanent.accessKeyID,
            secretAccessKey: Self.permanent.secretAccessKey,
            sessionToken: token
        )
        let signer = AWSSignatureV4(service: "service", region: "us-east-1", signsSessionToken: !isTokenLate) {
            credentials
        }
        try await signer.sign(&request, at: Self.date)

        #expect(request.head.headerFields[.authorization] == vector.authorization)
        let sendsToken = request.head.headerFields[.token] != nil
        #expect(sendsToken == vector.signed.contains("Security-Token"))
        let hash = try await ContentHash.bytes(of: request.body, .sha256).hexadecimal
        let canonical = AWSCanonicalRequest(
            headWithoutLateToken(request, isTokenLate), contentHash: hash, encodesPathTwice: true)
        #expect(canonical.text == vector.canonical)
        let scope = AWSScope(date: Self.date, region: "us-east-1", service: "service")
        #expect(try scope.stringToSign(canonical) == vector.stringToSign)
    }

    private func headWithoutLateToken(_ request: TransportRequest, _ isTokenLate: Bool) -> HTTPRequest {
        var head = request.head
        if isTokenLate { head.headerFields[.token] = nil }
        return head
    }

    // The examples of the S3 API reference, "Authenticating Requests (AWS Signature Version 4)".

    private static let s3Date = Date(timeIntervalSince1970: 1_369_353_600)
    private static let s3Credentials = AWSCredentials(
        accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
    private let s3 = AWSSignatureV4(service: "s3", region: "us-east-1") { s3Credentials }

    @Test("for S3 the path is not normalized, and a field has the content's hash")
    func s3Object() async throws {
        var head = HTTPRequest(
            method: .get, scheme: "https", authority: "examplebucket.s3.amazonaws.com", path: "/test.txt")
        head.headerFields[.range] = "bytes=0-9"
        var request = TransportRequest(head)
        try await s3.sign(&request, at: Self.s3Date)
        #expect(
            request.head.headerFields[.authorization]
                == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
                + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
                + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
        )
    }

    @Test("a presigned URL grants access for a limited time")
    func presigned() async throws {
        let head = HTTPRequest(
            method: .get, scheme: "https", authority: "examplebucket.s3.amazonaws.com", path: "/test.txt")
        #expect(
            try await s3.presignedPath(for: head, lifetime: 86_400, at: Self.s3Date)
                == "/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256"
                + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
                + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
                + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
        )
    }

    @Test("the layer signs each hop to its origins, and no other hop")
    func layer() async throws {
        let engine = ClosureTransport { request in
            var head = HTTPResponse(status: .ok)
            head.headerFields[.signed] = request.head.headerFields[.authorization] == nil ? "no" : "yes"
            return TransportResponse(head: head, body: ResponseBody(), request: request.head)
        }
        let layer = SigningLayer(engine, signer: s3, now: { Self.s3Date }) { $0.host.hasSuffix(".amazonaws.com") }
        for (authority, isSigned) in [("b.amazonaws.com", "yes"), ("elsewhere.test", "no")] {
            let head = HTTPRequest(method: .get, scheme: "https", authority: authority, path: "/")
            let response = try await layer.send(TransportRequest(head))
            #expect(response.head.headerFields[.signed] == isSigned)
        }
    }

    @Test("content that can be read only once cannot be signed, and may go unsigned")
    func oneShot() async throws {
        let source = AsyncStream<Data> { $0.finish() }
        let head = HTTPRequest(method: .put, scheme: "https", authority: "b.amazonaws.com", path: "/")
        let request = TransportRequest(head, body: .sequence(source))
        let engine = ClosureTransport { request in
            var head = HTTPResponse(status: .ok)
            head.headerFields[.eTag] = request.head.headerFields[.contentHash]
            return TransportResponse(head: head, body: ResponseBody(), request: request.head)
        }
        let error = await #expect(throws: TransportError.self) {
            try await SigningLayer(engine, signer: s3) { _ in true }.send(request)
        }
        #expect(error?.code == .bodyNotReplayable)
        let unsigned = AWSSignatureV4(service: "s3", region: "r", contentSigning: .unsigned) { Self.s3Credentials }
        let response = try await SigningLayer(engine, signer: unsigned) { _ in true }.send(request)
        #expect(response.head.headerFields[.eTag] == "UNSIGNED-PAYLOAD")
    }

    @Test("credentials describe themselves without their secrets")
    func description() {
        let credentials = AWSCredentials(accessKeyID: "ID", secretAccessKey: "hush", sessionToken: "psst")
        var dumped = "\(credentials) \(String(reflecting: credentials))"
        dump(credentials, to: &dumped)
        #expect(dumped.contains("ID") && !dumped.contains("hush") && !dumped.contains("psst"))
    }
}

extension HTTPField.Name {
    fileprivate static var token: HTTPField.Name { HTTPField.Name("X-Amz-Security-Token") ?? .accept }
    fileprivate static var contentHash: HTTPField.Name { HTTPField.Name("X-Amz-Content-SHA256") ?? .accept }
    fileprivate static var signed: HTTPField.Name { HTTPField.Name("Signed") ?? .accept }
}
