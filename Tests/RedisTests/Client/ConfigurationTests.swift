import Testing

@testable import AirframeRedis

@Suite("The URL of a Redis server", .timeLimit(.minutes(1)))
struct ConfigurationTests {
    typealias Address = RedisClient.Configuration.Address

    struct Row: Sendable {
        let url: String
        let address: Address
        var username: String?
        var password: String?
        var database = 0
    }

    static let rows = [
        Row(url: "redis://cache.internal", address: .tcp(host: "cache.internal", port: 6379)),
        Row(url: "redis://10.0.0.7:7000/3", address: .tcp(host: "10.0.0.7", port: 7000), database: 3),
        Row(url: "redis://[::1]:7000", address: .tcp(host: "::1", port: 7000)),
        Row(url: "redis://:secret@h/1", address: .tcp(host: "h", port: 6379), password: "secret", database: 1),
        Row(
            url: "redis://airframe:open%3A%20sesame@h", address: .tcp(host: "h", port: 6379), username: "airframe",
            password: "open: sesame"),
        Row(url: "unix:///run/redis.sock", address: .unixSocket(path: "/run/redis.sock")),
        Row(
            url: "unix://:secret@/run/redis.sock?db=2", address: .unixSocket(path: "/run/redis.sock"),
            password: "secret", database: 2),
    ]

    @Test("names address, credentials and database", arguments: rows)
    func valid(row: Row) throws {
        let configuration = try RedisClient.Configuration(url: row.url)
        #expect(configuration.address == row.address)
        #expect(configuration.username == row.username)
        #expect(configuration.password == row.password)
        #expect(configuration.database == row.database)
        for text in ["\(configuration)", String(reflecting: configuration), "\(RedisClient(configuration))"] {
            #expect(!text.contains("sec") && !text.contains("sesame"))
        }
    }

    @Test(
        "is rejected with a reason that shows no password",
        arguments: [
            ("http://h", "neither redis nor unix"), ("rediss://:secret@h", "without TLS"),
            ("redis://:secret@/1", "no host"),
            ("redis://:secret@h/x", "not a database number"), ("unix://", "no path"),
        ])
    func invalid(url: String, reason: String) throws {
        let error = try #require(throws: RedisError.self) { try RedisClient.Configuration(url: url) }
        #expect(error.kind == .configuration)
        #expect(error.reason.contains(reason))
        #expect(!error.description.contains("secret"))
    }
}
