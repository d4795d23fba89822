import AirframeConformance
import AirframeCurl
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Synchronization
import Testing

/// An engine with one fault, and the cases that must find it.
struct BrokenEngine: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let group: ConformanceGroup
    let caseIDs: [String]
    let make: ConformanceEngine.Make

    init(
        _ description: String,
        fails caseIDs: String...,
        make: @escaping ConformanceEngine.Make
    ) {
        testDescription = description
        group = caseIDs.first.flatMap { ConformanceGroup(rawValue: String($0.prefix { $0 != "." })) } ?? .fault
        self.caseIDs = caseIDs
        self.make = make
    }

    init(
        _ description: String,
        fails caseIDs: String...,
        features: TransportFeatures? = nil,
        send: @escaping BrokenTransport.Send
    ) {
        testDescription = description
        group = caseIDs.first.flatMap { ConformanceGroup(rawValue: String($0.prefix { $0 != "." })) } ?? .fault
        self.caseIDs = caseIDs
        make = { BrokenTransport(features: features, send) }
    }

    static let all: [BrokenEngine] = reporting + sending + receiving + living
}

extension BrokenEngine {
    /// Engines that report events wrongly.
    private static let reporting: [BrokenEngine] = [
        BrokenEngine(
            "does not report the end", fails: "events.order.new-connection", "events.counts.download"
        ) { request, base throws(TransportError) in
            try await base.send(request.changingEvents { if case .released = $0.kind { nil } else { $0 } })
        },
        BrokenEngine(
            "reports the head before the request", fails: "events.order.new-connection"
        ) { request, base throws(TransportError) in
            let request = request.changingEvents { event in
                guard case .requestHeadSent = event.kind else { return event }
                let head = TransportEvent.Kind.responseHead(HTTPResponse(status: .ok), byteCount: nil)
                return TransportEvent(head, of: event.exchange, at: event.instant)
            }
            return try await base.send(request)
        },
        BrokenEngine(
            "keeps informational responses to itself", fails: "informational.reported"
        ) { request, base throws(TransportError) in
            try await base.send(request.changingEvents { if case .informationalResponse = $0.kind { nil } else { $0 } })
        },
        BrokenEngine(
            "says that nothing was sent, whatever was", fails: "broken.close-after-request",
            "broken.reset-after-request"
        ) { request, base throws(TransportError) in
            do throws(TransportError) {
                return try await base.send(request)
            } catch {
                throw error.altered(.notSent)
            }
        },
        BrokenEngine(
            "blames the wrong phase for a limit", fails: "limits.first-byte", "limits.deadline.response-head"
        ) { request, base throws(TransportError) in
            do throws(TransportError) {
                return try await base.send(request)
            } catch {
                throw error.altered(in: .connect)
            }
        },
        BrokenEngine(
            "takes cancelling for a lost connection", fails: "cancellation.response-head", "cancellation.before"
        ) { request, base throws(TransportError) in
            do throws(TransportError) {
                return try await base.send(request)
            } catch {
                throw error.isCancellation ? error.altered(as: .connectionLost) : error
            }
        },
    ]

    /// Engines that send what they should not.
    private static let sending: [BrokenEngine] = [
        BrokenEngine(
            "introduces itself", fails: "request.nothing-added"
        ) { request, base throws(TransportError) in
            var request = request
            request.head.headerFields[.userAgent] = "broken/1"
            return try await base.send(request)
        },
        BrokenEngine(
            "sends what can be sent once as often as one likes", fails: "replay.one-shot"
        ) { request, base throws(TransportError) in
            var request = request
            if request.body.replay == .oneShot { request.body = .bytes(Data("once".utf8)) }
            return try await base.send(request)
        },
        BrokenEngine(
            "ignores an option that it lacks",
            fails: "options.lacking",
            features: CurlTransport().capabilities.features.subtracting(.priority)
        ) { request, base throws(TransportError) in
            var request = request
            request.options.priority = nil
            return try await base.send(request)
        },
        BrokenEngine(
            "runs out of time too early", fails: "limits.first-byte", "limits.read-idle.body"
        ) { request, base throws(TransportError) in
            var request = request
            request.options.limits.firstByte = request.options.limits.firstByte.map { $0 / 4 }
            request.options.limits.readIdle = request.options.limits.readIdle.map { $0 / 4 }
            return try await base.send(request)
        },
    ]

