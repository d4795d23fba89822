internal import Foundation
internal import Glibc

/// Reads the messages of an inspected program.
package struct InspectionClient: Sendable {
    private let path: String

    /// Creates a client for a socket.
    package init(_ socket: InspectionSocket) { path = socket.path }

    /// Connects, and returns the messages until the program ends.
    ///
    /// - Throws: ``InspectionError`` if no program of this user listens at the path. The stream throws for a malformed
    ///   line.
    package func messages() throws(InspectionError) -> AsyncThrowingStream<InspectionMessage, any Error> {
        let directory = InspectionSocket.directory
        if path.hasPrefix(directory + "/") { try InspectionSocket.checkDirectory(directory) }
        let descriptor = try UnixSocket.connect(to: path)
        // Root may inspect the programs of all users.
        guard UnixSocket.isOwnUser(descriptor) || geteuid() == 0 else {
            close(descriptor)
            throw InspectionError("the program that listens at \(path) is of another user")
        }
        return AsyncThrowingStream { continuation in
            let thread = Thread {
                defer { close(descriptor) }
                do {
                    try Self.read(descriptor) { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            // Reading blocks until the socket is shut down.
            continuation.onTermination = { _ in shutdown(descriptor, Int32(SHUT_RDWR)) }
            thread.start()
        }
    }

    /// The maximum length of a line. An entry with both bodies at their default limits is far shorter.
    private static let longestLine = 64 << 20

    private static func read(_ descriptor: Int32, _ take: (InspectionMessage) -> Void) throws {
        var buffer = Data()
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(descriptor, &piece, piece.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            buffer.append(contentsOf: piece[..<count])
            while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                if let message = try InspectionMessage(line: Data(buffer[..<end])) { take(message) }
                buffer = Data(buffer[buffer.index(after: end)...])
            }
            guard buffer.count <= longestLine else { throw InspectionError("the program sent a line without an end") }
        }
    }
}
