import AirframeCache
import AirframeLayers
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// A server that answers with a closure, and records requests.
final class ScriptedOrigin: Transport {
    typealias Answer = @Sendable (TransportRequest, Int) async throws(TransportError) -> TransportResponse

    let capabilities = TransportCapabilities(engine: "scripted", features: .all)
    let clock: any TransportClock
    private let answer: Answer
    private let sent = Mutex<[HTTPRequest]>([])

    init(clock: any TransportClock = SystemClock.shared, _ answer: @escaping Answer) {
        self.clock = clock
        self.answer = answer
    }

    /// A server that sends the same head, and content with the number of the request, from 1.
    convenience init(
        clock: any TransportClock = SystemClock.shared,
        status: Int = 200,
        _ fields: [(String, String)]
    ) {
        self.init(clock: clock) { request, number in .make(status, fields, "answer \(number)", to: request) }
    }

    var requests: [HTTPRequest] { sent.withLock { $0 } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let number = sent.withLock { sent in
            sent.append(request.head)
            return sent.count
        }
        request.report(.started(request.head), on: clock)
        return try await answer(request, number)
    }
}

extension TransportResponse {
    static func make(
        _ status: Int = 200, _ fields: [(String, String)], _ text: String, to request: TransportRequest
    ) -> TransportResponse {
        TransportResponse(
            head: .make(status, fields), body: ResponseBody(Data(text.utf8)), request: request.head)
    }
}

extension HTTPResponse {
    static func make(_ status: Int = 200, _ fields: [(String, String)]) -> HTTPResponse {
        var head = HTTPResponse(status: .init(code: status))
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { head.headerFields.append(HTTPField(name: name, value: value)) }
        }
        return head
    }
}

func get(_ path: String = "/a", _ fields: [(String, String)] = [], method: HTTPRequest.Method = .get)
    -> TransportRequest
{
    var head = HTTPRequest(method: method, scheme: "http", authority: "api.test", path: path)
    for (name, value) in fields {
        if let name = HTTPField.Name(name) { head.headerFields.append(HTTPField(name: name, value: value)) }
    }
    return TransportRequest(head)
}

extension Transport {
    /// The text of the response.
    func text(_ request: TransportRequest) async throws -> String {
        String(decoding: try await send(request).body.collect(upTo: 64 << 20), as: UTF8.self)
    }
}

/// Content whose pieces a test delivers one by one.
final class HeldBody: ResponseBodySource {
    private struct BodyState {
        var pieces: [Data?] = []
        var waiter: CheckedContinuation<Data?, Never>?
        var isCancelled = false
    }

    private let state = Mutex(BodyState())

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Delivers a piece; `nil` is the end.
    func give(_ piece: Data?) {
        let waiter = state.withLock { state in
            guard let waiter = state.waiter.take() else {
                state.pieces.append(piece)
                return CheckedContinuation<Data?, Never>?.none
            }
            return waiter
        }
        waiter?.resume(returning: piece)
    }

    func next() async throws(TransportError) -> Data? {
        let piece: Data? = await withCheckedContinuation { continuation in
            let known: Data?? = state.withLock { state in
                if state.isCancelled { return .some(nil) }
                if !state.pieces.isEmpty { return state.pieces.removeFirst() }
                state.waiter = continuation
                return nil
            }
            if let known { continuation.resume(returning: known) }
        }
        if isCancelled { throw .cancelled(in: .responseBody, processing: .unknown) }
        return piece
    }

    func cancel() {
        let waiter = state.withLock { state in
            state.isCancelled = true
            return state.waiter.take()
        }
        waiter?.resume(returning: nil)
    }
}

/// Collects events.
final class EventList: TransportEventSink {
    private let kept = Mutex<[TransportEvent]>([])

    var all: [TransportEvent] { kept.withLock { $0 } }

    var decisions: [String] {
        all.compactMap { if case .decided(let decision) = $0.kind { "\(decision.kind)" } else { nil } }
    }

    func receive(_ event: TransportEvent) { kept.withLock { $0.append(event) } }
}

/// A folder that is removed after the test.
final class ScratchFolder: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "airframe-cache-\(UUID().uuidString)").path

    deinit {
        _ = try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// A list that several threads add to.
final class Values<Value: Sendable>: Sendable {
    private let kept = Mutex<[Value]>([])
    var all: [Value] { kept.withLock { $0 } }
    func append(_ value: Value) { kept.withLock { $0.append(value) } }
}
