import AirframeSecurity
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

/// A fault of a responder's answers.
enum ResponderFault: Sendable, Equatable {
    case garbage
    case anotherCertificate
    case status(Int)
    case tooLong
    case broken
}

extension ScriptedTransport {
    /// A transport to `openssl ocsp`, and to the revocation list of the test PKI at `crl.test`.
    static func responder(_ pki: PKI, fault: ResponderFault? = nil) -> ScriptedTransport {
        ScriptedTransport(engine: "openssl ocsp") { request throws(TransportError) in
            do {
                let isList = request.head.authority == "crl.test"
                let answer = isList ? try pki.data("issuing.crl") : try pki.answer(request, fault)
                var status = HTTPResponse.Status.ok
                if case .status(let code) = fault { status = .init(code: code) }
                return TransportResponse(
                    head: HTTPResponse(status: status),
                    body: ResponseBody(answer),
                    request: request.head
                )
            } catch {
                throw TransportError(.connectFailed, phase: .connect, processing: .notSent, message: "\(error)")
            }
        }
    }
}

extension PKI {
    fileprivate func answer(_ request: TransportRequest, _ fault: ResponderFault?) throws -> Data {
        switch fault {
        case .garbage: return Data([1, 2, 3])
        case .anotherCertificate: return try data("valid.ocsp")
        case .tooLong: return Data(count: 1 << 20)
        case .broken: throw CertificateError("the responder is broken")
        case .status, nil: break
        }
        #expect(request.head.method == .post)
        #expect(request.head.headerFields[.contentType] == "application/ocsp-request")
        guard case .bytes(let question) = request.body.content else { throw CertificateError("no question") }
        let file = path("question-\(UUID().uuidString)")
        try question.write(to: URL(filePath: file))
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = [
            "ocsp", "-index", path("index.txt"), "-CA", path("intermediate.pem"), "-rsigner",
            path("responder.pem"), "-rkey", path("responder.key"), "-ndays", "1", "-reqin", file, "-respout",
            "\(file).answer",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return try Data(contentsOf: URL(filePath: "\(file).answer"))
    }
}
