import AirframeCore
import AirframeHAR
import AirframeInspection
import AirframeMock
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("An inspected program", .timeLimit(.minutes(1)))
struct InspectorTests {
    /// A path that no other test uses, short enough for a socket.
    private func socket() -> InspectionSocket { .path("/tmp/airframe-test-\(UUID().uuidString.prefix(8)).sock") }

    private func session(_ inspector: Inspector) -> Session {
        let engine = MockTransport { Route(.get, "/**").reply(.text("ok")) }
        return Session(transport: engine, eventMonitors: [inspector])
    }

    @Test("a viewer receives the program, and the start and entry of each exchange without secrets")
    func messages() async throws {
        let inspector = try Inspector(socket())
        let messages = try InspectionClient(inspector.socket).messages()
        let session = session(inspector)
        _ = await session.request(
            "http://api.test/a?token=s3cret", headers: ["Authorization": "Bearer s3cret"]
        ).serializingString().response
        var seen: [InspectionMessage] = []
        for try await message in messages {
            seen.append(message)
            if case .finished = message { break }
        }
        seen.removeAll { $0 == .current }
        guard case .hello(let program) = seen.first, case .started(let start) = seen.dropFirst().first,
            case .finished(let id, let entry) = seen.last
        else { return #expect(Bool(false), "\(seen)") }
        #expect(program.process == getpid())
        #expect(start.id == id && start.method == "GET")
        #expect(entry.response.status == 200)
        #expect(entry.response.content.text == "ok")
        #expect(entry.request.headers.contains { $0.name == "Authorization" })
        #expect(!"\(seen)".contains("s3cret"), "\(seen)")
    }

    @Test("a viewer that connects later receives the history")
    func history() async throws {
        let inspector = try Inspector(socket(), history: 2)
        let session = session(inspector)
        for number in 1...6 {
            _ = await session.request("http://api.test/\(number)").serializingString().response
        }
        await inspector.flush()
        var urls: [String] = []
        for try await message in try InspectionClient(inspector.socket).messages() {
            guard case .finished(_, let entry) = message else { continue }
            urls.append(entry.request.url)
            if entry.request.url.hasSuffix("/6") { break }
        }
        #expect((2...4).contains(urls.count), "\(urls)")
        #expect(urls.last == "http://api.test/6")
    }

    @Test("a viewer that has connected receives the first request, a hundred times")
    func connectedViewer() async throws {
        for _ in 1...100 {
            let inspector = try Inspector(socket())
            let session = session(inspector)
            let messages = try InspectionClient(inspector.socket).messages()
            _ = await session.request("http://api.test/").serializingString().response
            var started = 0
            for try await message in messages {
                if case .started = message { started += 1 }
                if case .finished = message { break }
            }
            try #require(started == 1)
        }
    }

    @Test("a viewer that connects during an exchange receives its start")
    func exchangeInFlight() async throws {
        let inspector = try Inspector(socket())
        let engine = MockTransport(configuration: .init(clock: VirtualClock(.manual))) {
            Route(.get, "/**").reply(.text("ok").delayed(by: .seconds(1)))
        }
        let session = Session(transport: engine, eventMonitors: [inspector])
        let response = session.request("http://api.test/slow").serializingString()
        try await eventually("the request") { !engine.requests.isEmpty }
        await inspector.flush()
        var urls: [String] = []
        for try await message in try InspectionClient(inspector.socket).messages() {
            if case .started(let start) = message { urls.append(start.url) }
            if case .current = message { break }
        }
        #expect(urls == ["http://api.test/slow"])
        await engine.virtualClock.advance(by: .seconds(1))
        #expect(try await response.value == "ok")
    }

    @Test("only the user may open the socket")
    func mode() throws {
        let inspector = try Inspector(socket())
        let attributes = try FileManager.default.attributesOfItem(atPath: inspector.socket.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test("the socket of a killed program is replaced; the socket of a running program and other files are not")
    func taken() throws {
        let socket = socket()
        let first = try Inspector(socket)
        #expect(throws: InspectionError.self) { try Inspector(socket) }
        #expect(first.socket == socket)
        let file = InspectionSocket.path("/tmp/airframe-test-\(UUID().uuidString.prefix(8)).txt")
        try Data("kept".utf8).write(to: URL(filePath: file.path))
        defer { try? FileManager.default.removeItem(atPath: file.path) }
        #expect(throws: InspectionError.self) { try Inspector(file) }
        #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "kept")
    }

    @Test("the socket is removed with its inspector and can be opened again")
    func end() async throws {
        let socket = socket()
        var inspector: Inspector? = try Inspector(socket)
        let messages = try InspectionClient(socket).messages()
        await inspector?.flush()
        inspector = nil
        var count = 0
        for try await _ in messages { count += 1 }
        #expect(count <= 2, "it ends after the greeting and the mark that nothing was kept")
        try await eventually("the removal") { !FileManager.default.fileExists(atPath: socket.path) }
        #expect(throws: Never.self) { try Inspector(socket) }
    }

    @Test(
        "a path of another file is rejected",
        arguments: ["", String(repeating: "a", count: 108), "/no/such/directory/s"])
    func paths(path: String) {
        #expect(throws: InspectionError.self) { try Inspector(.path(path)) }
    }

    @Test("a failed exchange has an entry with its error, and a retry has its own entry")
    func failures() async throws {
        let inspector = try Inspector(socket())
        let engine = MockTransport { Route(.get, "/").reply(.text("long enough").failing(with: Fault.dnsFailure)) }
        let messages = try InspectionClient(inspector.socket).messages()
        let session = Session(
            transport: engine, interceptor: RetryPolicy(retryLimit: 1, exponentialBackoffScale: 0.001),
            eventMonitors: [inspector])
        _ = await session.request("http://api.test/").serializingData().response
        var entries: [HAR.Entry] = []
        for try await message in messages {
            if case .finished(_, let entry) = message { entries.append(entry) }
            if entries.count == 2 { break }
        }
        #expect(entries.allSatisfy { $0.response.status == 0 })
        #expect(entries.last?.custom["_initiator"] == "retry")
    }
}
