internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

extension ConformanceCase {
    /// The faults that concern the layers above an engine.
    static let layerFaults: [ConformanceCase] = redirectFaults + codingFaults

    private static func redirect(
        _ name: String,
        _ title: String,
        _ fields: [String],
        isError: Bool
    ) -> ConformanceCase {
        ConformanceCase(
            .fault, name, title,
            peer: .keeping(Answer.head("302 Found", fields: fields + ["Content-Length: 0"]))
        ) { trial in
            let outcome = await trial.get()
            if let error = outcome.error { trial.expect(!error.message.isEmpty, "the error has no message") }
            guard isError else { return }
            let codes: [TransportError.Code] = [.tooManyRedirects, .invalidRedirect]
            trial.expect(
                outcome.error.map { codes.contains($0.code) } ?? false, "expected an error, got \(outcome.summary)")
        }
    }

    private static let redirectFaults: [ConformanceCase] = [
        redirect("redirect-loop", "redirects without end are a clear error", ["Location: /again"], isError: true),
        redirect("redirect-no-location", "a redirect without a place: a response or an error", [], isError: false),
        redirect(
            "redirect-bad-location", "a redirect to no URL: a response or an error", ["Location: http://[/"],
            isError: false),
        redirect(
            "redirect-to-file", "a redirect to a file is refused", ["Location: file:///etc/passwd"], isError: true),
    ]

    /// A case of a coded body. It asks for a layer that decodes the coding, regardless of the outcome.
    private static func coded(
        _ name: String,
        _ title: String,
        _ coding: String,
        _ hexadecimal: String,
        _ requirement: Fault.Requirement
    ) -> ConformanceCase {
        let body = bytes(hexadecimal)
        let head = Answer.head(fields: ["Content-Encoding: \(coding)", "Content-Length: \(body.count)"])
        return ConformanceCase(
            .fault, name, title,
            peer: PeerScenario(.forever([.readRequest, .sendBytes(Array(head.utf8) + body)]))
        ) { trial in
            let codings = trial.transport.capabilities.contentCodings
            try trial.require(codings.contains("gzip"), "nothing here decodes gzip")
            let outcome = await trial.get()
            switch requirement {
            case .ok:
                trial.expect(outcome.isWhole && outcome.text == "hello", "got \(outcome.summary)")
            case .error: trial.expect(outcome.error != nil, "expected an error, got \(outcome.summary)")
            case .any: trial.judge(outcome, .anything)
            }
        }
    }

    // "hello" in each coding.
    private static let gzip = "1f8b0800000000000003cb48cdc9c9070086a6103605000000"
    private static let deflate = "cb48cdc9c90700"

    private static let codingFaults: [ConformanceCase] = [
        coded("gzip-good", "a gzip body is decoded", "gzip", gzip, .ok),
        coded("gzip-cut", "a gzip body that is cut is a clear error", "gzip", String(gzip.prefix(26)), .error),
        coded(
            "gzip-bad-crc", "so is one whose checksum is wrong", "gzip", gzip.replacing("86a61036", with: "86a61037"),
            .error),
        coded("gzip-garbage", "and one that is none", "gzip", "00112233445566778899", .error),
        coded("gzip-trailing-garbage", "bytes after a gzip body: whole or an error", "gzip", gzip + "ffffff", .any),
        coded("gzip-two-members", "a gzip body may have members (RFC 1952 §2.2)", "gzip", members, .ok),
        coded("gzip-empty", "no bytes, labelled as gzip: whole or an error", "gzip", "", .any),
        coded("deflate-raw", "deflate without its zlib frame is decoded, as servers send it", "deflate", deflate, .ok),
        coded("encoding-unknown", "an unknown coding: whole or an error", "rot13", "7572797962", .any),
    ]

    /// "hel" and "lo".
    private static let members =
        "1f8b0800000000000203cb48cd01001bf10be503000000" + "1f8b0800000000000203cbc907009d4a9c5502000000"

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap { $0.hexDigitValue }
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
