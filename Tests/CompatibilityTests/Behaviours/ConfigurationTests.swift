import Airframe
import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import Testing

@Suite("Foundation's configuration", .timeLimit(.minutes(1)))
struct ConfigurationTests {
    @Test("properties without an effect on Linux keep their values, in copies too")
    func values() {
        let configuration = URLSessionConfiguration.default
        configuration.allowsExpensiveNetworkAccess = false
        configuration.allowsConstrainedNetworkAccess = false
        configuration.multipathServiceType = .handover
        configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
        configuration.tlsMaximumSupportedProtocolVersion = .TLSv13
        let copy = Session(configuration: configuration).sessionConfiguration
        #expect(!copy.allowsExpensiveNetworkAccess && !copy.allowsConstrainedNetworkAccess)
        #expect(copy.multipathServiceType == .handover && copy.identifier == nil)
        #expect(copy.tlsMinimumSupportedProtocolVersion == .tls1_2)
        #expect(copy.urlCredentialStorage === URLCredentialStorage.shared)
        #expect(URLSessionConfiguration.ephemeral.urlCredentialStorage !== URLCredentialStorage.shared)
    }

    @Test(
        "a default credential of urlCredentialStorage answers the server's challenge",
        .enabled(if: Peers.areExpected), arguments: TestedEngine.allCases
    )
    func credentials(engine: TestedEngine) async throws {
        let url = try #require(URL(string: try hangar("/basic-auth/pilot/secret")))
        let configuration = URLSessionConfiguration.ephemeral
        let space = URLProtectionSpace(
            host: url.host() ?? "",
            port: url.port ?? 80,
            protocol: "http",
            realm: "Fake Realm",
            authenticationMethod: "Basic"
        )
        let credential = URLCredential(user: "pilot", password: "secret", persistence: .forSession)
        configuration.urlCredentialStorage?.setDefaultCredential(credential, for: space)
        let session = engine.session(configuration: configuration)
        #expect(await session.request(url).serializingData().response.response?.statusCode == 200)
        configuration.urlCredentialStorage?.remove(credential, for: space)
        let another = engine.session(configuration: configuration)
        #expect(await another.request(url).serializingData().response.response?.statusCode == 401)
    }

    @Test("a session made with a handle has its configuration, and monitors are given the handle", arguments: ["own"])
    func handle(name: String) async {
        let configuration = URLSessionConfiguration.af.default
        configuration.timeoutIntervalForRequest = 7
        let queue = OperationQueue()
        let rootQueue = DispatchQueue(label: "root")
        queue.underlyingQueue = rootQueue
        let delegate = SessionDelegate()
        let handle = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
        handle.sessionDescription = name
        let session = Session(session: handle, delegate: delegate, rootQueue: rootQueue)
        #expect(session.session === handle && session.delegate === delegate)
        #expect(session.sessionConfiguration.timeoutIntervalForRequest == 7)
    }

    @Test("the queues of a session are on its root queue and have its label")
    func queues() {
        let rootQueue = DispatchQueue(label: "root")
        let session = Session(rootQueue: rootQueue)
        #expect(session.rootQueue === rootQueue)
        #expect(session.session.delegateQueue.underlyingQueue === rootQueue)
        #expect(session.session.delegateQueue.maxConcurrentOperationCount == 1)
        #expect(session.session.delegateQueue.name == "root.sessionDelegate")
        #expect(session.requestQueue.label == "root.requestQueue")
        #expect(session.serializationQueue.label == "root.serializationQueue")
        let request = session.request("http://api.test/")
        #expect(request.underlyingQueue === rootQueue)
        #expect(request.serializationQueue === session.serializationQueue)
        let named = Session(rootQueue: rootQueue, requestQueue: rootQueue, serializationQueue: rootQueue)
        #expect(named.requestQueue === rootQueue && named.serializationQueue === rootQueue)
    }

    @Test("a session's monitor has all monitors that the session was given, notifications included")
    func monitors() {
        #expect(Session().eventMonitor.monitors.map { $0 is AlamofireNotifications } == [true])
        let own = ClosureEventMonitor()
        let both = Session(eventMonitors: [AlamofireNotifications(), own])
        #expect(both.eventMonitor.monitors.count == 2)
        #expect(both.eventMonitor.monitors.contains { ($0 as? ClosureEventMonitor) === own })
        #expect(Session(eventMonitors: [own]).eventMonitor.monitors.count == 1)
        #expect(Session(eventMonitors: []).eventMonitor.monitors.isEmpty)
    }
}
