import AirframeCore
import AirframeLayers
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("Policies of requests and configurations", .timeLimit(.minutes(1)))
struct PolicyTests {
    private static let withoutCache = TransportFeatures(rawValue: .max).subtracting(.responseCache)

    @Test("a request that only a cache may answer fails unsent without a cache", arguments: [true, false])
    func onlyCached(isSetOnRequest: Bool) async throws {
        let transport = ScriptedTransport(features: Self.withoutCache) { .text("network", to: $0) }
        let configuration = URLSessionConfiguration.af.default
        if !isSetOnRequest { configuration.requestCachePolicy = .returnCacheDataDontLoad }
        let session = Session(transport: transport, configuration: configuration)
        let response = await session.request("http://api.test/") {
            if isSetOnRequest { $0.cachePolicy = .returnCacheDataDontLoad }
        }.serializingString().response
        let error = try #require(response.error)
        #expect((error.underlyingError as? URLError)?.code == .resourceUnavailable)
        #expect(error.isSessionTaskError)
        #expect(transport.heads.isEmpty)
    }

    @Test(
        "every other cache policy loads from the network without a cache",
        arguments: [
            URLRequest.CachePolicy.useProtocolCachePolicy, .reloadIgnoringLocalCacheData, .returnCacheDataElseLoad,
            .reloadIgnoringLocalAndRemoteCacheData, .reloadRevalidatingCacheData,
        ])
    func otherPolicies(_ policy: URLRequest.CachePolicy) async throws {
        let transport = ScriptedTransport(features: Self.withoutCache) { .text("network", to: $0) }
        let session = Session(transport: transport)
        let text = try await session.request("http://api.test/") { $0.cachePolicy = policy }.serializingString().value
        #expect(text == "network")
        #expect(transport.heads.count == 1)
        #expect(transport.heads.first?.headerFields[.cacheControl] == nil)
    }

    @Test("a caching layer receives the request's policy, else the session's")
    func layer() async throws {
        let seen = Mutex<[CacheUse]>([])
        let transport = ClosureTransport(features: .responseCache.union(Self.withoutCache)) { request in
            seen.withLock { $0.append(request[CacheUse.self]) }
            return .text("cached", to: request)
        }
        let configuration = URLSessionConfiguration.af.default
        configuration.requestCachePolicy = .returnCacheDataElseLoad
        let session = Session(transport: transport, configuration: configuration)
        _ = try await session.request("http://api.test/").serializingString().value
        _ = try await session.request("http://api.test/") { $0.cachePolicy = .returnCacheDataDontLoad }
            .serializingString().value
        #expect(seen.withLock { $0 } == [.preferCached, .onlyCached])
    }

    @Test("a timeout that is not positive counts as not set", arguments: [0.0, -1, .nan])
    func timeouts(_ seconds: TimeInterval) async throws {
        let seen = Mutex<[TransportOptions]>([])
        let transport = ClosureTransport { request in
            seen.withLock { $0.append(request.options) }
            return .text("ok", to: request)
        }
        let configuration = URLSessionConfiguration.af.default
        configuration.timeoutIntervalForRequest = 7
        let session = Session(transport: transport, configuration: configuration)
        _ = try await session.request("http://api.test/") { $0.timeoutInterval = seconds }.serializingData().value
        configuration.timeoutIntervalForRequest = seconds
        configuration.timeoutIntervalForResource = seconds
        let other = Session(transport: transport, configuration: configuration)
        _ = try await other.request("http://api.test/").serializingData().value
        let options = seen.withLock { $0 }
        #expect(options.map(\.limits.firstByte) == [.seconds(7), .seconds(60)])
        #expect(options.map(\.deadline) == [nil, nil])
    }
}
