import FlyingFox
import FlyingSocks
import Foundation

/// The local test server: binds, writes its port as one line of JSON, and serves until a signal.
@main
struct Hangar {
    static func main() async {
        do {
            let arguments = try Arguments(CommandLine.arguments.dropFirst())
            if arguments.wantsHelp {
                print(Arguments.usage)
                return
            }
            Lifetime.install(exitOnEOF: arguments.exitOnEOF)
            try await serve(arguments)
        } catch {
            FileHandle.standardError.write(Data("hangar: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func serve(_ arguments: Arguments) async throws {
        let server = try await makeServer(arguments)
        try await withThrowingTaskGroup { group in
            group.addTask { try await server.run() }
            group.addTask { try await announce(server) }
            // A port that is taken fails `run` before there is anything to announce.
            while try await group.next() != nil {}
        }
    }

    private static func announce(_ server: HTTPServer) async throws {
        try await server.waitUntilListening()
        guard let port = await server.listeningAddress?.port else {
            throw UsageError("the listening socket has no port")
        }
        FileHandle.standardOutput.write(Data("{\"port\":\(port)}\n".utf8))
    }

    private static func makeServer(_ arguments: Arguments) async throws -> HTTPServer {
        let handler = FoxHandler(router: .hangar(state: ServerState()))
        let server = try makeServer(arguments, pool: try ReadinessPool())
        await server.appendRoute("*", for: FoxHandler.methods, to: handler)
        return server
    }

    private static func makeServer(_ arguments: Arguments, pool: ReadinessPool) throws -> HTTPServer {
        let (host, port) = (arguments.host, arguments.port)
        if let address = try? sockaddr_in.inet(ip4: host, port: port) {
            return HTTPServer(config: configuration(address, pool, arguments))
        }
        if let address = try? sockaddr_in6.inet6(ip6: host, port: port) {
            return HTTPServer(config: configuration(address, pool, arguments))
        }
        throw UsageError("--host takes an IP address, not \"\(host)\"")
    }

    private static func configuration(
        _ address: some SocketAddress, _ pool: ReadinessPool, _ arguments: Arguments
    ) -> HTTPServer.Configuration {
        HTTPServer.Configuration(
            address: address,
            timeout: arguments.handlerTimeout,
            // Nothing is kept for a second reading: bodies above one buffer go straight through.
            sharedRequestReplaySize: 0,
            pool: pool,
            logger: .disabled
        )
    }
}

extension Socket.Address {
    /// The port of an IP address, nil for a Unix socket.
    fileprivate var port: UInt16? {
        switch self {
        case .ip4(_, let port), .ip6(_, let port): port
        case .unix: nil
        }
    }
}
