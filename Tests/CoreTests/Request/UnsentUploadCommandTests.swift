import AirframeCore
import AirframeSerialization
import AirframeTransport
import Foundation
import Testing

@Suite("cURL commands of uploads that have not been sent", .timeLimit(.minutes(1)))
struct UnsentUploadCommandTests {
    private let session = Session(transport: ClosureTransport { .text(to: $0) }, startRequestsImmediately: false)
    private let url = "http://api.test/"

    /// The words of the command that shows all secrets: the options, and the URL as the last one.
    private func words(of upload: UploadRequest) throws -> [String] {
        let command = try #require(upload.cURLCommand(showingSecrets: true))
        return command.components(separatedBy: " \\\n\t")
    }

    /// The option for the body, which is the last one.
    private func bodyOption(of upload: UploadRequest) throws -> String? { try words(of: upload).dropLast().last }

    private func expectUntouched(_ upload: UploadRequest) {
        #expect(upload.uploadable == nil)
        #expect(upload.state == .initialized)
        #expect(upload.requests.isEmpty)
    }

    @Test("have the data, as text or through printf")
    func data() throws {
        let text = session.upload(Data("it's text".utf8), to: url)
        #expect(try words(of: text).contains("-X POST"))
        #expect(try bodyOption(of: text) == #"-d 'it'\''s text'"#)
        expectUntouched(text)
        let binary = session.upload(Data([0, 255]), with: try URLRequest(url: url, method: .put))
        #expect(try words(of: binary).first == #"printf '\000\377' | curl"#)
        #expect(try bodyOption(of: binary) == "--data-binary @-")
        expectUntouched(binary)
    }

    @Test("redact the data's secrets unless they are requested")
    func secrets() throws {
        let form = Data("a=1&password=s3cret".utf8)
        let upload = session.upload(form, to: url, headers: [.contentType("application/x-www-form-urlencoded")])
        for command in [upload.cURLCommand(), upload.cURLCommand(redaction: .standard)] {
            let command = try #require(command)
            #expect(command.contains("a=1"))
            #expect(!command.contains("s3cret"))
        }
        #expect(try bodyOption(of: upload) == "-d 'a=1&password=s3cret'")
    }

    @Test("have the path of the file, which is not opened")
    func file() throws {
        let file = URL(fileURLWithPath: "/nowhere/it's.bin")
        let upload = session.upload(file, to: url)
        #expect(try bodyOption(of: upload) == #"--data-binary '@/nowhere/it'\''s.bin'"#)
        expectUntouched(upload)
    }

    @Test("read a stream from their standard input, and leave the request's stream unread")
    func stream() throws {
        let stream = InputStream(data: Data("content".utf8))
        let upload = session.upload(stream, to: url)
        #expect(try bodyOption(of: upload) == "--data-binary @-")
        #expect(stream.streamStatus == .notOpen)
        expectUntouched(upload)
    }

    /// A source that counts how often its content is made.
    private struct Source: UploadConvertible {
        let makings = Counter()

        func createUploadable() throws -> UploadRequest.Uploadable {
            makings.next()
            return .data(Data("made".utf8))
        }

        func asURLRequest() throws -> URLRequest { try URLRequest(url: "http://api.test/", method: .post) }
    }

    @Test("do not make the content of a custom source, and have it once the request has made it")
    func custom() async throws {
        let source = Source()
        let upload = session.upload(
            source, interceptor: nil, shouldAutomaticallyResume: nil, fileManager: FileManager.default)
        #expect(try bodyOption(of: upload) == "--data-binary @-")
        #expect(source.makings.value == 0)
        expectUntouched(upload)
        upload.resume()
        _ = await upload.serializingData().response
        #expect(source.makings.value == 1)
        #expect(try bodyOption(of: upload) == "-d 'made'")
    }
}
