import AirframeLayers
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization

@testable import AirframeCache

/// Plays cases of the public suite through a cache, and checks the results.
struct SuitePlayer {
    enum Verdict: Sendable, Hashable {
        case passed
        /// The cache did not behave as required.
        case failed(String)
        /// The case could not be set up, because the cache lacks the behaviour that it depends on.
        case setup(String)
    }

    private struct Failure: Error {
        let isSetup: Bool
        let words: String
    }

    private struct Received {
        var status: Int?
        var fields = HTTPFields()
        var text = ""
        var interim: [HTTPResponse] = []
    }

    let origin: SuiteOrigin
    let engine: any Transport
    let policy: CachePolicy
    let store: @Sendable () -> any CacheStore

    func play(_ test: SuiteCase) async throws -> Verdict {
        let token = "\(test.id)-\(UUID().uuidString.prefix(8))"
        let clock = ShiftedClock()
        origin.begin(test, token, clock)
        let cache = CacheLayer(ClockedLayer(base: engine, clock: clock), store: store(), policy: policy)
        var received: [Received] = []
        for (index, step) in test.requests.enumerated() {
            received.append(await send(step, index + 1, token, clock, through: cache))
            try await eventually("the end of the revalidation in \(test.id)") { !cache.flights.isRevalidating }
            if step.pause_after == true { clock.advance(seconds: 3) }
        }
        do throws(Failure) {
            for (index, step) in test.requests.enumerated() {
                try check(step, index + 1, received[index], token)
            }
            try checkOrigin(test, received, token)
            return .passed
        } catch {
            return error.isSetup ? .setup(error.words) : .failed(error.words)
        }
    }

    private func send(
        _ step: SuiteStep,
        _ number: Int,
        _ token: String,
        _ clock: ShiftedClock,
        through cache: CacheLayer
    ) async -> Received {
        let path = "/\(token)" + (step.filename.map { "/\($0)" } ?? "") + (step.query_arg.map { "?\($0)" } ?? "")
        var head = HTTPRequest(
            method: HTTPRequest.Method(rawValue: step.request_method ?? "GET") ?? .get,
            scheme: "http", authority: "127.0.0.1:\(origin.port)", path: path)
        for field in step.request_headers ?? [] {
            guard let name = HTTPField.Name(field[0].text ?? "") else { continue }
            let value = field[1].text ?? field[1].number.map { SuiteOrigin.date($0, clock) } ?? ""
            head.headerFields.append(HTTPField(name: name, value: value))
        }
        if let name = HTTPField.Name("Req-Num") { head.headerFields[name] = "\(number)" }
        let sink = InterimSink()
        var request = TransportRequest(head, events: sink)
        if let body = step.request_body { request.body = .bytes(Data(body.utf8)) }
        if step.cache == "no-cache" { request[CacheUse.self] = .revalidate }
        var received = Received()
        do {
            let response = try await cache.send(request)
            received.status = response.head.status.code
            received.fields = response.head.headerFields
            received.text = String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
        } catch {
            received.status = nil
        }
        received.interim = sink.heads
        return received
    }

    // MARK: At the client

    private func check(_ step: SuiteStep, _ number: Int, _ received: Received, _ token: String) throws(Failure) {
        let expectedStatus: Int? =
            switch step.expected_status {
            case .number(let status): status
            case .null: nil
            default: step.response_status?.first?.number ?? 200
            }
        if step.expected_status == .null || step.disconnect == true, step.expected_type != "cached" {
            guard received.status == nil || received.status == 504 || received.status == 502 else {
                throw Failure(isSetup: false, words: "\(number): got \(received.status ?? 0), not an error")
            }
            return
        }
        if received.status == 999 {
            throw Failure(isSetup: step.isSetup("expected_type"), words: "\(number): the request was not conditional")
        }
        guard received.status == expectedStatus || (step.disconnect == true && received.status == 200) else {
            throw Failure(
                isSetup: step.isSetup("expected_status"),
                words: "\(number): status \(received.status.map(String.init) ?? "none"), not \(expectedStatus ?? 0)")
        }
        try checkFields(step, number, received, token)
        if let expected = step.expected_interim_responses, expected.count != received.interim.count {
            throw Failure(isSetup: false, words: "\(number): \(received.interim.count) interim responses")
        }
        if let text = step.expected_response_text {
            if case .text(let text) = text, received.text != text {
                throw Failure(
                    isSetup: step.isSetup("expected_response_text"), words: "\(number): text \(received.text)")
            }
        } else if step.check_body != false, case .text(let text) = step.response_body,
            received.status == expectedStatus,
            step.request_method != "HEAD", received.text != text, received.status != 206
        {
            throw Failure(isSetup: step.setup == true, words: "\(number): text \(received.text), not \(text)")
        }
    }

