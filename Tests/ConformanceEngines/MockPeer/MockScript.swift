import AirframeConformance
import AirframeMock
import AirframeTransport
import FoundationEssentials

/// The steps of one connection as a mock can play them: rounds of a request and its answer.
struct MockScript {
    private let rounds: [MockRound]
    /// The round that is repeated after the last one.
    private let repeated: [MockRound]
    /// A reply for all requests that is known before one has come.
    let standingReply: Reply?

    init(_ steps: [PeerStep]) throws {
        standingReply = Self.standingReply(steps)
        guard standingReply == nil else {
            rounds = []
            repeated = []
            return
        }
        var steps = steps
        if case .forever(let inner) = steps.last {
            steps.removeLast()
            repeated = inner.isRead ? try Self.rounds(inner) : []
            if !inner.isRead { steps += inner + [.awaitClose] }
        } else {
            repeated = []
        }
        rounds = try Self.rounds(steps)
    }

    /// The round of that number. After the last one the server says nothing.
    func round(_ number: Int) -> MockRound {
        if number < rounds.count { return rounds[number] }
        guard !repeated.isEmpty else { return MockRound(steps: [.awaitClose]) }
        return repeated[(number - rounds.count) % repeated.count]
    }

    /// Throws when there is something that no mock can do.
    func check(isAlone: Bool) throws {
        guard standingReply == nil || isAlone else {
            throw InexpressibleScenario("a mock decides by the request, not by the number of the connection")
        }
        for round in rounds + repeated { try round.check() }
    }

    private static func rounds(_ steps: [PeerStep]) throws -> [MockRound] {
        var rounds: [MockRound] = []
        for step in steps {
            switch step {
            case .readRequest: rounds.append(MockRound(steps: []))
            case .readHead, .readBody, .echoChunks, .echoBytes:
                throw InexpressibleScenario("a mock answers a request that has arrived whole, not a part of one")
            case .forever: throw InexpressibleScenario("a mock's body does not repeat itself")
            default:
                guard !rounds.isEmpty else {
                    throw InexpressibleScenario("a mock's server says nothing before it is asked")
                }
                rounds[rounds.count - 1].steps.append(step)
            }
        }
        return rounds
    }

    /// A switch of protocols or a tunnel, and what the server sends and does after it.
    private static func upgrade(_ steps: ArraySlice<PeerStep>) -> Reply? {
        guard case .sendBytes(let bytes) = steps.first, let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))
        else { return nil }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let isTunnel = head == "HTTP/1.1 200 OK"
        guard isTunnel || head.hasPrefix("HTTP/1.1 101") else { return nil }
        let name = head.firstRange(of: "Upgrade: ").map { String(head[$0.upperBound...].prefix { $0 != "\r\n" }) }
        let greeting = Data(bytes[end.upperBound...])
        return .upgrade(to: isTunnel ? nil : name) { client in
            try await client.write(greeting)
            for step in steps.dropFirst() {
                while let data = try await client.read() {
                    if case .echoBytes = step { try await client.write(data) }
                }
                client.finishWriting()
            }
        }
    }

    /// Steps before a request has arrived whole must be known in advance.
    private static func standingReply(_ steps: [PeerStep]) -> Reply? {
        switch steps.first {
        case .close, .reset: .fault(.resetBeforeHead)
        case .awaitClose, .mark("accepted"): .fault(.stall(in: .tls))
        case .await("hello"): .fault(.tlsFailure("the connection was closed"))
        case .readHead:
            switch steps.dropFirst().first {
            case .sendBytes: upgrade(steps.dropFirst())
            case .reset: .fault(.reset(afterSending: 1))
            case .await("never"): .fault(.stall(afterSending: 1))
            case .awaitClose: .fault(.stall(afterSending: 1 << 40))
            default: nil
            }
        default: nil
        }
    }
}

extension [PeerStep] {
    fileprivate var isRead: Bool {
        if case .readRequest = first { true } else { false }
    }
}

/// One request's answer: the steps from its arrival to the next request.
struct MockRound {
    var steps: [PeerStep]

    /// Throws when the bytes are not those of one response.
    func check() throws {
        var response = ResponseBytes(isHead: false)
        for step in steps {
            switch step {
            case .sendBytes(let bytes), .trickle(let bytes, _): try response.take(bytes)
            case .flood(let bytes, nil) where !response.hasHead:
                try response.take(bytes)
                throw InexpressibleScenario("a mock's head has an end")
            case .flood(let bytes, nil):
                let content = try response.take(bytes)
                guard !content.isEmpty else { throw InexpressibleScenario("a mock's trailers have an end") }
                return
            case .reply, .flood: return
            case .cut: throw InexpressibleScenario("a mock's connection ends in good order, or breaks")
            default: break
            }
        }
    }
}
