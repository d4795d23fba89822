import AirframeCore
import AirframeEncoding
import AirframeTransport
import Foundation
import Testing

@Suite("Multipart forms", .timeLimit(.minutes(1)))
struct MultipartEncodingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func text(of form: MultipartFormData) throws -> String {
        String(decoding: try form.encode(), as: UTF8.self)
    }

    private func reason(_ work: () throws -> Void) -> AFError.MultipartEncodingFailureReason? {
        do {
            try work()
        } catch {
            if case .multipartEncodingFailed(let reason)? = error.asAFError { return reason }
        }
        return nil
    }

    @Test("boundaries separate the parts, each with its fields (RFC 7578 §4.1, RFC 2046 §5.1.1)")
    func framing() throws {
        let form = MultipartFormData(boundary: "b")
        form.append(Data("one".utf8), withName: "a")
        form.append(Data("two".utf8), withName: "c", mimeType: "text/plain")
        form.append(Data(), withName: "d", fileName: "d.bin", mimeType: "application/octet-stream")
        let expected = [
            "--b", "Content-Disposition: form-data; name=\"a\"", "", "one", "--b",
            "Content-Disposition: form-data; name=\"c\"", "Content-Type: text/plain", "", "two", "--b",
            "Content-Disposition: form-data; name=\"d\"; filename=\"d.bin\"", "Content-Type: application/octet-stream",
            "", "", "--b--", "",
        ]
        #expect(try text(of: form) == expected.joined(separator: "\r\n"))
        #expect(form.contentLength == 6)
        #expect(try form.encodedLength == UInt64(form.encode().count))
        #expect(form.contentType == "multipart/form-data; boundary=b")
    }

    @Test("a form without parts is empty, as with Alamofire")
    func empty() async throws {
        let form = MultipartFormData(boundary: "b")
        #expect(try form.encode().isEmpty)
        #expect(form.contentLength == 0 && form.encodedLength == 0)
        #expect(try form.makeRequestBody().length == 0)
        for try await chunk in try form.chunks() { #expect(chunk.isEmpty) }
    }

    @Test(
        "names are escaped as browsers escape them (WHATWG HTML, multipart/form-data)",
        arguments: [
            ("a\"b", "a%22b", "a%22b"), ("a\r\nb", "a%0D%0Ab", "a%0D%0Ab"), ("a\nb", "a%0D%0Ab", "a%0Ab"),
            ("a\rb", "a%0D%0Ab", "a%0Db"), ("a\n\rb", "a%0D%0A%0D%0Ab", "a%0A%0Db"), ("a%22\\b", "a%22\\b", "a%22\\b"),
            ("日本 é", "日本 é", "日本 é"),
        ])
    func escaping(text: String, name: String, fileName: String) throws {
        let form = MultipartFormData(boundary: "b")
        form.append(Data(), withName: text, fileName: text, mimeType: "text/plain")
        let line = "Content-Disposition: form-data; name=\"\(name)\"; filename=\"\(fileName)\"\r\n"
        #expect(try self.text(of: form).contains(line))
    }

    @Test("a line end in a header field does not begin another field (RFC 9110 §5.5)")
    func fieldInjection() throws {
        let form = MultipartFormData(boundary: "b")
        form.append(Data(), withName: "a", mimeType: "text/plain\r\nX-Evil: 1")
        form.append(InputStream(data: Data()), withLength: 0, headers: ["X\r\nY": "1\n2"])
        #expect(try text(of: form).split(separator: "\r\n").count { $0.contains("X-Evil") || $0.contains("Y") } == 2)
        #expect(try text(of: MultipartFormData(boundary: "b")).contains("Evil") == false)
    }

    @Test("boundaries are random, and an invalid one is replaced (RFC 2046 §5.1.1)")
    func boundaries() {
        #expect(MultipartFormData().boundary != MultipartFormData().boundary)
        for invalid in ["", "a\r\nb", "ä", "a ", String(repeating: "a", count: 71), "a\"b"] {
            #expect(MultipartFormData(boundary: invalid).boundary != invalid)
        }
        #expect(MultipartFormData(boundary: "a b:c").contentType == "multipart/form-data; boundary=\"a b:c\"")
    }

    @Test(
        "a file is sent under its name with the media type of its extension",
        arguments: [
            ("photo.JPG", "image/jpeg"), ("a.png", "image/png"), ("a.json", "application/json"),
            ("a.txt", "text/plain"),
            ("a.tar.gz", "application/gzip"), ("a.mp4", "video/mp4"), ("a.unheardof", "application/octet-stream"),
            ("a.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        ])
    func files(name: String, type: String) throws {
        let form = MultipartFormData(boundary: "b")
        form.append(try folder.file(name, Data("content".utf8)), withName: "f")
        let head = "name=\"f\"; filename=\"\(name)\"\r\nContent-Type: \(type)\r\n\r\ncontent\r\n--b--"
        #expect(try text(of: form).contains(head))
        #expect(form.contentLength == 7)
    }

    @Test("encoding throws the first error of the parts")
    func refusedParts() throws {
        let missing = folder.url.appendingPathComponent("missing.txt")
        let form = MultipartFormData()
        form.append(missing, withName: "a")
        form.append(folder.url, withName: "b", fileName: "b", mimeType: "c")
        guard case .bodyPartFileNotReachableWithError(missing, _) = reason({ _ = try form.encode() }) else {
            Issue.record("a missing file")
            return
        }
        #expect(throws: AFError.self) { try form.writeEncodedData(to: folder.url.appendingPathComponent("out")) }
        #expect(throws: AFError.self) { try form.makeRequestBody() }
    }

    @Test("each kind of unusable file has its own error")
    func fileReasons() throws {
        let web = try #require(URL(string: "https://api.test/a.txt"))
        let cases: [(URL, Bool, String)] = [
            (web, true, "bodyPartURLInvalid"), (folder.url, true, "bodyPartFileIsDirectory"),
            (folder.url.appendingPathComponent("none"), true, "bodyPartFileNotReachableWithError"),
            (try folder.file("name", Data()), false, "bodyPartFilenameInvalid"),
        ]
        for (url, isNamed, expected) in cases {
            let form = MultipartFormData()
            if isNamed {
                form.append(url, withName: "a", fileName: "a", mimeType: "text/plain")
            } else {
                form.append(url, withName: "a")
            }
            let found = reason { _ = try form.encode() }
            #expect(String(describing: found).contains(expected))
        }
    }

    @Test("a named pipe or a device is no part: opening a pipe would wait for its writer (decision 37)")
    func irregularFiles() throws {
        let pipe = folder.url.appendingPathComponent("pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        for url in [pipe, URL(fileURLWithPath: "/dev/null")] {
            let form = MultipartFormData()
            form.append(url, withName: "a", fileName: "a", mimeType: "text/plain")
            guard case .bodyPartInputStreamCreationFailed(url) = reason({ _ = try form.encode() }) else {
                Issue.record("\(url.path) was accepted")
                continue
            }
        }
    }

    @Test("a stream part is read once and must have its announced length")
    func streams() throws {
        let form = MultipartFormData(boundary: "b")
        let stream = InputStream(data: Data("stream".utf8))
        form.append(stream, withLength: 6, name: "s", fileName: "s.txt", mimeType: "text/plain")
        #expect(try text(of: form).contains("\r\n\r\nstream\r\n--b--"))
        #expect(throws: AFError.self) { try form.encode() }
        for length: UInt64 in [5, 7] {
            let form = MultipartFormData()
            form.append(InputStream(data: Data("stream".utf8)), withLength: length, headers: ["A": "b"])
            guard case .inputStreamReadFailed(let error) = reason({ _ = try form.encode() }) else {
                Issue.record("a stream of another length")
                continue
            }
            let wrong = try #require(error as? AFError.UnexpectedInputStreamLength)
            #expect(wrong.bytesExpected == length)
            #expect(wrong.bytesRead == 6)
        }
    }

    @Test("a stream of unknown length is read to its end, and the form's length is unknown")
    func unknownLength() throws {
        let form = MultipartFormData(boundary: "b")
        form.append(InputStream(data: Data("stream".utf8)), withName: "s", fileName: "s", mimeType: "a/b")
        #expect(form.encodedLength == nil)
        #expect(form.contentLength == 0)
        #expect(try text(of: form).contains("\r\n\r\nstream\r\n--b--"))
    }

    @Test("a file that changed its size since it was appended is an error")
    func changedFile() throws {
        let file = try folder.file("a.txt", Data("four".utf8))
        let form = MultipartFormData()
        form.append(file, withName: "a")
        try Data("three".utf8).write(to: file)
        guard case .inputStreamReadFailed(let error) = reason({ _ = try form.encode() }) else {
            Issue.record("a file of another size")
            return
        }
        #expect(error is AFError.UnexpectedInputStreamLength)
    }

    @Test("a form is written to a new file, and never over another")
    func writing() throws {
        let form = MultipartFormData()
        form.append(try folder.file("a.txt", Data(repeating: 65, count: 300_000)), withName: "a")
        let output = folder.url.appendingPathComponent("out")
        try form.writeEncodedData(to: output)
        #expect(try Data(contentsOf: output) == form.encode())
        guard case .outputStreamFileAlreadyExists(output) = reason({ try form.writeEncodedData(to: output) }) else {
            Issue.record("a file that is there already")
            return
        }
        let web = try #require(URL(string: "https://api.test/"))
        guard case .outputStreamURLInvalid(web) = reason({ try form.writeEncodedData(to: web) }) else {
            Issue.record("no file URL")
            return
        }
        let nowhere = folder.url.appendingPathComponent("none/out")
        guard case .outputStreamCreationFailed(nowhere) = reason({ try form.writeEncodedData(to: nowhere) }) else {
            Issue.record("no such folder")
            return
        }
    }

    @Test("the incomplete file is removed when a part fails")
    func failedWriting() throws {
        let form = MultipartFormData()
        form.append(InputStream(data: Data("short".utf8)), withLength: 50, headers: ["A": "b"])
        let output = folder.url.appendingPathComponent("out")
        #expect(throws: AFError.self) { try form.writeEncodedData(to: output) }
        #expect(FileManager.default.fileExists(atPath: output.path) == false)
    }

    @Test("the content type can be another one, in a subclass too")
    func contentType() {
        // `@unchecked Sendable` like its superclass, whose state a lock guards; it adds none.
        final class Mixed: MultipartFormData, @unchecked Sendable {
            override var contentType: String {
                get { super.contentType.replacingOccurrences(of: "form-data", with: "mixed") }
                set { super.contentType = newValue }
            }
        }
        let form = Mixed(boundary: "b")
        #expect(form.contentType == "multipart/mixed; boundary=b")
        form.contentType = "multipart/related; boundary=b"
        #expect(form.contentType == "multipart/related; boundary=b")
    }
}
