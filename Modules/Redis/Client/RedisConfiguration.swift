internal import FoundationEssentials

extension RedisClient {
    /// The server that a client connects to, and the time limits.
    public struct Configuration: Sendable, Hashable {
        /// The address of a server.
        public enum Address: Sendable, Hashable {
            /// A host name or an IP address, and a port.
            case tcp(host: String, port: Int)
            /// The path of a Unix domain socket.
            case unixSocket(path: String)
        }

        /// The address of the server.
        public var address: Address
        /// The user of an access control list; `nil` for the server's default user.
        public var username: String?
        /// The password; `nil` for a server that requires none.
        public var password: String?
        /// The number of the database.
        public var database = 0
        /// The time limit for opening a connection.
        public var connectTimeout = Duration.milliseconds(500)
        /// The time limit for the reply to a command, counted from its sending.
        public var commandTimeout = Duration.milliseconds(500)

        /// Creates a configuration for a server.
        public init(address: Address) { self.address = address }

        /// Reads a URL: `redis://[[user]:password@]host[:port][/database]`, or
        /// `unix://[[user]:password@]/path[?db=database]`.
        ///
        /// - Throws: ``RedisError`` with the kind `configuration` for any other URL, and for `rediss`: Debian's hiredis
        ///   0.14 has no TLS.
        public init(url: String) throws(RedisError) {
            guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased() else {
                throw Self.invalid("it is not a URL", parts: nil)
            }
            switch scheme {
            case "redis":
                let host = parts.host.map { $0.hasPrefix("[") ? String($0.dropFirst().dropLast()) : $0 } ?? ""
                guard !host.isEmpty else { throw Self.invalid("it has no host", parts: parts) }
                address = .tcp(host: host, port: parts.port ?? 6379)
                let path = parts.path.drop { $0 == "/" }
                if !path.isEmpty { database = try Self.number(String(path), parts) }
            case "unix":
                guard !parts.path.isEmpty else { throw Self.invalid("it has no path", parts: parts) }
                address = .unixSocket(path: parts.path)
                if let value = parts.queryItems?.first(where: { $0.name == "db" })?.value {
                    database = try Self.number(value, parts)
                }
            case "rediss":
                throw Self.invalid("hiredis is built without TLS; use a Unix socket or a tunnel", parts: parts)
            default: throw Self.invalid("its scheme is neither redis nor unix", parts: parts)
            }
            username = parts.user.flatMap { $0.isEmpty ? nil : $0 }
            password = parts.password.flatMap { $0.isEmpty ? nil : $0 }
        }

        private static func number(_ text: String, _ parts: URLComponents) throws(RedisError) -> Int {
            guard let number = Int(text), number >= 0 else {
                throw invalid("\(text) is not a database number", parts: parts)
            }
            return number
        }

        private static func invalid(_ reason: String, parts: URLComponents?) -> RedisError {
            let place = parts.map { "\($0.scheme ?? "")://\($0.host ?? "")\($0.path)" } ?? "the URL of the server"
            return RedisError(.configuration, place, reason)
        }

        /// The address and the database, without credentials.
        var place: String {
            switch address {
            case .tcp(let host, let port): "redis://\(host.contains(":") ? "[\(host)]" : host):\(port)/\(database)"
            case .unixSocket(let path): "unix://\(path)?db=\(database)"
            }
        }
    }
}

extension RedisClient.Configuration: CustomStringConvertible, CustomReflectable {
    /// The address and the database, without credentials.
    public var description: String { place }

    /// The same as ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["server": place]) }
}
