import AirframeTransport
import Foundation
import Testing

@Suite("A transport error", .timeLimit(.minutes(1)))
struct TransportErrorTests {
    private static func error(_ code: TransportError.Code) -> TransportError {
        TransportError(code, phase: .connect, processing: .notSent, message: "it broke")
    }

    @Test("is one sentence with host, phase, cause, the library's message and the processing")
    func sentences() {
        let origin = Origin(scheme: "https", host: "api.test", port: 8443)
        let full = TransportError(
            .trustRefused,
            phase: .tls,
            processing: .notSent,
            message: "the certificate expired 2 days ago",
            origin: origin,
            libraryMessage: "OpenSSL: certificate has expired"
        )
        #expect(
            full.description == """
                request to https://api.test:8443 failed in TLS: the certificate expired 2 days ago \
                [OpenSSL: certificate has expired] (not sent)
                """
        )
        let bare = TransportError(.connectionLost, phase: .responseBody, processing: .unknown, message: "end of stream")
        #expect(bare.description == "request failed in response body: end of stream")
        let refused = TransportError(.connectionLost, phase: .pool, processing: .notProcessed, message: "GOAWAY")
        #expect(refused.description == "request failed in pool: GOAWAY (not processed)")
    }

    @Test("has the same text as a Foundation error")
    func localizedDescription() {
        let error: any Error = Self.error(.connectFailed)
        #expect(error.localizedDescription == "request failed in connect: it broke (not sent)")
    }

    @Test("has the properties that it was made with")
    func parts() {
        let error = TransportError(
            .proxyFailed,
            phase: .proxy,
            processing: .unknown,
            message: "m",
            origin: Origin(scheme: "http", host: "h"),
            libraryMessage: "l",
            urlErrorCode: -1006,
            underlying: ForeignError(number: 1)
        )
        #expect(error.code == .proxyFailed)
        #expect(error.phase == .proxy)
        #expect(error.processing == .unknown)
        #expect(error.message == "m")
        #expect(error.origin == Origin(scheme: "http", host: "h"))
        #expect(error.libraryMessage == "l")
        #expect(error.urlErrorCode == -1006)
        #expect(error.underlying as? ForeignError == ForeignError(number: 1))
    }

    static let urlErrorCodes: [(TransportError.Code, URLError.Code)] = [
        (.invalidRequest, .badURL), (.unsupportedScheme, .unsupportedURL), (.unsupportedOption, .badURL),
        (.bodyNotReplayable, .requestBodyStreamExhausted), (.bodyFailed, .requestBodyStreamExhausted),
        (.bodyLengthMismatch, .requestBodyStreamExhausted), (.cancelled, .cancelled), (.timedOut, .timedOut),
        (.poolExhausted, .timedOut), (.nameResolutionFailed, .cannotFindHost), (.connectFailed, .cannotConnectToHost),
        (.networkUnreachable, .notConnectedToInternet), (.proxyFailed, .cannotConnectToHost),
        (.tlsFailed, .secureConnectionFailed), (.trustRefused, .serverCertificateUntrusted),
        (.clientIdentityRefused, .clientCertificateRequired), (.connectionLost, .networkConnectionLost),
        (.malformedResponse, .cannotParseResponse), (.headTooLarge, .dataLengthExceedsMaximum),
        (.bodyTruncated, .networkConnectionLost), (.bodyTooLarge, .dataLengthExceedsMaximum),
        (.contentDecodingFailed, .cannotDecodeContentData), (.tooManyRedirects, .httpTooManyRedirects),
        (.invalidRedirect, .redirectToNonExistentLocation), (.transportShutDown, .networkConnectionLost),
        (.engineFailure, .unknown), (.bodyInUse, .unknown), (TransportError.Code(rawValue: "somebody's own"), .unknown),
    ]

    @Test("has the code of URLError that Foundation's users know", arguments: urlErrorCodes)
    func urlErrorCode(code: TransportError.Code, expected: URLError.Code) {
        #expect(Self.error(code).urlErrorCode == expected.rawValue)
    }

    @Test("answers whether a limit ran out, the caller ended it, the server was refused", arguments: urlErrorCodes)
    func questions(code: TransportError.Code, _: URLError.Code) {
        let error = Self.error(code)
        #expect(error.isTimeout == (code == .timedOut))
        #expect(error.isCancellation == (code == .cancelled))
        #expect(error.isTrustFailure == (code == .trustRefused))
        let withoutConnection: Set<TransportError.Code> = [
            .nameResolutionFailed, .connectFailed, .networkUnreachable, .proxyFailed, .tlsFailed, .trustRefused,
        ]
        #expect(error.isConnectionFailure == withoutConnection.contains(code))
    }

    @Test("of a cancellation names the phase")
    func cancellation() {
        let origin = Origin(scheme: "http", host: "h")
        let error = TransportError.cancelled(in: .resolve, processing: .notSent, origin: origin)
        #expect(error.isCancellation)
        #expect(error.description == "request to http://h:80 failed in name resolution: cancelled (not sent)")
    }
}
