import Airframe
import AirframeTestSupport
import Foundation
import Testing

@Suite("The chain, against Hangar and nginx", .enabled(if: Peers.areExpected), .overEachEngine, .timeLimit(.minutes(2)))
struct ChainTests {
    @Test("GET is validated and decoded, by handler and by await", arguments: ["http", "https", "httpbin"])
    func getJSON(peer: String) async throws {
        let peers = try Peers.required()
        let origin = try peer == "https" ? peers.https() : peers.http(peer)
        let session = try makeSession()
        let echo = try await session.request("\(origin)/get", parameters: ["q": "ä b"]).validate()
            .serializingDecodable(Echo.self).value
        #expect(echo.args == ["q": "ä b"])
        let response = await withCheckedContinuation { continuation in
            session.request("\(origin)/get").validate()
                .responseDecodable(of: Echo.self, queue: .global()) { continuation.resume(returning: $0) }
        }
        #expect(response.error == nil)
        #expect(response.response?.statusCode == 200)
    }

    @Test("A form and a JSON body arrive as they were meant", arguments: ["http", "httpbin"])
    func post(peer: String) async throws {
        let origin = try Peers.required().http(peer)
        let session = try makeSession()
        let form = try await session.request("\(origin)/post", method: .post, parameters: ["a": "1 & 2", "b": "ł"])
            .validate().serializingDecodable(Echo.self).value
        #expect(form.form == ["a": "1 & 2", "b": "ł"])
        let json =
            try await session
            .request("\(origin)/post", method: .post, parameters: ["a": 1], encoder: JSONParameterEncoder.default)
            .validate().serializingDecodable(Echo.self).value
        #expect(json.data == #"{"a":1}"#)
    }

    @Test(
        "HTTP/2 is spoken where ALPN offers it, with prior knowledge, and not where it is forbidden",
        arguments: [
            (HTTPVersionPolicy.automatic, "https", "h2"), (.http1Only, "https", "http/1.1"),
            (.http2PriorKnowledge, "h2c", "h2"), (.automatic, "http", "http/1.1"),
        ])
    func versions(policy: HTTPVersionPolicy, peer: String, expected: String) async throws {
        let peers = try Peers.required()
        let origin = try peer == "https" ? peers.https() : peers.http(peer)
        let session = try makeSession { $0.httpVersion = policy }
        let response = await session.request("\(origin)/get").validate().serializingData().response
        #expect(response.error == nil)
        #expect(response.metrics?.transactionMetrics.last?.networkProtocolName == expected)
    }

    @Test("Every phase of a new TLS connection is in the metrics, in order; a second request reuses it")
    func metrics() async throws {
        let origin = try Peers.required().https()
        let session = try makeSession { $0.httpVersion = .http1Only }
        let first = await session.request("\(origin)/get").serializingData().response
        let transaction = try #require(first.metrics?.transactionMetrics.last)
        let dates = [
            transaction.fetchStartDate, transaction.domainLookupStartDate, transaction.domainLookupEndDate,
            transaction.connectStartDate, transaction.secureConnectionStartDate, transaction.secureConnectionEndDate,
            transaction.connectEndDate, transaction.requestStartDate, transaction.requestEndDate,
            transaction.responseStartDate, transaction.responseEndDate,
        ]
        #expect(dates.allSatisfy { $0 != nil }, "\(dates)")
        #expect(dates.compactMap(\.self) == dates.compactMap(\.self).sorted())
        #expect(!transaction.isReusedConnection)
        #expect(transaction.remoteAddress != nil && transaction.localPort != nil)
        #expect(transaction.negotiatedTLSProtocolVersion != nil)
        #expect(transaction.countOfRequestHeaderBytesSent > 0 && transaction.countOfResponseHeaderBytesReceived > 0)
        #expect(transaction.countOfResponseBodyBytesReceived == Int64(first.data?.count ?? 0))
        let second = await session.request("\(origin)/get").serializingData().response
        #expect(second.metrics?.transactionMetrics.last?.isReusedConnection == true)
        #expect(second.metrics?.transactionMetrics.last?.connectStartDate == nil)
    }

