import Airframe
import AirframeTestSupport
import Foundation
import Testing

extension RealTransfers {
    @Suite("Coded content of real servers", .enabled(if: Peers.areExpected), .timeLimit(.minutes(5)))
    struct DecodingPeerTests {
        @Test("a session requests the codings that its layers decode")
        func advertised() async throws {
            struct Headers: Decodable, Sendable { let headers: [String: String] }
            let url = try Peers.required().http("httpbin") + "/headers"
            let session = try makeSession()
            let sent = try await session.request(url).serializingDecodable(Headers.self).value
            #expect(sent.headers["Accept-Encoding"] == "br;q=1.0, gzip;q=0.9, deflate;q=0.8, zstd;q=0.7")
        }

        @Test("httpbin's codings are decoded", arguments: ["gzip", "deflate", "brotli"])
        func httpbin(coding: String) async throws {
            let url = try Peers.required().http("httpbin") + "/\(coding)"
            let session = try makeSession()
            let response = await session.request(url).serializingData().response
            let object = try JSONSerialization.jsonObject(with: response.result.get()) as? [String: Any]
            let flag = coding == "gzip" ? "gzipped" : coding == "deflate" ? "deflated" : "brotli"
            #expect(object?[flag] as? Bool == true)
            #expect(response.response?.value(forHTTPHeaderField: "Content-Encoding") == nil)
            #expect(response.response?.receivedHeaders["Content-Encoding"] != nil)
            #expect(response.response?.expectedContentLength == -1)
        }

        @Test("a coding that the request names itself is decoded as well, as by URLSession")
        func byHand() async throws {
            let url = try Peers.required().http("httpbin") + "/gzip"
            let session = try makeSession()
            let data = try await session.request(url, headers: [.acceptEncoding("gzip")]).serializingData().value
            #expect(try JSONSerialization.jsonObject(with: data) is [String: Any])
        }

        @Test("metrics count bytes before and after decoding")
        func metrics() async throws {
            let url = try Peers.required().http("httpbin") + "/gzip"
            let session = try makeSession()
            let response = await session.request(url).serializingData().response
            let transaction = try #require(response.metrics?.transactionMetrics.last)
            let received = transaction.countOfResponseBodyBytesReceived
            let length = response.response?.receivedHeaders["Content-Length"].flatMap { Int64($0) }
            #expect(received == length)
            #expect(transaction.countOfResponseBodyBytesAfterDecoding == Int64(try response.result.get().count))
            #expect(received != transaction.countOfResponseBodyBytesAfterDecoding)
        }
    }
}
