import AirframeLayers
import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Synchronization
import Testing

/// A selective layer that performs and processes as configured, and records its calls.
private struct Choosy: ResponseProcessingLayer {
    let base: any Transport
    let name: String
    let performs: Bool
    let processes: Bool
    let steps: Steps

    func mustPerform(_ request: TransportRequest) -> Bool { performs }

    func perform(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        steps.add("\(name) out")
        let response = try await base.send(request)
        steps.add("\(name) back")
        return response
    }

    func mustProcess(_ response: TransportResponse, status: Int, to request: TransportRequest) -> Bool { processes }

    func process(
        _ response: TransportResponse,
        to request: TransportRequest
    ) async throws(TransportError) -> TransportResponse {
        steps.add("\(name) on \(response.head.status.code)")
        var response = response
        response.head.status = .init(code: response.head.status.code + 1)
        return response
    }
}

/// A selective layer that processes no responses.
private struct Performer: SelectiveLayer {
    let base: any Transport
    let performs: Bool
    let steps: Steps

    func mustPerform(_ request: TransportRequest) -> Bool { performs }

    func perform(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        steps.add("performer")
        return try await base.send(request)
    }
}

private struct Plain: TransportLayer {
    let base: any Transport
    let steps: Steps

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        steps.add("plain")
        return try await base.send(request)
    }
}

private final class Steps: Sendable {
    private let kept = Mutex<[String]>([])
    var all: [String] { kept.withLock { $0 } }
    func add(_ step: String) { kept.withLock { $0.append(step) } }
}

@Suite("Runs of selective layers", .timeLimit(.minutes(1)))
struct LayerRunTests {
    private let places: [LayerStack.Place] = [.redirects, .authentication, .cookies, .cache]

    /// Sends through layers of these names, outermost first, by nesting them or by a stack; returns the steps and the
    /// status.
    private func steps(
        _ layers: [(name: String, performs: Bool, processes: Bool)],
        stacked: Bool,
        asked: Bool = false
    ) async throws -> ([String], Int) {
        let steps = Steps()
        var transport: any Transport = ScriptedTransport { .ok($0) }
        var stack = LayerStack()
        for (index, layer) in layers.enumerated().reversed() {
            let make: LayerStack.Make = { base in
                switch layer.name {
                case "plain": Plain(base: base, steps: steps)
                case "performer": Performer(base: base, performs: layer.performs, steps: steps)
                default:
                    Choosy(
                        base: base, name: layer.name, performs: layer.performs, processes: layer.processes, steps: steps
                    )
                }
            }
            stack.provide(places[index], make)
            if !stacked { transport = make(transport) }
        }
        if stacked { transport = stack.transport(over: transport) }
        let request = TransportRequest.to("http://api.test/")
        guard asked else {
            let status = try await transport.send(request).head.status.code
            return (steps.all, status)
        }
        let run = try #require(transport as? LayerRun)
        let first = run.firstToPerform(request)
        #expect(run.isEnd(first) == !layers.contains { $0.performs })
        let response = run.isEnd(first) ? try await sendBeneath(run, request) : try await run.send(request, from: first)
        return (steps.all, response.head.status.code)
    }

    /// Sends beneath the layers of a run without work, as a session does.
    private func sendBeneath(_ run: LayerRun, _ request: TransportRequest) async throws -> TransportResponse {
        let response = try await run.beneath.send(request)
        guard let processor = run.firstProcessor(of: response, to: request) else { return response }
        return try await run.process(response, to: request, from: processor)
    }

    @Test("A run behaves like the nested layers", arguments: 0..<256)
    func sameAsNested(bits: Int) async throws {
        let layers = (0..<4).map { index in
            (name: "\(index)", performs: bits >> index & 1 == 1, processes: bits >> (index + 4) & 1 == 1)
        }
        let (nested, nestedStatus) = try await steps(layers, stacked: false)
        let (stacked, stackedStatus) = try await steps(layers, stacked: true)
        #expect(stacked == nested)
        #expect(stackedStatus == nestedStatus)
        let (asked, askedStatus) = try await steps(layers, stacked: true, asked: true)
        #expect(asked == nested)
        #expect(askedStatus == nestedStatus)
    }

    @Test("A layer that is not selective is called in its place", arguments: 0..<4)
    func plainAmongThem(place: Int) async throws {
        var layers = (0..<4).map { (name: "\($0)", performs: $0 % 2 == 0, processes: true) }
        layers[place].name = "plain"
        let nested = try await steps(layers, stacked: false)
        let stacked = try await steps(layers, stacked: true)
        #expect(stacked == nested)
        #expect(stacked.0.contains("plain"))
    }

    @Test("A layer that processes no responses is passed over", arguments: 0..<4, 0..<16)
    func performerAmongThem(place: Int, bits: Int) async throws {
        var layers = (0..<4).map { (name: "\($0)", performs: bits >> $0 & 1 == 1, processes: true) }
        layers[place].name = "performer"
        let nested = try await steps(layers, stacked: false)
        let stacked = try await steps(layers, stacked: true)
        #expect(stacked == nested)
        #expect(stacked.0.contains("performer") == layers[place].performs)
    }

    @Test("The error of a layer passes through the layers above")
    func errors() async {
        var stack = LayerStack()
        stack.provide(.redirects) { RedirectLayer($0) }
        stack.provide(.strictTransportSecurity) { HSTSLayer($0, store: HSTSStore()) }
        let engine = ScriptedTransport { _ throws(TransportError) in throw .cancelled(in: .pool, processing: .notSent) }
        let error = await #expect(throws: TransportError.self) {
            try await stack.transport(over: engine).send(.to("http://api.test/"))
        }
        #expect(error?.isCancellation == true && error?.processing == .notSent)
    }
}
