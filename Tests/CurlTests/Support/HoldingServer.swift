import Dispatch
import Glibc

/// A server that waits for a number of connections and then answers all of them, on one thread.
final class HoldingServer: Sendable {
    let origin: String

    init(count: Int) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 4096) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isListening else { throw TookTooLong() }
        origin = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        DispatchQueue(label: "holding server").async { Self.serve(listener, count) }
    }

    private static func serve(_ listener: Int32, _ count: Int) {
        let clients = (0..<count).map { _ in accept(listener, nil, nil) }
        close(listener)
        for client in clients {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok".utf8)
            if recv(client, &buffer, buffer.count, 0) > 0 { send(client, answer, answer.count, Int32(MSG_NOSIGNAL)) }
            close(client)
        }
    }
}