    @Test("Progress is reported both ways, and ends at the whole")
    func progress() async throws {
        let origin = try Peers.required().http()
        let session = try makeSession()
        let size = 4 << 20
        let upload = session.upload(Data(repeating: 7, count: size), to: "\(origin)/upload").validate()
        #expect(try await upload.serializingDecodable(Sink.self).value.bytes == size)
        #expect(upload.uploadProgress.fractionCompleted == 1)
        let download = session.request("\(origin)/bytes/\(size)").validate()
        #expect(try await download.serializingData().value.count == size)
        #expect(download.downloadProgress.completedUnitCount == Int64(size))
    }

    @Test("Data, file and stream are uploaded; a stream of unknown length goes in chunks")
    func uploads() async throws {
        let origin = try Peers.required().http()
        let session = try makeSession()
        let file = try ScratchFile(size: 1_000_003)
        let fromFile = try await session.upload(file.url, to: "\(origin)/upload").validate()
            .serializingDecodable(Sink.self).value
        #expect(fromFile.bytes == 1_000_003)
        #expect(fromFile.chunked == false)
        let stream = InputStream(data: Data(repeating: 1, count: 300_000))
        let fromStream = try await session.upload(stream, to: "\(origin)/upload").validate()
            .serializingDecodable(Sink.self).value
        #expect(fromStream.bytes == 300_000)
        #expect(fromStream.chunked == true)
    }

    @Test("A redirect that asks for a one-shot body again fails with an error that says so")
    func redirectOfStream() async throws {
        let origin = try Peers.required().http()
        let session = try makeSession()
        let target = "\(origin)/redirect-to?url=%2Fupload&status_code=307"
        let stream = InputStream(data: Data(repeating: 1, count: 1000))
        let error = await session.upload(stream, to: target).serializingData().response.error
        #expect(error?.transportError?.code == .bodyNotReplayable, "\(String(describing: error))")
        let replayed = try await session.upload(Data(repeating: 1, count: 1000), to: target).validate()
            .serializingDecodable(Sink.self).value
        #expect(replayed.bytes == 1000)
    }

    @Test(
        "Bad certificates are rejected with OpenSSL's message",
        arguments: [
            ("httpsExpired", "expired"), ("httpsNotYetValid", "not yet valid"), ("httpsWrongHost", "other.test"),
            ("httpsSelfSigned", "self-signed"), ("httpsUntrusted", "issuer"),
        ])
    func badCertificates(peer: String, words: String) async throws {
        let origin = try Peers.required().https(peer)
        let session = try makeSession()
        let error = await session.request("\(origin)/get").serializingData().response.error
        #expect(error?.isSessionTaskError == true, "\(String(describing: error))")
        #expect(error?.transportError?.isTrustFailure == true)
        let message = error?.transportError?.description ?? ""
        #expect(message.contains(words), "\(message)")
        #expect(message.contains("localhost"), "\(message)")
    }

    @Test(
        "A closed port, an unknown host and an unknown scheme have their own URLError, which names the host",
        arguments: [
            ("http://127.0.0.1:1/", URLError.Code.cannotConnectToHost),
            ("http://no-such-host.invalid/", .cannotFindHost),
            ("ftp://127.0.0.1/", .unsupportedURL),
        ])
    func unreachable(url: String, code: URLError.Code) async throws {
        let session = try makeSession()
        let error = await session.request(url).serializingData().response.error
        #expect((error?.underlyingError as? URLError)?.code == code, "\(String(describing: error))")
        let host = try #require(URL(string: url)?.host)
        #expect(error?.localizedDescription.contains(host) == true || code == .unsupportedURL)
    }
}
