import AirframeTransport
import Foundation
import Testing

@testable import AirframeCore

@Suite("Temporary files of downloads", .timeLimit(.minutes(1)))
struct PartialFileTests {
    @Test("the error of a file that cannot be written names the URL without its secrets")
    func secrets() throws {
        let session = Session(transport: ClosureTransport { .text(to: $0) })
        let urlRequest = try URLRequest(
            url: "http://user:s3cret@files.test/?access_token=s3cret&page=1", method: .get)
        let task = URLSessionDownloadTask(request: session.download(urlRequest), original: urlRequest)
        let file = try PartialFile.create(for: task)
        defer { TemporaryFile.remove(file.url) }
        try file.close()
        // The descriptor is closed, so that the kernel refuses the write.
        let error = #expect(throws: AFError.self) { try file.write(Data("x".utf8)) }
        let urlError = try #require(error?.underlyingError as? URLError)
        #expect(urlError.code == .cannotWriteToFile)
        let failingURL = try #require(urlError.failingURL)
        #expect(failingURL.host() == "files.test" && failingURL.absoluteString.contains("page=1"))
        #expect(!failingURL.absoluteString.contains("s3cret"))
        #expect(!"\(urlError)".contains("s3cret"))
    }
}
