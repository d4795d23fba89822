import Airframe
import AirframeTestSupport
import Foundation
import Testing

@Suite("Samples: uploads", .enabled(if: Peers.areExpected), .overEachEngine, .timeLimit(.minutes(2)))
struct UploadSamples {
    /// Migration to Alamofire 4, "Upload Request - Simple With URL string".
    @Test("Data is uploaded with a POST")
    func data() async throws {
        let session = try makeSession()
        let urlString = try hangar("/anything")
        let data = Data("some data".utf8)
        let response: AFDataResponse<Data?> = await handled { done in
            session.upload(data, to: urlString).response { response in
                debugPrint(response)
                done(response)
            }
        }
        let echo = try JSONDecoder().decode(EchoedRequest.self, from: #require(response.data))
        #expect(echo.method == "POST" && echo.data == "some data")
    }

    /// Migration to Alamofire 4, "Upload Request - Simple With URLRequest".
    @Test("A file is uploaded with a URLRequest")
    func file() async throws {
        let file = try ScratchFile(size: 300_000)
        let fileURL = file.url
        let session = try makeSession()
        var urlRequest = URLRequest(url: try hangar("/upload").asURL())
        urlRequest.method = .put
        let request = session.upload(fileURL, with: urlRequest).validate()
        let response: AFDataResponse<Data> = await handled { done in
            request.responseData { response in
                debugPrint(response)
                done(response)
            }
        }
        #expect(response.request?.method == .put)
        #expect(try JSONDecoder().decode(Received.self, from: response.result.get()).bytes == 300_000)
    }

    /// Migration to Alamofire 4, "Upload Request - Complex With URL string".
    @Test("A file is uploaded with a method, progress both ways and a validation")
    func complex() async throws {
        let file = try ScratchFile(size: 2 << 20)
        let fileURL = file.url
        let session = try makeSession()
        let urlString = try hangar("/upload")
        let request = session.upload(fileURL, to: urlString, method: .put)
            .uploadProgress(queue: DispatchQueue.global(qos: .utility)) { progress in
                #expect(progress.totalUnitCount == 2 << 20)
            }
            .downloadProgress { progress in
                dispatchPrecondition(condition: .onQueue(.main))
            }
            .validate { request, response, data in
                data == nil ? .failure(CustomError(words: "no data")) : .success(())
            }
        let response: AFDataResponse<any Sendable> = await handled { done in
            let asking: any JSONResponding = request
            asking.respondJSON { response in
                debugPrint(response)
                done(response)
            }
        }
        #expect((try response.result.get() as? [String: Any])?["bytes"] as? Int == 2 << 20)
        #expect(request.uploadProgress.fractionCompleted == 1)
        #expect(request.downloadProgress.fractionCompleted == 1)
    }

    /// Advanced usage of Alamofire 5, "Progress": the total is the body's length, or the `Content-Length` that was set.
    @Test("The progress of an upload knows its total from the data, the file or the field that was set")
    func totals() async throws {
        let session = try makeSession()
        let url = try hangar("/upload")
        let file = try ScratchFile(size: 2000)
        let requests = [
            session.upload(Data(count: 1000), to: url),
            session.upload(file.url, to: url),
            session.upload(
                InputStream(data: Data(count: 3000)), to: url,
                headers: [HTTPHeader(name: "Content-Length", value: "3000")]),
        ]
        for (request, total) in zip(requests, [1000, 2000, 3000]) {
            let received = try await request.validate().serializingDecodable(Received.self).value
            #expect(received.bytes == total)
            #expect(request.uploadProgress.totalUnitCount == Int64(total))
            #expect(request.uploadProgress.completedUnitCount == Int64(total))
        }
    }

    /// Advanced usage of Alamofire 5, "UploadRequest".
    @Test("A stream is uploaded")
    func stream() async throws {
        let session = try makeSession()
        let request = session.upload(InputStream(data: Data("streamed".utf8)), to: try hangar("/anything"))
        #expect(try await request.validate().serializingDecodable(EchoedRequest.self).value.data == "streamed")
    }

    @Test("A form of parts is uploaded: data, a file and a stream")
    func multipart() async throws {
        let directory = try ScratchFile()
        try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
        let fileURL = directory.url.appendingPathComponent("note.txt")
        try Data("in a file".utf8).write(to: fileURL)
        let session = try makeSession()
        let request = session.upload(
            multipartFormData: { multipartFormData in
                multipartFormData.append(Data("one".utf8), withName: "first")
                multipartFormData.append(fileURL, withName: "second")
                multipartFormData.append(
                    InputStream(data: Data("three".utf8)), withLength: 5, name: "third", fileName: "third.bin",
                    mimeType: "application/octet-stream")
            }, to: try hangar("/post"))
        let echo = try await request.validate().serializingDecodable(EchoedRequest.self).value
        #expect(echo.form == ["first": "one"])
        #expect(echo.files.count == 2 && echo.files["second"] == "in a file")
        #expect(echo.header("Content-Type")?.hasPrefix("multipart/form-data; boundary=") == true)
    }
}
