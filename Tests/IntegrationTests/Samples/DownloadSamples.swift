import Airframe
import AirframeTestSupport
import Foundation
import Testing

@Suite("Samples: downloads", .enabled(if: Peers.areExpected), .overEachEngine, .timeLimit(.minutes(2)))
struct DownloadSamples {
    /// Migration to Alamofire 4, "Download File Destinations"; `temporaryURL` and `destinationURL` are `fileURL` in 5.
    @Test("A download without a destination stays in a temporary file, which the response names")
    func temporaryFile() async throws {
        let session = try makeSession()
        let urlString = try hangar("/bytes/5000?seed=3")
        let response: AFDownloadResponse<Data> = await handled { done in
            session.download(urlString).responseData { response in done(response) }
        }
        let fileURL = try #require(response.fileURL)
        defer { try? FileManager.default.removeItem(at: fileURL) }
        #expect(try response.result.get().count == 5000)
        #expect(try Data(contentsOf: fileURL) == response.value)
    }

    /// Migration to Alamofire 4, "Download Options"; `DownloadFileDestination` is `Destination` in 5.
    @Test("A destination makes its directories and replaces the file that is there")
    func destination() async throws {
        let directory = try ScratchFile()
        let fileURL = directory.url.appendingPathComponent("a/b/file.bin")
        let destination: DownloadRequest.Destination = { _, _ in
            (fileURL, [.removePreviousFile, .createIntermediateDirectories])
        }
        let session = try makeSession()
        for size in [1000, 2000] {
            let urlString = try hangar("/bytes/\(size)")
            let response: AFDownloadResponse<URL?> = await handled { done in
                session.download(urlString, to: destination).response { response in
                    debugPrint(response)
                    done(response)
                }
            }
            #expect(try response.result.get() == fileURL)
            #expect(try Data(contentsOf: fileURL).count == size)
        }
        let inTheWay = await session.download(try hangar("/bytes/10"), to: { _, _ in (fileURL, []) })
            .serializingDownloadedFileURL().response
        #expect(inTheWay.error?.isDownloadedFileMoveError == true)
        #expect(inTheWay.error?.destinationURL == fileURL)
    }

    /// Migration to Alamofire 4, "Download Request - Simple With URL string".
    @Test("The suggested destination has the name that the server suggests")
    func suggestedDestination() async throws {
        let destination = DownloadRequest.suggestedDownloadDestination(
            for: .cachesDirectory, options: [.createIntermediateDirectories, .removePreviousFile])
        let session = try makeSession()
        let name = "airframe-\(UUID().uuidString).bin"
        let urlString = try hangar("/download/\(name)?size=77")
        let response: AFDownloadResponse<URL?> = await handled { done in
            session.download(urlString, to: destination).response { response in done(response) }
        }
        let fileURL = try #require(try response.result.get())
        defer { try? FileManager.default.removeItem(at: fileURL) }
        let caches = try #require(FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first)
        #expect(fileURL == caches.appendingPathComponent(name))
        #expect(try Data(contentsOf: fileURL).count == 77)
    }

    /// Migration to Alamofire 4, "Download Request - Simple With URLRequest".
    @Test("A URLRequest is downloaded")
    func urlRequest() async throws {
        let file = try ScratchFile()
        let fileURL = file.url
        let session = try makeSession()
        var urlRequest = URLRequest(url: try hangar("/post").asURL())
        urlRequest.method = .post
        urlRequest.httpBody = Data("body".utf8)
        let request = session.download(urlRequest, to: { _, _ in (fileURL, []) }).validate()
        let response: AFDownloadResponse<Data> = await handled { done in
            request.responseData { response in
                debugPrint(response)
                done(response)
            }
        }
        #expect(response.fileURL == fileURL)
        // A POST without a type is a form.
        #expect(try JSONDecoder().decode(EchoedRequest.self, from: response.result.get()).form == ["body": ""])
    }

