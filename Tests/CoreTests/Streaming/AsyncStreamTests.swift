import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("Asynchronous streams", .timeLimit(.minutes(1)))
struct AsyncStreamTests {
    @Test("yield data and then the completion")
    func data() async throws {
        let session = Session(transport: ScriptedTransport.serving(PacedBody([Data("ab".utf8), Data("c".utf8)])))
        let task = session.streamRequest("http://api.test/").streamTask()
        var texts: [String] = []
        var completion: DataStreamRequest.Completion?
        for await stream in task.streamingData() {
            if let data = stream.value { texts.append(String(decoding: data, as: UTF8.self)) }
            completion = stream.completion
        }
        #expect(texts == ["ab", "c"])
        #expect(completion?.response?.statusCode == 200)
        // A reader that is added after the end receives the completion.
        var late = 0
        for await stream in task.streamingData() { late += stream.completion == nil ? 100 : 1 }
        // A short stream is replayed to readers that are added later.
        #expect(late == 201)
    }

    @Test("yield strings and decoded values")
    func values() async throws {
        let chunks = ["1", "2", "x"].map { Data($0.utf8) }
        let session = Session(transport: ScriptedTransport.serving(PacedBody(chunks)))
        var numbers: [Int?] = []
        for await stream in session.streamRequest("http://api.test/").streamTask().streamingDecodables(Int.self) {
            if let result = stream.result { numbers.append(try? result.get()) }
        }
        #expect(numbers == [1, 2, nil])

        let texts = Session(transport: ScriptedTransport.serving(PacedBody(chunks)))
        var text = ""
        for await stream in texts.streamRequest("http://api.test/").streamTask().streamingStrings() {
            text += stream.value ?? ""
        }
        #expect(text == "12x")
        let own = Session(transport: ScriptedTransport.serving(PacedBody(chunks)))
        var count = 0
        for await stream in own.streamRequest("http://api.test/").streamTask()
            .streamingResponses(serializedUsing: .passthrough)
        {
            count += stream.value?.count ?? 0
        }
        #expect(count == 3)
    }

    @Test("keep the newest elements for a slow reader with bufferingNewest")
    func bufferingPolicy() async throws {
        let chunks = (1...5).map { Data("\($0)".utf8) }
        let session = Session(transport: ScriptedTransport.serving(PacedBody(chunks)), startRequestsImmediately: false)
        let request = session.streamRequest("http://api.test/")
        var iterator = request.streamTask().streamingStrings(bufferingPolicy: .bufferingNewest(1)).makeAsyncIterator()
        // Called after the first reader: when this one has ended, the first has received everything.
        var last = request.streamTask().streamingStrings().makeAsyncIterator()
        request.resume()
        while await last.next() != nil {}
        // Only the completion was kept.
        var rest = 0
        while let stream = await iterator.next() { rest += stream.completion == nil ? 100 : 1 }
        #expect(rest == 1)
    }

    @Test("cancel the request when their reader stops, if requested", arguments: [true, false])
    func leaving(cancels: Bool) async throws {
        let body = PacedBody(Array(repeating: Data("x".utf8), count: 100))
        let session = Session(transport: ScriptedTransport.serving(body))
        let request = session.streamRequest("http://api.test/")
        for await _ in request.streamTask().streamingData(automaticallyCancelling: cancels) { break }
        if cancels {
            try await eventually("the end") { request.isCancelled || request.isFinished }
        } else {
            try await eventually("the end") { request.isFinished }
            #expect(request.error == nil)
        }
    }

    @Test("of URL requests, tasks and heads yield one element per attempt, that of curl commands one for the request")
    func attempts() async throws {
        let attempts = Atomic<Int>(0)
        let transport = ClosureTransport { request in
            let attempt = attempts.wrappingAdd(1, ordering: .relaxed).newValue
            return .text("12345", status: attempt == 1 ? 503 : 200, to: request)
        }
        let retrier = Retrier { request, _, _, completion in
            completion(request.retryCount == 0 ? .retry : .doNotRetry)
        }
        let session = Session(
            transport: transport, startRequestsImmediately: false, interceptor: Interceptor(retriers: [retrier]))
        let request = session.request("http://api.test/path").validate()
        // All begin before the request starts.
        let urls = Collected(request.urlRequests()) { $0.url?.path ?? "" }
        let tasks = Collected(request.urlSessionTasks()) { $0.taskIdentifier }
        let heads = Collected(request.httpResponses()) { $0.statusCode }
        let commands = Collected(request.cURLDescriptions()) { $0 }
        let progress = Collected(request.downloadProgress()) { $0.totalUnitCount }
        let task = request.serializingString()
        request.resume()
        #expect(try await task.value == "12345")
        #expect(await urls.values == ["/path", "/path"])
        #expect(await tasks.values == request.tasks.map(\.taskIdentifier))
        #expect(await heads.values == [503, 200])
        #expect(await commands.values.count == 1)
        #expect(await commands.values.allSatisfy { $0.hasPrefix("$ curl -v") })
        #expect(await progress.values == [5, 5])
    }

    @Test("of curl commands yield the sentence that there is none if no request can be made")
    func noCommand() async {
        let session = Session(transport: ClosureTransport { .text("text", to: $0) })
        let request = session.request("")
        let commands = Collected(request.cURLDescriptions()) { $0 }
        _ = await request.serializingData().response
        #expect(await commands.values == ["$ curl command could not be created"])
    }

    @Test("a stream counts its bytes as the progress of the download")
    func progress() async throws {
        let session = Session(transport: ScriptedTransport.serving(PacedBody([Data("ab".utf8), Data("c".utf8)])))
        let request = session.streamRequest("http://api.test/")
        for await _ in request.streamTask().streamingData() {}
        #expect(request.downloadProgress.completedUnitCount == 3)
    }

    @Test("of URL requests that begin during the adaptation yield the adapted request alone")
    func adaptedRequest() async throws {
        let held = Mutex<(@Sendable () -> Void)?>(nil)
        let adapter = Adapter { request, _, completion in
            var request = request
            request.headers.add(name: "X-Adapted", value: "yes")
            let adapted = request
            held.withLock { $0 = { completion(.success(adapted)) } }
        }
        let session = Session(
            transport: ClosureTransport { .text("text", to: $0) }, interceptor: Interceptor(adapters: [adapter]))
        let request = session.request("http://api.test/")
        let task = request.serializingString()
        try await eventually("the adapter") { held.withLock { $0 != nil } }
        let urls = Collected(request.urlRequests()) { $0.headers["X-Adapted"] ?? "no" }
        let answer = try #require(held.withLock { $0 })
        answer()
        #expect(try await task.value == "text")
        #expect(await urls.values == ["yes"])
    }

    @Test("of a finished request end immediately")
    func over() async throws {
        let session = Session(transport: ClosureTransport { .text("text", to: $0) })
        let request = session.request("http://api.test/")
        _ = try await request.serializingString().value
        var count = 0
        for await _ in request.urlRequests() { count += 1 }
        for await _ in request.uploadProgress() { count += 10 }
        #expect(count == 1)
    }

    /// Reads a stream to its end.
    private struct Collected<Value: Sendable> {
        private let task: Task<[Value], Never>

        init<Element>(_ stream: StreamOf<Element>, _ value: @escaping @Sendable (Element) -> Value) {
            nonisolated(unsafe) var iterator = stream.makeAsyncIterator()
            task = Task {
                var values: [Value] = []
                while let element = await iterator.next() { values.append(value(element)) }
                return values
            }
        }

        var values: [Value] { get async { await task.value } }
    }
}
