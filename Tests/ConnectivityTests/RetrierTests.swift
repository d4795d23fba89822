import Airframe
import AirframeCore
import AirframeReachability
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Dispatch
import Foundation
import Testing

@Suite("OfflineRetrier", .timeLimit(.minutes(1)))
struct RetrierTests {
    private func session(
        _ engine: StubEngine,
        _ network: StubNetwork,
        wait: DispatchTimeInterval = .seconds(30)
    ) -> Session {
        let retrier = OfflineRetrier(
            connectivity: network,
            maximumWait: wait,
            isOfflineError: OfflineRetrier.defaultIsOfflineError
        )
        return Session(transport: engine, interceptor: retrier)
    }

    @Test("a request that fails for want of a network is retried when there is one")
    func retried() async throws {
        let engine = StubEngine(failing: [.unreachable()])
        let network = StubNetwork(.noRoute)
        let session = session(engine, network)
        let request = session.request("http://api.test/")
        async let text = request.serializingString().value
        try await eventually("the wait") { network.isAwaited }
        network.comeBack()
        #expect(try await text == "hello")
        #expect(request.retryCount == 1 && engine.requests.count == 2)
    }

    @Test("many requests that wait are all retried")
    func many() async throws {
        let engine = StubEngine(failing: Array(repeating: .unreachable(), count: 20))
        let network = StubNetwork(.noRoute)
        let session = session(engine, network)
        let tasks = (0..<20).map { session.request("http://api.test/\($0)").serializingString() }
        try await eventually("the waits") { network.waitCount == 20 }
        network.comeBack()
        for task in tasks { #expect(try await task.value == "hello") }
    }

    @Test("after the longest wait the request is left to its error")
    func longestWait() async throws {
        let network = StubNetwork(.noRoute)
        let session = session(StubEngine(failing: [.unreachable()]), network, wait: .milliseconds(30))
        let response = await session.request("http://api.test/").serializingString().response
        let code = (response.error?.underlyingError as? URLError)?.code
        #expect(code == .notConnectedToInternet && network.waitCount == 1)
    }

    @Test("a request that is cancelled while it waits ends immediately")
    func cancelled() async throws {
        let network = StubNetwork(.noRoute)
        let session = session(StubEngine(failing: [.unreachable()]), network)
        let request = session.request("http://api.test/")
        async let response = request.serializingString().response
        try await eventually("the wait") { network.isAwaited }
        request.cancel()
        #expect(await response.error != nil)
        #expect(request.isCancelled && !network.isAwaited)
    }

    @Test("where there is a path all along, an error that denies it is retried once, any other not at all")
    func pathAllAlong() async throws {
        let engine = StubEngine(failing: [.unreachable(), .unreachable(), .unreachable()])
        let session = session(engine, StubNetwork())
        let response = await session.request("http://api.test/").serializingString().response
        #expect(response.error != nil && engine.requests.count == 2)
        let unknownName = StubEngine(failing: [.unreachable(.nameResolutionFailed, phase: .resolve)])
        let other = self.session(unknownName, StubNetwork())
        #expect(await other.request("http://api.test/").serializingString().response.error != nil)
        #expect(unknownName.requests.count == 1)
    }

    @Test("errors that have nothing to do with the network are not its own")
    func otherErrors() async throws {
        let network = StubNetwork(.noRoute)
        let session = session(StubEngine(failing: [.unreachable(.tlsFailed, phase: .tls)]), network)
        #expect(await session.request("http://api.test/").serializingString().response.error != nil)
        #expect(network.asked.isEmpty)
    }

    @Test("requests to this machine never wait")
    func thisMachine() async throws {
        let network = StubNetwork(.noInterface)
        let session = session(StubEngine(failing: [.unreachable()]), network)
        #expect(await session.request("http://127.0.0.1:9/").serializingString().response.error != nil)
        #expect(network.asked.isEmpty)
    }

    @Test("the closure decides which errors count")
    func closure() async throws {
        let network = StubNetwork(.noRoute)
        let retrier = OfflineRetrier(connectivity: network, maximumWait: .seconds(30)) { _ in false }
        let session = Session(transport: StubEngine(failing: [.unreachable()]), interceptor: retrier)
        #expect(await session.request("http://api.test/").serializingString().response.error != nil)
        #expect(network.asked.isEmpty)
    }

    @Test("the defaults are Alamofire's")
    func defaults() {
        #expect(OfflineRetrier.defaultWait == .seconds(5))
        #expect(OfflineRetrier.defaultURLErrorOfflineCodes == [.notConnectedToInternet])
        #expect(OfflineRetrier.defaultIsOfflineError(URLError(.notConnectedToInternet)))
        #expect(
            OfflineRetrier.defaultIsOfflineError(AFError.sessionTaskFailed(error: URLError(.notConnectedToInternet))))
        #expect(!OfflineRetrier.defaultIsOfflineError(URLError(.badURL)))
        #expect(!OfflineRetrier.defaultIsOfflineError(AFError.explicitlyCancelled))
        let shorthands: [any RequestInterceptor] = [
            .offlineRetrier(), .offlineRetrier(monitor: NetworkPathMonitor(), maximumWait: .seconds(1)),
            .offlineRetrier(requiredInterfaceType: .wiredEthernet),
            .offlineRetrier(prohibitedInterfaceTypes: [.cellular], maximumWait: .never) { _ in true },
        ]
        #expect(shorthands.allSatisfy { $0 is OfflineRetrier })
    }

    @Test("the wait of a session's configuration reaches monitors and the task")
    func waitingTask() async throws {
        let network = StubNetwork(.noRoute)
        let configuration = URLSessionConfiguration.af.default
        configuration.waitsForConnectivity = true
        let monitor = ClosureEventMonitor(queue: DispatchQueue(label: "monitor"))
        let reported = DispatchSemaphore(value: 0)
        monitor.taskIsWaitingForConnectivity = { _, _ in reported.signal() }
        let session = Session(
            transport: ConnectivityLayer(StubEngine(), connectivity: network),
            configuration: configuration,
            eventMonitors: [monitor]
        )
        let request = session.request("http://api.test/")
        async let text = request.serializingString().value
        try await eventually("the wait") { network.isAwaited }
        try await eventually("the event") { reported.wait(timeout: .now()) == .success }
        #expect(request.tasks.last?.isWaitingForConnectivity == true)
        network.comeBack()
        #expect(try await text == "hello")
        #expect(request.tasks.last?.isWaitingForConnectivity == false)
    }

    @Test("a session whose transport cannot wait refuses requests that are to")
    func refusal() async throws {
        let configuration = URLSessionConfiguration.af.default
        configuration.waitsForConnectivity = true
        let session = Session(composed: StubEngine(), configuration: configuration)
        let response = await session.request("http://api.test/").serializingString().response
        #expect(response.error?.transportError?.code == .unsupportedOption)
    }

    @Test("a session of the umbrella has the layer that waits, regardless of its engine")
    func standardLayer() {
        let configuration = URLSessionConfiguration.af.default
        #expect(!Session(transport: StubEngine(), configuration: configuration).transport.capabilities.canWait)
        configuration.waitsForConnectivity = true
        #expect(Session(transport: StubEngine(), configuration: configuration).transport.capabilities.canWait)
    }
}

extension TransportCapabilities {
    fileprivate var canWait: Bool { features.contains(.connectivityWait) }
}
