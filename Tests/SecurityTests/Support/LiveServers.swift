import Foundation
import Glibc
import Testing

/// nginx with a server for each kind of certificate, and a log of the requests that reached it.
///
/// It ends with the tests' process, whichever way that ends: a shell watches over it.
final class LiveServers: Sendable {
    private let ports: [String: Int]
    private let log: String

    /// Started once for all tests.
    static func running() throws -> LiveServers { try result.get() }

    private static let result = Result {
        let pki = try PKI.made()
        // A free port may be taken before nginx listens.
        for _ in 0..<5 {
            if let servers = try LiveServers(pki) { return servers }
        }
        throw LiveServerError(description: "nginx does not start: \(try pki.log())")
    }

    /// Whether tests of live servers are to run: where nginx is, and on CI, where its absence is a failure.
    static let areExpected =
        access("/usr/sbin/nginx", X_OK) == 0 || ProcessInfo.processInfo.environment["CI"] == "true"

    private init?(_ pki: PKI) throws {
        let names = Set(Kind.all.map(\.name)).filter { !Self.refusedByNginx.contains($0) }.sorted()
        let free = try FreePorts(names.count + 1)
        ports = Dictionary(uniqueKeysWithValues: zip(names + [Self.files], free.numbers))
        log = pki.path("access.log")
        let servers = names.map { Self.server($0, port: ports[$0] ?? 0, pki) }.joined()
        let configuration = """
            \(getuid() == 0 ? "user root;" : "")
            daemon off; master_process off; pid nginx.pid; error_log error.log warn;
            events { worker_connections 512; }
            http {
                client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;
                log_format plain "$server_port $request";
                access_log access.log plain;
                keepalive_timeout 10m; client_header_timeout 10m;
                server { listen 127.0.0.1:\(ports[Self.files] ?? 0); root '\(pki.folder)'; }
            \(servers)
            }
            """
        try Data(configuration.utf8).write(to: URL(filePath: pki.path("nginx.conf")))
        free.release()
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        let command = "/usr/sbin/nginx -p '\(pki.folder)' -c '\(pki.path("nginx.conf"))' & nginx=$!"
        // Not by a signal that can be blocked: the process inherits those that the test's thread has blocked.
        let watch = "while kill -0 \(getpid()) && kill -0 $nginx; do sleep 0.2; done; kill -KILL $nginx"
        process.arguments = ["-c", "\(command); \(watch)"]
        process.standardInput = FileHandle.nullDevice
        // The test runner waits for the end of the output, which a child process would keep open.
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        guard ports.values.allSatisfy({ Self.answers($0, while: process) }) else {
            process.terminate()
            process.waitUntilExit()
            return nil
        }
    }

    /// The server of what certificates point to, in the clear.
    static let files = "files"

    /// Keys and digests that nginx does not load: `openssl s_server` shows them.
    static let refusedByNginx: Set<String> = ["weak-key", "weak-digest"]

    private static func server(_ name: String, port: Int, _ pki: PKI) -> String {
        let staple =
            FileManager.default.fileExists(atPath: pki.path("\(name).ocsp"))
            ? "ssl_stapling on; ssl_stapling_file \(name).ocsp;" : ""
        return """
                server {
                    listen 127.0.0.1:\(port) ssl; ssl_protocols TLSv1.2 TLSv1.3;
                    ssl_certificate \(name).pem; ssl_certificate_key \(name).key; \(staple)
                    location / { return 200 "\(name)"; }
                }

            """
    }

    private static func answers(_ port: Int, while process: Process) -> Bool {
        for _ in 0..<3000 {
            if FreePorts.isOpen(port) { return true }
            guard process.isRunning else { return false }
            usleep(10_000)
        }
        return false
    }

    func port(_ name: String) throws -> Int { try #require(ports[name], "there is no server \(name)") }

    /// The requests that reached a server, a line each.
    func requests(_ name: String) throws -> [Substring] {
        let port = try port(name)
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { $0.hasPrefix("\(port) ") }
    }

    /// Waits until a server has logged this many requests: it does so after it has answered.
    func waitForRequests(_ count: Int, _ name: String) async throws {
        while try requests(name).count < count { try await Task.sleep(for: .milliseconds(10)) }
    }
}

struct LiveServerError: Error, CustomStringConvertible {
    let description: String
}

extension PKI {
    func log() throws -> String { (try? String(contentsOfFile: path("error.log"), encoding: .utf8)) ?? "" }
}

/// Ports of the loopback address that were free a moment ago.
final class FreePorts {
    let numbers: [Int]
    private var sockets: [Int32]

    init(_ count: Int) throws {
        sockets = (0..<count).map { _ in socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
        numbers = try sockets.map { descriptor in
            var address = Self.loopback(0)
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
                }
            }
            guard isBound else { throw LiveServerError(description: "no free port") }
            return Int(UInt16(bigEndian: address.sin_port))
        }
    }

    func release() {
        for descriptor in sockets { close(descriptor) }
        sockets = []
    }

    deinit { release() }

    /// Takes connections on all of them, and accepts none.
    func listen() throws {
        for descriptor in sockets where Glibc.listen(descriptor, 64) != 0 {
            throw LiveServerError(description: "nothing can listen on \(numbers)")
        }
    }

    static func isOpen(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = loopback(UInt16(port))
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
