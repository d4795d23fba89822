import Airframe
import AirframeTestSupport
import Foundation
import Testing

/// The guides that the other samples come from are older than these ways: here is what their requests look like in
/// them.
@Suite("Samples: requests that are awaited", .enabled(if: Peers.areExpected), .overEachEngine, .timeLimit(.minutes(2)))
struct ConcurrencySamples {
    @Test("A response is awaited as a whole, as a result, or as its value")
    func forms() async throws {
        let session = try makeSession()
        let task = session.request(try hangar("/get?foo=bar")).validate().serializingDecodable(EchoedRequest.self)
        #expect(await task.response.response?.statusCode == 200)
        #expect(try await task.result.get().args == ["foo": "bar"])
        #expect(try await task.value.args == ["foo": "bar"])
        let missing = session.request(try hangar("/status/404")).validate().serializingData()
        await #expect(throws: AFError.self) { try await missing.value }
    }

    @Test("A task that is cancelled cancels its request")
    func cancellation() async throws {
        let session = try makeSession()
        let request = session.request(try hangar("/delay/100"))
        let task = Task { await request.serializingData(automaticallyCancelling: true).response }
        for await _ in request.urlSessionTasks() { break }
        task.cancel()
        #expect(await task.value.error?.isExplicitlyCancelledError == true)
        #expect(request.isCancelled)
    }

    @Test("A download is awaited as data, as text and as the place of its file")
    func downloads() async throws {
        let file = try ScratchFile()
        let fileURL = file.url
        let session = try makeSession()
        let request = session.download(try hangar("/robots.txt"), to: { _, _ in (fileURL, [.removePreviousFile]) })
        #expect(try await request.serializingDownloadedFileURL().value == fileURL)
        let text = try String(contentsOf: fileURL, encoding: .utf8)
        #expect(try await request.serializingString().value == text)
        #expect(try await request.serializingData().value == Data(text.utf8))
    }

    @Test("A stream is read as text; its end is reported last")
    func streams() async throws {
        let session = try makeSession()
        let task = session.streamRequest(try hangar("/stream/3")).validate().streamTask()
        var text = ""
        var ends = 0
        for await stream in task.streamingStrings() {
            switch stream.event {
            case .stream(.success(let part)): text += part
            case .complete(let completion):
                ends += 1
                #expect(completion.error == nil && completion.response?.statusCode == 200)
            }
        }
        #expect(text.split(separator: "\n").count == 3 && ends == 1)
    }

    @Test("A stream's handler receives text as it arrives, and the completion")
    func streamHandler() async throws {
        let session = try makeSession()
        let url = try hangar("/stream/2")
        let completion: DataStreamRequest.Completion = await handled { done in
            session.streamRequest(url).responseStreamString { stream in
                switch stream.event {
                case .stream(.success(let text)): #expect(!text.isEmpty)
                case .complete(let completion): done(completion)
                }
            }
        }
        #expect(completion.error == nil && completion.response?.statusCode == 200)
    }
}
