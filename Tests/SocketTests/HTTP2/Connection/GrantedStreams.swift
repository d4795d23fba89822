import AirframeConformance
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Synchronization
import Testing

@testable import AirframeSocket

@Suite("HTTP/2 connections that end before a granted stream begins", .timeLimit(.minutes(1)))
struct GrantedStreams {
    private let server: FedConnection
    private let origin = Origin(scheme: "http", host: "test.example")

    init() throws { server = try FedConnection() }

    /// A change that the server makes to an idle connection.
    enum Change: CaseIterable, Sendable {
        case goAway
        case end
        case ping
    }

    @Test(
        "no stream is granted on an idle connection that the server has ended, even before the poll reports the end",
        arguments: Change.allCases, [true, false])
    func ended(_ change: Change, isReadInBackground: Bool) throws {
        if isReadInBackground { server.connection.state.withLock { $0.reader = .background } }
        switch change {
        case .goAway: try server.send([.goAway(last: 0)])
        case .end: server.shutDown()
        case .ping: try server.send([.ping])
        }
        let stream = server.connection.openStream(for: origin)
        #expect((stream == nil) == (change != .ping))
    }

    @Test(
        "a request is unsent if its connection was retired, and may be repeated whatever its method",
        arguments: [true, false])
    func retired(isUpload: Bool) throws {
        let stream = try #require(server.connection.openStream(for: origin))
        server.connection.retire()
        let request = HTTPRequest(
            method: isUpload ? .post : .get, scheme: "http", authority: "test.example", path: "/")
        let head = RequestHead(request, content: isUpload ? .length(2) : .none)
        do throws(StreamFailure) {
            _ = try stream.begin(head, checked: nil, content: isUpload ? Data("ok".utf8) : nil)
            Issue.record("the request was sent")
        } catch {
            guard case .failed(let failure) = error else {
                Issue.record("failed with \(error)")
                return
            }
            #expect(failure.code == .connectionLost)
            #expect(failure.processing == .notSent)
            let repetition = try #require(stream.repetition(after: failure, isReused: true))
            guard case .always = repetition.permission else {
                Issue.record("the request may be repeated \(repetition.permission)")
                return
            }
        }
    }
}
