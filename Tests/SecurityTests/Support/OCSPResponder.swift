import AirframeTransport
import Foundation
import Glibc
import HTTPTypes
import Synchronization
import Testing

/// `openssl ocsp` as a responder, on a port that the system gives it.
///
/// It listens on all addresses: the command knows no other way.
final class OCSPResponder {
    let port: Int
    private let process: Process

    /// - Parameters:
    ///   - signer: The name of the certificate and key that answers are signed with.
    ///   - index: The database that it answers from.
    init(_ pki: PKI, signer: String = "responder", index: String = "index.txt") throws {
        let output = Pipe()
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        // It ends by itself after some requests, should the tests be killed before they end it.
        process.arguments = [
            "ocsp", "-port", "0", "-nrequest", "64", "-index", pki.path(index), "-CA", pki.path("intermediate.pem"),
            "-rsigner", pki.path("\(signer).pem"), "-rkey", pki.path("\(signer).key"), "-ndays", "1",
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        port = try #require(ListeningPort.read(from: output), "openssl ocsp says no port")
    }

    deinit {
        // Not `terminate`: the process inherits the signals that the test's thread has blocked.
        kill(process.processIdentifier, SIGKILL)
    }
}

/// Parses the port that openssl's servers print: `ACCEPT [::]:41000 …`.
enum ListeningPort {
    static func read(from output: Pipe) -> Int? {
        var text = ""
        while true {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { return nil }
            text += String(decoding: data, as: UTF8.self)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            guard let line = lines.first(where: { $0.hasPrefix("ACCEPT") && $0.contains(":") }) else { continue }
            return line.split(separator: " ").lazy.compactMap { $0.split(separator: ":").last.flatMap { Int($0) } }
                .first
        }
    }
}

/// A server that takes connections, and never says anything.
final class SilentServer {
    let port: Int
    private let ports: FreePorts

    init() throws {
        ports = try FreePorts(1)
        try ports.listen()
        port = try #require(ports.numbers.first)
    }
}

/// Sends requests for the hosts of the test PKI's certificates to where they are answered.
final class SignpostTransport: Transport {
    private let transport: any Transport
    private let ports: [String: Int]
    private let asked = Mutex<[String]>([])

    init(_ transport: any Transport, _ ports: [String: Int]) {
        self.transport = transport
        self.ports = ports
    }

    var capabilities: TransportCapabilities { transport.capabilities }

    /// The hosts and paths of the requests.
    var places: [String] { asked.withLock { $0 } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let host = request.head.authority ?? ""
        asked.withLock { $0.append("\(host)\(request.head.path ?? "")") }
        guard let port = ports[host] else {
            throw TransportError(.nameResolutionFailed, phase: .resolve, processing: .notSent, message: "no \(host)")
        }
        var request = request
        request.head.authority = "127.0.0.1:\(port)"
        return try await transport.send(request)
    }

    func shutdown() async { await transport.shutdown() }
}