    private func checkFields(_ step: SuiteStep, _ number: Int, _ received: Received, _ token: String) throws(Failure) {
        let isSetup = step.isSetup("expected_response_headers")
        for expected in step.expected_response_headers ?? [] {
            let parts = expected.list ?? [expected]
            guard let name = HTTPField.Name(parts[0].text ?? "") else { continue }
            guard let value = received.fields[name] else {
                throw Failure(isSetup: isSetup, words: "\(number): no \(name)")
            }
            let isRight: Bool
            switch parts.count {
            case 1: isRight = true
            case 2 where parts[1].number != nil && name.canonicalName != "client-request-count":
                // The dates are those of the origin's answer.
                isRight = origin.observed(token).contains {
                    $0.sent.contains { $0.name == name.rawName && $0.value == value }
                }
            case 2: isRight = value == parts[1].text ?? "\(parts[1].number ?? 0)"
            default:
                if parts[1].text == "=" {
                    isRight = HTTPField.Name(parts[2].text ?? "").map { received.fields[$0] == value } ?? false
                } else {
                    isRight = Int(value) ?? 0 > parts[2].number ?? 0
                }
            }
            guard isRight else { throw Failure(isSetup: isSetup, words: "\(number): \(name): \(value)") }
        }
        for missing in step.expected_response_headers_missing ?? [] {
            let parts = missing.list ?? [missing]
            guard let name = HTTPField.Name(parts[0].text ?? ""), let value = received.fields[name] else { continue }
            guard parts.count > 1, value != parts[1].text else {
                throw Failure(
                    isSetup: step.isSetup("expected_response_headers_missing"),
                    words: "\(number): has \(name): \(value)")
            }
        }
    }

    // MARK: At the origin

    private func checkOrigin(_ test: SuiteCase, _ received: [Received], _ token: String) throws(Failure) {
        let observed = origin.observed(token)
        for (index, step) in test.requests.enumerated() {
            let number = index + 1
            let isSetup = step.isSetup("expected_type")
            let seen = observed.first { $0.number == number }
            switch step.expected_type {
            case "cached":
                // The origin sees a background revalidation, and the client gets the stored response.
                let isFresh = received[index].fields[HTTPField.Name("Client-Request-Count") ?? .age] == "\(number)"
                guard
                    seen == nil || !isFresh && step.disconnect != true
                        || step.disconnect == true && received[index].status == 200
                else { throw Failure(isSetup: isSetup, words: "\(number): the origin was asked") }
                continue
            case "not_cached":
                guard seen != nil else { throw Failure(isSetup: isSetup, words: "\(number): the origin was not asked") }
            case "etag_validated":
                guard seen?.values("if-none-match").isEmpty == false else {
                    throw Failure(isSetup: isSetup, words: "\(number): no If-None-Match")
                }
            case "lm_validated":
                guard seen?.values("if-modified-since").isEmpty == false else {
                    throw Failure(isSetup: isSetup, words: "\(number): no If-Modified-Since")
                }
            default: break
            }
            guard let seen else { continue }
            try checkRequest(step, number, seen)
            try checkSent(step, number, seen, received[index])
        }
    }

    private func checkRequest(_ step: SuiteStep, _ number: Int, _ seen: SuiteOrigin.Observed) throws(Failure) {
        let isSetup = step.isSetup("expected_request_headers")
        for expected in step.expected_request_headers ?? [] {
            let parts = expected.list ?? [expected]
            let values = seen.values(parts[0].text ?? "")
            guard !values.isEmpty, parts.count < 2 || values.joined(separator: ", ") == parts[1].text else {
                throw Failure(isSetup: isSetup, words: "\(number): request has \(parts[0]) \(values)")
            }
        }
        for missing in step.expected_request_headers_missing ?? [] {
            let parts = missing.list ?? [missing]
            let values = seen.values(parts[0].text ?? "")
            guard values.isEmpty || (parts.count > 1 && !values.contains(parts[1].text ?? "")) else {
                throw Failure(isSetup: isSetup, words: "\(number): request has \(parts[0])")
            }
        }
        if let method = step.expected_method, method != seen.method {
            throw Failure(isSetup: step.isSetup("expected_method"), words: "\(number): method \(seen.method)")
        }
    }

    private func checkSent(
        _ step: SuiteStep, _ number: Int, _ seen: SuiteOrigin.Observed, _ received: Received
    ) throws(Failure) {
        for (name, value) in seen.sent where received.status != nil {
            guard let fieldName = HTTPField.Name(name) else { continue }
            let values = received.fields[values: fieldName]
            guard values.contains(value) || received.fields[fieldName] == value else {
                throw Failure(isSetup: step.setup == true, words: "\(number): \(name) is \(values), not \(value)")
            }
        }
    }
}

/// Collects the informational responses of an exchange.
private final class InterimSink: TransportEventSink {
    private let kept = Mutex<[HTTPResponse]>([])
    var heads: [HTTPResponse] { kept.withLock { $0 } }

    func receive(_ event: TransportEvent) {
        if case .informationalResponse(let head) = event.kind { kept.withLock { $0.append(head) } }
    }
}
