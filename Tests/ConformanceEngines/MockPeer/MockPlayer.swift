import AirframeConformance
import AirframeMock
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Synchronization

/// Plays one round: makes the reply to a request, with a body that continues as it is pulled.
struct MockPlayer {
    let signals: PeerSignals
    let clock: VirtualClock
    let noteSent: @Sendable (Int) -> Void

    func reply(_ round: MockRound, to request: ObservedRequest) async throws -> Reply {
        var response = ResponseBytes(isHead: request.method == "HEAD")
        var steps = round.steps[...]
        var content = Data()
        while !response.hasHead, let step = steps.popFirst() {
            switch step {
            case .sendBytes(let bytes): content = try response.take(bytes)
            case .trickle(let bytes, let pause):
                for byte in bytes {
                    content += try response.take([byte])
                    try await clock.sleep(for: pause)
                }
            case .reply(let make): content = try response.take(make(request))
            case .mark(let name): signals.mark(name)
            case .await(let gate): await signals.wait(for: gate)
            case .close, .reset: return endInHead(response)
            case .awaitClose: return .fault(.stall(in: .responseHead))
            case .finishWriting, .flood: break
            default: throw InexpressibleScenario("a mock cannot play \(step)")
            }
            if !response.isHTTP { return .fault(.malformedHead) }
        }
        guard let head = response.head else { return .fault(.stall(in: .responseHead)) }
        noteSent(content.count)
        return reply(head, response, content, steps)
    }

    private func endInHead(_ response: ResponseBytes) -> Reply {
        signals.mark("ended")
        return .fault(response.hasBegun ? .resetInHead : .resetBeforeHead)
    }

    private func reply(
        _ head: HTTPResponse,
        _ response: ResponseBytes,
        _ content: Data,
        _ steps: ArraySlice<PeerStep>
    ) -> Reply {
        var reply = Reply.status(head.status)
        if response.isComplete {
            if !content.isEmpty { reply = .data(content, contentType: nil, status: head.status) }
            if !head.headerFields.contains(.contentLength) { reply = reply.chunked() }
            if steps.endsConnection {
                reply = reply.closingConnection()
                signals.mark("ended")
            }
            for step in steps { if case .mark(let name) = step { signals.mark(name) } }
        } else {
            let body = MockBody(self, response, content, steps)
            reply = .stream(contentType: nil, status: head.status) { body.chunks() }
            if steps.endsConnection { reply = reply.closingConnection() }
            if let fault = body.fault { reply = reply.failing(with: fault) }
        }
        for response in response.informational {
            reply = reply.informational(response.status, headers: response.headerFields)
        }
        if let trailers = response.trailers { reply = reply.trailers(trailers) }
        for field in head.headerFields where field.name != .transferEncoding {
            reply = reply.addingHeader(field.name, field.value)
        }
        return reply
    }
}

extension ArraySlice<PeerStep> {
    /// Whether the server closes the connection, or breaks it.
    var endsConnection: Bool {
        contains { step in
            switch step {
            case .close, .reset, .finishWriting: true
            default: false
            }
        }
    }
}
