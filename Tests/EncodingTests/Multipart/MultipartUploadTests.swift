import AirframeCore
import AirframeMock
import AirframeSerialization
import AirframeTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import AirframeEncoding

@Suite("Uploads of multipart forms", .timeLimit(.minutes(1)))
struct MultipartUploadTests {
    private let folder: TemporaryFolder
    private let mock = MockTransport { Route(.post, "/").reply(.text("done")) }
    private let url = "http://api.test/"

    init() throws { folder = try TemporaryFolder() }

    @Test("every upload overload sends the form with its content type and length")
    func spellings() async throws {
        let session = Session(transport: mock)
        let form = MultipartFormData(boundary: "b")
        form.append(Data("value".utf8), withName: "key")
        let request = try URLRequest(url: url, method: .post)
        let uploads = [
            session.upload(multipartFormData: form, to: url), session.upload(multipartFormData: form, with: request),
            session.upload(multipartFormData: form, to: url, usingThreshold: 0),
            session.upload(multipartFormData: form, with: request, usingThreshold: 1_000),
            session.upload(multipartFormData: { $0.append(Data("value".utf8), withName: "key") }, to: url),
            session.upload(
                multipartFormData: { form in
                    form.append(Data("value".utf8), withName: "key")
                }, to: url, usingThreshold: 1, method: .post, headers: ["A": "b"]),
            session.upload(multipartFormData: { $0.append(Data("value".utf8), withName: "key") }, with: request),
            session.upload(
                multipartFormData: { $0.append(Data("value".utf8), withName: "key") }, with: request, usingThreshold: 1),
        ]
        for upload in uploads { #expect(try await upload.serializingString().value == "done") }
        for recorded in mock.requests {
            let type = try #require(recorded.headerFields[.contentType])
            let boundary = try #require(type.split(separator: "=").last)
            let disposition = "Content-Disposition: form-data; name=\"key\"\r\n\r\n"
            #expect(type.hasPrefix("multipart/form-data; boundary="))
            #expect(recorded.body == Data("--\(boundary)\r\n\(disposition)value\r\n--\(boundary)--\r\n".utf8))
            #expect(recorded.headerFields[.contentLength].map { $0 == "\(recorded.body.count)" } ?? true)
        }
        #expect(mock.requests.count == uploads.count)
    }

    @Test(
        "the form is in memory below the threshold, otherwise in a file that is removed after the request"
    )
    func threshold() async throws {
        let session = Session(transport: mock)
        let form = MultipartFormData()
        form.append(Data("value".utf8), withName: "key")
        let small = session.upload(multipartFormData: form, to: url, usingThreshold: 6)
        _ = try await small.serializingString().value
        guard case .data = small.uploadable else {
            Issue.record("not in memory: \(String(describing: small.uploadable))")
            return
        }
        let large = session.upload(multipartFormData: form, to: url, usingThreshold: 5)
        _ = try await large.serializingString().value
        guard case .file(let file, shouldRemove: true) = large.uploadable else {
            Issue.record("not in a file: \(String(describing: large.uploadable))")
            return
        }
        try await eventually("the removal") { !FileManager.default.fileExists(atPath: file.path) }
    }

    @Test("only the owner can read the temporary file, which shares no folder with other users' files")
    func temporaryFile() throws {
        let form = MultipartFormData()
        form.append(Data("value".utf8), withName: "key")
        let upload = MultipartUpload(
            form: form, request: try URLRequest(url: url, method: .post), storage: .threshold(0), fileManager: .default)
        guard case .file(let file, shouldRemove: true) = try upload.createUploadable() else {
            Issue.record("not in a file")
            return
        }
        defer { try? FileManager.default.removeItem(at: file) }
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        let folder = FileManager.default.temporaryDirectory.standardizedFileURL.path
        #expect(file.deletingLastPathComponent().standardizedFileURL.path == folder)
        #expect(try Data(contentsOf: file) == form.encode())
    }

    @Test("a large form is read while it is sent, and again for a retry")
    func retry() async throws {
        let file = try folder.sparseFile("large.bin", size: 11_000_000)
        let flaky = MockTransport { Route(.post, "/").reply(.sequence([.status(503), .text("done")])) }
        let form = MultipartFormData()
        form.append(file, withName: "f")
        let retrier = Retrier { request, _, _, completion in completion(request.retryCount < 1 ? .retry : .doNotRetry) }
        let session = Session(transport: flaky)
        let upload = session.upload(multipartFormData: form, to: url, interceptor: Interceptor(retriers: [retrier]))
            .validate()
        #expect(try await upload.serializingString().value == "done")
        #expect(flaky.requests.map(\.bodyByteCount) == [Int64](repeating: Int64(try form.encode().count), count: 2))
        guard case .stream = upload.uploadable else {
            Issue.record("not streamed: \(String(describing: upload.uploadable))")
            return
        }
    }

    @Test("the curl command of a form has no content before the request encodes the form, and its content after")
    func curlCommand() async throws {
        let session = Session(transport: mock)
        let form = MultipartFormData(boundary: "b")
        form.append(Data("value".utf8), withName: "key")
        let upload = session.upload(multipartFormData: form, to: url)
        let before = try #require(upload.cURLCommand(showingSecrets: true))
        #expect(before.contains("-H 'Content-Type: multipart/form-data; boundary=b'"))
        #expect(before.contains("--data-binary @-"))
        #expect(!before.contains("value"))
        #expect(upload.uploadable == nil)
        #expect(try await upload.serializingString().value == "done")
        let after = try #require(upload.cURLCommand(showingSecrets: true))
        #expect(after.contains("-d '--b\r\n"))
        #expect(after.contains("value"))
        #expect(!after.contains("--data-binary"))
    }

    @Test("a form that cannot be encoded fails the request with the error")
    func failure() async throws {
        let session = Session(transport: mock)
        let upload = session.upload(
            multipartFormData: { $0.append(folder.url.appendingPathComponent("no.txt"), withName: "f") }, to: url)
        let error = await upload.serializingString().response.error
        #expect(error?.isMultipartEncodingError == true)
        #expect(mock.requests.isEmpty)
    }
}
