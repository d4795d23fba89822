import Airframe
import AirframeMock
import Foundation
import HTTPTypes
import Testing

/// To Swift a `/` and a combining mark behind it are one `Character`, and no slash; to a file system, a shell and a
/// server they are a slash and a mark. Whatever checks or quotes input must see the scalars.
@Suite("Input is checked by scalars and not by characters", .timeLimit(.minutes(1)))
struct ScalarTests {
    /// Scalars that join what stands before them: marks of each kind, a joiner, a variation selector, a skin tone.
    static let joiners = [
        "\u{301}", "\u{338}", "\u{20DD}", "\u{93E}", "\u{200D}", "\u{FE0F}", "\u{1F3FB}", "\u{E0061}",
    ]

    @Test("A file name that a server suggests stays in its directory and visible", arguments: joiners)
    func fileNames(joiner: String) throws {
        let names = [
            "../\(joiner)etc/passwd", "/\(joiner)etc/\(joiner)passwd", "..\(joiner)/\(joiner)..", "a\\\(joiner)b",
            ".\(joiner)bashrc", "\(joiner)", "\(joiner)/x", ".\(joiner)", "..\(joiner)", "x/\(joiner).\(joiner)profile",
            "\(joiner).bashrc", "a" + String(repeating: joiner, count: 500) + ".txt",
            String(repeating: "ä", count: 300) + joiner + ".txt\(joiner)",
        ]
        let allowed = CharacterSet.alphanumerics
        for name in names {
            let coded =
                name.addingPercentEncoding(
                    withAllowedCharacters: allowed.intersection(CharacterSet(charactersIn: "\0"..."\u{7F}"))) ?? ""
            for disposition in ["attachment; filename*=UTF-8''\(coded)", "attachment; filename=\"\(name)\""] {
                guard
                    let url = URL(string: "http://h.test/fallback"),
                    let response = HTTPURLResponse(
                        url: url, statusCode: 200, httpVersion: nil, headerFields: ["Content-Disposition": disposition]),
                    let safe = response.suggestedFilename
                else { continue }
                expectSafe(safe)
            }
            if let url = URL(string: "http://h.test/\(coded)") {
                let response = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
                expectSafe(try #require(response.suggestedFilename))
            }
        }
    }

    private func expectSafe(_ name: String) {
        let scalars = name.unicodeScalars
        #expect(!scalars.contains("/") && !scalars.contains("\\"), "\(name.debugDescription)")
        #expect(scalars.first != "." && !name.isEmpty && name.utf8.count <= 255, "\(name.debugDescription)")
        let directory = URL(fileURLWithPath: "/tmp/downloads", isDirectory: true)
        let path = Array(directory.appendingPathComponent(name).path.utf8)
        #expect(path.starts(with: "/tmp/downloads/".utf8))
        #expect(path.filter { $0 == UInt8(ascii: "/") }.count == 3, "\(name.debugDescription)")
    }

    @Test("A command for a shell quotes every quote, and takes no text for a file", arguments: joiners)
    func commands(joiner: String) async throws {
        let session = Session(transport: MockTransport { Route("/**").reply(.text("ok")) })
        let request = session.request("http://h.test/", method: .post) {
            $0.httpBody = Data("@\(joiner)/etc/passwd '\(joiner); id".utf8)
            $0.httpMethod = "POST"
        }
        _ = await request.serializingString().response
        let command = try #require(request.cURLCommand(showingSecrets: true))
        #expect(command.utf8.firstRange(of: "--data-raw '@".utf8) != nil, "\(command)")
        #expect(command.utf8.firstRange(of: "'\\''".utf8) != nil, "\(command)")
        let odd = session.request("http://h.test/") { $0.httpMethod = "GET;\(joiner)id" }
        _ = await odd.serializingString().response
        #expect(odd.cURLCommand().map { $0.utf8.firstRange(of: "-X 'GET;".utf8) != nil } ?? true)
    }

    @Test("A line end in a field is seen with anything behind it", arguments: joiners)
    func fields(joiner: String) async {
        let mock = MockTransport { Route("/**").reply(.text("ok")) }
        let session = Session(transport: mock)
        for end in ["\r", "\n", "\r\n", "\0"] {
            let headers: HTTPHeaders = ["X-A": "a\(end)\(joiner)X-B: b"]
            let error = await session.request("http://h.test/", headers: headers).serializingString().response.error
            #expect(error?.isCreateURLRequestError == true)
        }
        #expect(mock.requests.isEmpty)
    }

    @Test("Quotes in the names of a form's parts are escaped with anything behind them", arguments: joiners)
    func multipart(joiner: String) throws {
        let form = MultipartFormData(boundary: "b")
        form.append(
            Data(), withName: "a\"\(joiner); x=\"\r\(joiner)\n\(joiner)", fileName: "\"\(joiner)\r\n\(joiner)",
            mimeType: "a/b")
        let lines = try form.encode().split(separator: UInt8(ascii: "\n"))
        let disposition = try #require(lines.first { $0.starts(with: "Content-Disposition".utf8) })
        #expect(disposition.filter { $0 == UInt8(ascii: "\"") }.count == 4)
        #expect(lines.count == 6, "boundary, two fields, an empty line, the content, the closing boundary")
    }

    @Test("Secrets are found with a joiner before and behind every separator", arguments: joiners)
    func redaction(joiner: String) {
        let policy = RedactionPolicy.standard
        for separator in ["?", "&", ";", "#"] {
            let url = "http://h/?x\(separator)\(joiner)a=1&\(joiner)b\(separator)token=\(joiner)s3cret"
            #expect(!contains(policy.url(url)))
        }
        #expect(!contains(policy.url("http://u:\(joiner)s3cret@\(joiner)h/")))
        #expect(!contains(policy.form("a=1&\(joiner)&password=\(joiner)s3cret")))
        #expect(!contains(policy.json("{\"\(joiner)a\":1,\"password\":\"\(joiner)s3cret\"}")))
        #expect(!contains(policy.xml("<\(joiner)a><password>\(joiner)s3cret</password>")))
        #expect(!contains(policy.sentence("to http://u:s3cret@\(joiner)h/?token=\(joiner)s3cret")))
        #expect(!contains(Redaction.invalidURL("http://u:\(joiner)s3cret@\(joiner)[/?\(joiner)s3cret")))
    }

    private func contains(_ text: String) -> Bool { text.utf8.firstRange(of: "s3cret".utf8) != nil }

    @Test("An authority is split where an engine splits it", arguments: joiners)
    func authorities(joiner: String) {
        #expect(
            Origin(scheme: "http", authority: "good.test@\(joiner)evil.test")?.host.unicodeScalars.contains("@") != true
        )
        #expect(Origin(scheme: "http", authority: "good.test:\(joiner)80") == nil)
        #expect(Origin(scheme: "http", authority: "[::1]\(joiner):80") == nil)
        #expect(Origin(scheme: "http", host: "ban\u{212A}.test").host != "bank.test", "the Kelvin sign is not a k")
    }
}