    /// Migration to Alamofire 4, "Download Request - Complex With URL String".
    @Test("A download has parameters, progress on a queue, a validation and a handler for its contents")
    func complex() async throws {
        struct Answer: Decodable, Sendable { let args: [String: String] }
        let file = try ScratchFile()
        let fileURL = file.url
        let destination: DownloadRequest.Destination = { _, _ in
            (fileURL, [.createIntermediateDirectories, .removePreviousFile])
        }
        let parameters: Parameters = ["foo": "bar"]
        let session = try makeSession()
        let urlString = try hangar("/get")
        let request = session.download(
            urlString, parameters: parameters, encoding: URLEncoding.default, to: destination
        )
        .downloadProgress(queue: DispatchQueue.global(qos: .utility)) { progress in
            #expect(progress.fractionCompleted <= 1)
        }
        .validate { request, response, fileURL in
            fileURL == nil ? .failure(CustomError(words: "no file")) : .success(())
        }
        let response: AFDownloadResponse<Answer> = await handled { done in
            request.responseDecodable(of: Answer.self) { response in done(response) }
        }
        #expect(try response.result.get().args == ["foo": "bar"])
        #expect(response.fileURL == fileURL)
        #expect(request.downloadProgress.fractionCompleted == 1)
    }

    /// Migration to Alamofire 4, "Download Request progress".
    @Test("Progress is reported on the main queue by default, and ends with the total")
    func progress() async throws {
        let size = 3 << 20
        let session = try makeSession()
        let url = try hangar("/bytes/\(size)")
        let request = session.download(url)
        let response: AFDownloadResponse<URL> = await handled { done in
            request
                .downloadProgress { progress in
                    dispatchPrecondition(condition: .onQueue(.main))
                    #expect(progress.completedUnitCount <= Int64(size))
                }
                .responseURL { response in done(response) }
        }
        if let fileURL = response.fileURL { try? FileManager.default.removeItem(at: fileURL) }
        #expect(response.error == nil)
        #expect(request.downloadProgress.isFinished)
        #expect(request.downloadProgress.totalUnitCount == Int64(size))
    }

    /// Advanced usage of Alamofire 5, "Cancelling".
    @Test("A cancelled download returns resume data, and another download continues with it")
    func resume() async throws {
        let size = 4 << 20
        let session = try makeSession()
        let whole = try await session.request(try hangar("/range/\(size)?seed=7")).serializingData().value
        let request = session.download(try hangar("/range/\(size)?seed=7&rate=200000"))
        let resumeData: Data? = await handled { done in
            request
                .downloadProgress { progress in
                    guard progress.completedUnitCount > 0, !request.isCancelled else { return }
                    request.cancel { resumeData in done(resumeData) }
                }
                .response { response in #expect(response.error?.isExplicitlyCancelledError == true) }
        }
        let data = try #require(resumeData)
        #expect(request.resumeData == data)
        // The rest need not be as slow as what was cancelled.
        let whereItIsFast = try hangar("/range/\(size)?seed=7").asURL()
        let adapter = Adapter { urlRequest, _, completion in
            var urlRequest = urlRequest
            urlRequest.url = whereItIsFast
            completion(.success(urlRequest))
        }
        let resumed = session.download(resumingWith: data, interceptor: Interceptor(adapters: [adapter]))
        let response = await resumed.serializingData().response
        #expect(response.response?.statusCode == 206)
        #expect(response.value == whole)
        if let fileURL = response.fileURL { try? FileManager.default.removeItem(at: fileURL) }
    }

    /// Advanced usage of Alamofire 5, "Cancelling".
    @Test("A download that is cancelled without resume data has none")
    func cancelWithoutResumeData() async throws {
        let session = try makeSession()
        let request = session.download(try hangar("/range/1000000?rate=1000"))
        let response: AFDownloadResponse<URL?> = await handled { done in
            request
                .downloadProgress { progress in
                    if progress.completedUnitCount > 0 { request.cancel(producingResumeData: false) }
                }
                .response { response in done(response) }
        }
        #expect(response.error?.isExplicitlyCancelledError == true)
        #expect(response.resumeData == nil && request.resumeData == nil)
    }
}
