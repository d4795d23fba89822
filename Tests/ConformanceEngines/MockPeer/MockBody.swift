import AirframeConformance
import AirframeMock
import AirframeTransport
import FoundationEssentials

/// The body of a response that a scenario makes while it is pulled.
final class MockBody: Sendable {
    private let player: MockPlayer
    private let response: ResponseBytes
    private let content: Data
    private let steps: ArraySlice<PeerStep>

    init(_ player: MockPlayer, _ response: ResponseBytes, _ content: Data, _ steps: ArraySlice<PeerStep>) {
        self.player = player
        self.response = response
        self.content = content
        self.steps = steps
    }

    /// How the body breaks off, if it does: after all that the steps send.
    var fault: Fault? {
        guard !response.endsWithConnection || steps.contains(where: \.isReset) else { return nil }
        var ahead = response
        for step in steps {
            switch step {
            case .sendBytes(let bytes), .trickle(let bytes, _): _ = try? ahead.take(bytes)
            case .reset where !ahead.isComplete: return .reset(afterBytes: Int64(ahead.count))
            case .close where !ahead.isComplete: return .close(afterBytes: Int64(ahead.count))
            case .flood, .reply: return nil
            default: break
            }
        }
        return ahead.isComplete || ahead.endsWithConnection ? nil : .stall(afterBytes: Int64(ahead.count))
    }

    /// The chunks, played once.
    func chunks() -> AsyncThrowingStream<Data, any Error> {
        let playback = MockPlayback(player, response, content, steps)
        return AsyncThrowingStream { try await playback.next() }
    }
}

/// One playing of a body.
///
/// An actor, because it goes from step to step while others may look.
actor MockPlayback {
    private let player: MockPlayer
    private var response: ResponseBytes
    private var content: Data
    private var steps: [PeerStep]
    private var isOver = false

    init(_ player: MockPlayer, _ response: ResponseBytes, _ content: Data, _ steps: ArraySlice<PeerStep>) {
        self.player = player
        self.response = response
        self.content = content
        self.steps = Array(steps)
        if case .flood? = steps.first { player.signals.mark("blocked") }
    }

    func next() async throws -> Data? {
        while content.isEmpty, !isOver {
            guard !steps.isEmpty, !response.isComplete else { break }
            try await play(steps.removeFirst())
        }
        defer { content = Data() }
        return content.isEmpty ? nil : content
    }

    private func play(_ step: PeerStep) async throws {
        switch step {
        case .sendBytes(let bytes): take(try response.take(bytes))
        case .trickle(let bytes, let pause):
            guard let byte = bytes.first else { return }
            take(try response.take([byte]))
            try await player.clock.sleep(for: pause)
            if bytes.count > 1 { steps.insert(.trickle(Array(bytes.dropFirst()), pause: pause), at: 0) }
        case .flood(let bytes, let total):
            let rest = total ?? .max
            guard rest > 0 else { return player.signals.mark("flooded") }
            take(try response.take(Array(bytes.prefix(rest))))
            steps.insert(.flood(bytes, total: total.map { max(0, $0 - bytes.count) }), at: 0)
        case .mark(let name): player.signals.mark(name)
        case .await(let gate): await player.signals.wait(for: gate)
        case .awaitClose: break
        case .close, .reset, .finishWriting: isOver = true
        default: throw InexpressibleScenario("a mock's body cannot play \(step)")
        }
    }

    private func take(_ data: Data) {
        content += data
        player.noteSent(data.count)
    }
}

extension PeerStep {
    fileprivate var isReset: Bool {
        if case .reset = self { true } else { false }
    }
}
