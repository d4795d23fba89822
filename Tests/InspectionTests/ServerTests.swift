import AirframeHAR
import AirframeTestSupport
import Dispatch
import Foundation
import Glibc
import Synchronization
import Testing

@testable import AirframeInspection

@Suite("The server of an inspected program", .timeLimit(.minutes(1)))
struct ServerTests {
    /// A path that no other test uses, short enough for a socket.
    private let path = "/tmp/airframe-test-\(UUID().uuidString.prefix(8)).sock"

    /// An exchange that has ended, with a response of `size` bytes.
    private func finished(_ number: UInt64, size: Int = 2) -> InspectionMessage {
        let entry = HAR.Entry(
            startedDateTime: Date(timeIntervalSince1970: 0),
            time: 0,
            request: HAR.Request(method: "GET", url: "http://api.test/\(number)"),
            response: HAR.Response(
                status: 200, content: HAR.Content(size: Int64(size), text: String(repeating: "x", count: size))),
            timings: HAR.Timings()
        )
        return .finished(id: number, entry: entry)
    }

    /// Reads until `limit` bytes have arrived or the server has disconnected the viewer.
    ///
    /// - Returns: The number of bytes.
    private func read(_ viewer: Int32, upTo limit: Int = .max) -> Int {
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var total = 0
        while total < limit {
            let count = recv(viewer, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            total += count
        }
        return total
    }

    @Test("a history without a limit keeps all exchanges")
    func unlimitedHistory() async throws {
        let server = try InspectionServer(path: path, history: .max)
        for number in 1...3 { server.send(finished(UInt64(number))) }
        await server.flush()
        var count = 0
        for try await message in try InspectionClient(.path(path)).messages() {
            if case .finished = message { count += 1 }
            if case .current = message { break }
        }
        #expect(count == 3)
    }

    @Test("a viewer receives a history that is longer than the limit on unread bytes")
    func longHistory() async throws {
        let server = try InspectionServer(path: path, history: 200)
        let messages = (1...5).map { finished($0, size: 4 << 20) }
        let length = try messages.map { try $0.line().count }.reduce(0, +)
        for message in messages { server.send(message) }
        await server.flush()
        let viewer = try UnixSocket.connect(to: path)
        defer { close(viewer) }
        #expect(read(viewer, upTo: length) >= length)
    }

    @Test("a viewer that reads nothing is disconnected when later messages exceed the limit")
    func idleViewer() async throws {
        let server = try InspectionServer(path: path, history: 200)
        for number in 1...2 { server.send(finished(UInt64(number), size: 4 << 20)) }
        let viewer = try UnixSocket.connect(to: path)
        defer { close(viewer) }
        for number in 3...7 { server.send(finished(UInt64(number), size: 4 << 20)) }
        await server.flush()
        #expect(read(viewer) < 8 << 20)
    }

    @Test("a server that takes over a path keeps its socket when the server before it ends")
    func succession() async throws {
        for _ in 0..<200 {
            var first: InspectionServer? = try InspectionServer(path: path, history: 1)
            await first?.flush()
            first = nil
            var second: InspectionServer?
            while second == nil {
                try Task.checkCancellation()
                second = try? InspectionServer(path: path, history: 1)
            }
            try await Task.sleep(for: .milliseconds(1))
            try #require(FileManager.default.fileExists(atPath: path))
            second = nil
            try await eventually("the removal") { [path] in !FileManager.default.fileExists(atPath: path) }
        }
    }

    /// Calls `body` on the queue of a viewer with a connection, and with the viewer's end of it.
    private func withViewer(_ body: (DispatchQueue, Viewer, Int32) throws -> Void) throws {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        let queue = DispatchQueue(label: "airframe.test.viewer")
        let viewer = queue.sync { Viewer(ends[0], limit: 1 << 20, queue: queue) }
        defer { queue.sync { viewer.close() } }
        try body(queue, viewer, ends[1])
    }

    /// Waits until `condition` holds on `queue`, for at most 20 seconds. Returns whether it does.
    private func holds(on queue: DispatchQueue, _ condition: () -> Bool) -> Bool {
        let end = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < end {
            if queue.sync(execute: condition) { return true }
            usleep(1_000)
        }
        return false
    }

    @Test("a viewer that has gone is disconnected although no message follows")
    func goneViewer() throws {
        try withViewer { queue, viewer, end in
            close(end)
            let isClosed = holds(on: queue) { viewer.isClosed }
            #expect(isClosed)
        }
    }

    @Test("a viewer that has gone after it ended its direction is disconnected when the next one connects")
    func goneHalfClosedViewer() throws {
        try withViewer { queue, viewer, end in
            shutdown(end, Int32(SHUT_WR))
            usleep(50_000)
            func isClosed() -> Bool {
                viewer.closeIfHungUp()
                return viewer.isClosed
            }
            let isClosedEarly = queue.sync(execute: isClosed)
            #expect(!isClosedEarly)
            close(end)
            let isClosedAtLast = holds(on: queue, isClosed)
            #expect(isClosedAtLast)
        }
    }

    @Test("a viewer that has ended its direction receives later messages")
    func halfClosedViewer() async throws {
        let server = try InspectionServer(path: path, history: 1)
        let viewer = try UnixSocket.connect(to: path)
        defer { close(viewer) }
        shutdown(viewer, Int32(SHUT_WR))
        let greeting = read(viewer, upTo: 1)
        try #require(greeting > 0)
        // Enough for the server to notice the end. If it notices later, the test passes.
        try await Task.sleep(for: .milliseconds(50))
        let message = finished(1, size: 1 << 20)
        server.send(message)
        let length = try message.line().count
        #expect(read(viewer, upTo: length) >= length)
        await server.flush()
    }

    @Test(
        "sockets are found only in a directory of this user with the mode 0700, and not through a link",
        arguments: [0o700, 0o750, 0o777] as [mode_t])
    func directory(mode: mode_t) throws {
        let directory = "/tmp/airframe-test-\(UUID().uuidString.prefix(8))"
        let link = directory + "-link"
        try #require(mkdir(directory, 0o700) == 0)
        let server = try InspectionServer(path: "\(directory)/1.sock", history: 1)
        defer {
            withExtendedLifetime(server) {
                unlink(link)
                try? FileManager.default.removeItem(atPath: directory)
            }
        }
        try #require(symlink(directory, link) == 0 && chmod(directory, mode) == 0)
        let isAccepted = (try? InspectionSocket.checkDirectory(directory)) != nil
        #expect(isAccepted == (mode == 0o700))
        let found = InspectionSocket.sockets(in: directory).map(\.path)
        #expect(found == (isAccepted ? ["\(directory)/1.sock"] : []))
        #expect(InspectionSocket.sockets(in: link).isEmpty)
    }

    /// The calls of a server without descriptors.
    private final class Attempts: Sendable {
        let count = Atomic(0)
        let fail = Atomic(true)

        var number: Int { count.load(ordering: .relaxed) }

        func accept(on listener: Int32) -> UnixSocket.Accepted {
            count.wrappingAdd(1, ordering: .relaxed)
            return fail.load(ordering: .relaxed) ? .exhausted : UnixSocket.accept(on: listener)
        }
    }

    @Test("a server without descriptors pauses, and accepts the viewer when there are some again")
    func exhausted() async throws {
        let attempts = Attempts()
        let server = try InspectionServer(path: path, history: 1) { attempts.accept(on: $0) }
        let viewer = try UnixSocket.connect(to: path)
        defer { close(viewer) }
        try await eventually("the first attempt") { attempts.number > 0 }
        try await Task.sleep(for: .milliseconds(20))
        #expect(attempts.number < 10)
        attempts.fail.store(false, ordering: .relaxed)
        #expect(read(viewer, upTo: 1) > 0)
        await server.flush()
    }
}