    /// Engines that make something else of what they receive.
    private static let receiving: [BrokenEngine] = [
        BrokenEngine(
            "reads bodies as fast as they come", fails: "backpressure.response", "backpressure.response.chunked"
        ) { request, base throws(TransportError) in
            var response = try await base.send(request)
            response.body = ResponseBody(EagerSource(response.body), expectedLength: response.body.expectedLength)
            return response
        },
        BrokenEngine(
            "takes a broken body for a whole one",
            fails: "halfread.error-again", "length.too-short.close", "chunked.size.negative", "chunked.cut.in-data",
            "fault.short-body-close", "fault.chunked-no-last-chunk", "http2.ending.close", "http2.cut.frame",
            "length.cut.each-byte", "chunked.cut.each-byte"
        ) { request, base throws(TransportError) in
            try await base.send(request).changingErrors { _ in nil }
        },
        BrokenEngine(
            "expects content where there is none", fails: "content.head.length", "content.304.length"
        ) { request, base throws(TransportError) in
            var response = try await base.send(request)
            let length = response.head.headerFields[.contentLength].flatMap { Int64($0) }
            let body = response.body
            response.body = ResponseBody(EagerSource(body), expectedLength: length)
            return response
        },
        BrokenEngine(
            "joins fields", fails: "head.field.repeated", "head.field.set-cookie"
        ) { request, base throws(TransportError) in
            var response = try await base.send(request)
            var joined = HTTPFields()
            for field in response.head.headerFields {
                joined[field.name] = response.head.headerFields[values: field.name].joined(separator: ", ")
            }
            response.head.headerFields = joined
            return response
        },
        BrokenEngine(
            "takes anything for a response", fails: "garbage.mail-server", "fault.http09"
        ) { request, base throws(TransportError) in
            do throws(TransportError) {
                return try await base.send(request)
            } catch {
                guard error.code == .malformedResponse else { throw error }
                return TransportResponse(head: HTTPResponse(status: .ok), body: ResponseBody(), request: request.head)
            }
        },
        BrokenEngine(
            "hears nothing before it has said all", fails: "duplex.early-head"
        ) { request, base throws(TransportError) in
            let isFinished = Flag()
            let response = try await base.send(
                request.changingEvents { event in
                    if case .requestFinished = event.kind { isFinished.raise() }
                    return event
                }
            )
            guard isFinished.isUp else {
                throw TransportError(
                    .malformedResponse, phase: .responseHead, processing: .unknown, message: "too early")
            }
            return response
        },
    ]

    /// Engines that keep the wrong things.
    private static let living: [BrokenEngine] = [
        BrokenEngine(
            "keeps no connection", fails: "reuse.kept", "events.order.kept-connection"
        ) { request, _ throws(TransportError) in
            try await CurlTransport().send(request)
        },
        BrokenEngine("mixes responses up", fails: "concurrency.never-mixed") {
            let mixer = Mixer()
            return BrokenTransport { request, base throws(TransportError) in
                var request = request
                request.head.path = mixer.swap(request.head.path)
                return try await base.send(request)
            }
        },
        // `shutdown()` is not passed on.
        BrokenEngine(
            "does not shut down", fails: "resources.shutdown.again", "resources.shutdown.in-flight"
        ) { request, base throws(TransportError) in
            try await base.send(request)
        },
        BrokenEngine(
            "asks nobody whom to trust", fails: "trust.asked.chain", "trust.refused", "trust.asked.alone"
        ) { request, base throws(TransportError) in
            var request = request
            request.trust = nil
            return try await base.send(request)
        },
        BrokenEngine(
            "shares connections whoever trusted them", fails: "trust.shared.other-key", "trust.shared.refusing-key"
        ) { request, base throws(TransportError) in
            var request = request
            request.trust = request.trust.map { CommonTrust(base: $0) }
            return try await base.send(request)
        },
        BrokenEngine("claims upgrades that it cannot make", fails: "upgrade.switching") {
            BrokenTransport(features: CurlTransport().capabilities.features.union(.upgrade)) {
                request, base throws(TransportError) in
                try await base.send(request)
            }
        },
    ]
}

/// An evaluation that passes for any other.
private struct CommonTrust: TrustEvaluation {
    let base: any TrustEvaluation
    var key: TrustKey { TrustKey("common") }

    func evaluate(chain: [DER], host: String, port: Int, stapledOCSPResponse: DER?) async throws {
        try await base.evaluate(chain: chain, host: host, port: port, stapledOCSPResponse: stapledOCSPResponse)
    }
}

/// Something that has happened or not.
private final class Flag: Sendable {
    private let value = Atomic(false)
    var isUp: Bool { value.load(ordering: .acquiring) }
    func raise() { value.store(true, ordering: .releasing) }
}

/// Gives each request the path of the one before.
private final class Mixer: Sendable {
    private let last = Mutex<String?>("/first")

    func swap(_ path: String?) -> String? {
        last.withLock { last in
            defer { last = path }
            return last
        }
    }
}
