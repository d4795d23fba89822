import AirframeConformance
import AirframeCore
import AirframeMock
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Rate limits", .timeLimit(.minutes(1)))
struct RateLimitTests {
    private static func response(_ fields: [String: String]) throws -> HTTPURLResponse {
        let url = try #require(URL(string: "http://api.test/"))
        return try #require(
            HTTPURLResponse(url: url, statusCode: 429, httpVersion: "HTTP/1.1", headerFields: fields))
    }

    @Test("the fields are parsed as structured fields (draft-ietf-httpapi-ratelimit-headers §3 and §4)")
    func fields() throws {
        let response = try Self.response([
            "RateLimit": #""burst";r=0;t=30, "daily";r=998;pk=:cHsdsRa894==:"#,
            "RateLimit-Policy": #""burst";q=100;w=60,"daily";q=65535;qu="bytes";w=86400;pk=:cHsdsRa894==:"#,
        ])
        #expect(response.rateLimits.map(\.policy) == ["burst", "daily"])
        #expect(response.rateLimits.map(\.remaining) == [0, 998])
        #expect(response.rateLimits.map(\.reset) == [30, nil])
        #expect(response.rateLimits.map { $0.partitionKey?.count } == [nil, 7])
        #expect(response.rateLimitPolicies.map(\.name) == ["burst", "daily"])
        #expect(response.rateLimitPolicies.map(\.quota) == [100, 65535])
        #expect(response.rateLimitPolicies.map(\.unit) == ["requests", "bytes"])
        #expect(response.rateLimitPolicies.map(\.window) == [60, 86400])
    }

    @Test(
        "a malformed field counts as absent",
        arguments: ["", "burst;r=0", "\"burst\"", "\"burst\";r=-1", "\"burst\";r=0.5", "\"burst;r=0", "(\"a\");r=0"]
    )
    func malformed(value: String) throws {
        #expect(try Self.response(["RateLimit": value]).rateLimits.isEmpty)
    }

    private static func waits(_ fields: HTTPFields, policy: RetryPolicy) async -> Duration {
        let mock = MockTransport {
            Route("/").reply(.sequence([.status(.tooManyRequests, headers: fields), .status(200)]))
        }
        let session = Session(transport: mock, interceptor: policy)
        _ = await session.request("http://api.test/").validate().serializingData(emptyResponseCodes: [200]).response
        return mock.requests(.get, "/").count == 2 ? mock.virtualClock.elapsed : .seconds(-1)
    }

    @Test(
        "a retry waits until an exhausted quota is reset; Retry-After takes precedence",
        arguments: [
            (#""a";r=0;t=7"#, nil, nil, 7), (#""a";r=0;t=7, "b";r=0;t=9"#, nil, nil, 9),
            (#""a";r=3;t=7"#, nil, nil, 1), (#""a";r=0"#, #""a";q=10;w=20"#, nil, 20),
            (#""a";r=0"#, #""b";q=10;w=20"#, nil, 1), (#""a";r=0;t=7"#, nil, "3", 3),
            (#""a";r=0;t=61"#, nil, nil, -1), ("garbage", nil, nil, 1),
        ] as [(String, String?, String?, Int)]
    )
    func waits(limit: String, policy: String?, retryAfter: String?, seconds: Int) async throws {
        var fields = HTTPFields()
        fields[try #require(HTTPField.Name("RateLimit"))] = limit
        fields[try #require(HTTPField.Name("RateLimit-Policy"))] = policy
        fields[.retryAfter] = retryAfter
        let policy = RetryPolicy(
            exponentialBackoffScale: 1,
            retryableHTTPStatusCodes: RetryPolicy.defaultRetryableHTTPStatusCodes.union([429])
        )
        #expect(await Self.waits(fields, policy: policy) == .seconds(seconds))
    }

    @Test("the work is not the product of the numbers of quotas and policies")
    func manyQuotas() async throws {
        var fields = HTTPFields()
        let names = (0..<100_000).map { "\"a\($0)\"" }
        fields[try #require(HTTPField.Name("RateLimit"))] = names.map { "\($0);r=0" }.joined(separator: ",")
        fields[try #require(HTTPField.Name("RateLimit-Policy"))] =
            names.map { "\($0);q=1;w=20" }.joined(separator: ",")
        let policy = RetryPolicy(
            exponentialBackoffScale: 1,
            retryableHTTPStatusCodes: RetryPolicy.defaultRetryableHTTPStatusCodes.union([429])
        )
        #expect(await Self.waits(fields, policy: policy) == .seconds(20))
    }

    @Test("the fields of a response are parsed over each engine", arguments: TestedEngine.allCases)
    func engines(engine: TestedEngine) async throws {
        let server = try ScriptedServer { connection in
            while true {
                try connection.readHead()
                let head = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"
                try connection.send(head + "RateLimit: \"a\";r=5;t=2\r\nRateLimit: \"b\";r=1\r\n\r\n")
            }
        }
        let configuration = URLSessionConfiguration.af.default
        configuration.transportOptions.proxy = ProxyPolicy.none
        let session = Session(transport: engine.transport, configuration: configuration)
        let response = await session.request(server.origin + "/").serializingData(emptyResponseCodes: [200]).response
        #expect(response.response?.rateLimits.map(\.remaining) == [5, 1])
    }
}
