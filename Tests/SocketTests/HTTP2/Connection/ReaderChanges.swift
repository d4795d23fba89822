import AirframeConformance
import AirframeTestSupport
import Synchronization
import Testing

@testable import AirframeSocket

@Suite("Which task reads an HTTP/2 connection", .timeLimit(.minutes(1)))
struct ReaderChanges {
    private func isBackground(_ connection: HTTP2Connection) -> Bool {
        connection.state.withLock { state in
            if case .background = state.reader { true } else { false }
        }
    }

    private func park(_ stream: HTTP2StreamState, _ connection: HTTP2Connection) -> Bool {
        if case .mustPark = connection.beginWait(stream, spins: false) { true } else { false }
    }

    private func read(_ stream: HTTP2StreamState, _ connection: HTTP2Connection) -> Bool {
        if case .mustRead = connection.beginWait(stream, spins: false) { true } else { false }
    }

    @Test("the poll takes the place of a waiting task once a second stream waits")
    func waiting() throws {
        let server = try FedConnection()
        let connection = server.connection
        let streams = try (0..<2).map { _ in try server.open() }
        let states = try streams.map { try #require($0.state) }
        #expect(read(states[0], connection))
        #expect(!isBackground(connection))
        #expect(park(states[1], connection))
        #expect(isBackground(connection))
        #expect(!connection.beginReading(states[0]))
        // The reader that was replaced does not end the reading of the other one.
        connection.leaveReading(ObjectIdentifier(states[0]))
        #expect(isBackground(connection))
        #expect(park(states[0], connection))
        withExtendedLifetime((server, streams)) {}
    }

    @Test("a task that reads keeps its place until it would wait again")
    func reading() throws {
        let server = try FedConnection()
        let connection = server.connection
        let streams = try (0..<2).map { _ in try server.open() }
        let states = try streams.map { try #require($0.state) }
        #expect(read(states[0], connection))
        #expect(connection.beginReading(states[0]))
        #expect(park(states[1], connection))
        #expect(!isBackground(connection))
        #expect(!connection.continueReading(states[0]))
        #expect(isBackground(connection))
        withExtendedLifetime((server, streams)) {}
    }

    @Test("a lone task goes on reading")
    func alone() throws {
        let server = try FedConnection()
        let connection = server.connection
        let stream = try server.open()
        let state = try #require(stream.state)
        #expect(read(state, connection))
        for _ in 0..<3 {
            #expect(connection.beginReading(state))
            #expect(connection.continueReading(state))
        }
        connection.leaveReading(ObjectIdentifier(state))
        #expect(!isBackground(connection))
        withExtendedLifetime((server, stream)) {}
    }

    @Test("the poll takes the place of a waiting task once another task waits for a window to open")
    func writing() throws {
        let server = try FedConnection()
        let connection = server.connection
        let stream = try server.open()
        let state = try #require(stream.state)
        #expect(read(state, connection))
        connection.beginWriteWait()
        #expect(isBackground(connection))
        connection.endWriteWait()
        withExtendedLifetime((server, stream)) {}
    }

    @Test("a task that is replaced before it waits for the socket does not wait there")
    func replacedBeforeWaiting() async throws {
        let server = try FedConnection()
        let connection = server.connection
        let streams = try (0..<2).map { _ in try server.open() }
        let states = try streams.map { try #require($0.state) }
        #expect(read(states[0], connection))
        #expect(park(states[1], connection))
        // As the background does before it reads: nothing tells the task that it has been replaced.
        _ = connection.bytes.socket.consumeReadiness(for: .reading)
        let isParked = await withUnsafeContinuation { (outer: UnsafeContinuation<Bool, Never>) in
            Task {
                await withUnsafeContinuation { continuation in
                    let isParked = connection.park(continuation, for: states[0])
                    outer.resume(returning: isParked)
                    if !isParked { continuation.resume() }
                }
            }
        }
        #expect(!isParked)
        withExtendedLifetime((server, streams)) {}
    }
}
