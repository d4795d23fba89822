import Airframe
import AirframeHAR
import AirframeInspection
import Foundation
import Synchronization

// Scenes of the layers around an engine, which do the same over every engine.

extension Scene {
    static let retries = Scene(title: "retry a server that is busy") { server in
        let session = server.session(interceptor: RetryPolicy(retryLimit: 3, exponentialBackoffScale: 0.02))
        let url = "\(server.http)/fail-then-succeed/\(UUID().uuidString)?failures=2"
        let request = session.request(url).validate()
        _ = try await request.serializingData().value
        try check(request.retryCount == 2, "it was retried \(request.retryCount) times")
        return "503, 503, then 200"
    }

    static let decodesContent = Scene(title: "decode gzip, br and zstd") { server in
        for coding in ["gzip", "brotli", "zstd"] {
            let text = try await server.session.request("\(server.http)/\(coding)").validate().serializingString().value
            try check(text.contains("\"headers\""), "\(coding) was not decoded")
        }
        return "three codings, the same JSON"
    }

    static let answersDigest = Scene(title: "answer a Digest challenge") { server in
        let response = await server.session.request("\(server.http)/digest-auth/auth/ada/open sesame/SHA-256".encoded)
            .authenticate(username: "ada", password: "open sesame").validate().serializingData().response
        _ = try response.result.get()
        return "SHA-256 (RFC 7616)"
    }

    static let keepsCookies = Scene(title: "keep cookies") { server in
        let session = server.session { $0.httpCookieStorage = HTTPCookieStorage(jar: CookieJar()) }
        _ = try await session.request("\(server.http)/cookies/set?theme=dark").validate().serializingData().value
        let text = try await session.request("\(server.http)/cookies").validate().serializingString().value
        try check(text.contains("dark"), "the server saw \(text)")
        return "theme=dark was returned"
    }

    static let cachesResponses = Scene(title: "answer from the cache") { server in
        let session = server.session { $0.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0) }
        let url = "\(server.http)/cache/60"
        _ = try await session.request(url).validate().serializingData().value
        let second = await session.request(url).validate().serializingData().response
        let source = second.metrics?.transactionMetrics.last?.resourceFetchType
        try check(source == .localCache, "the second response is from \(source.map { "\($0)" } ?? "nowhere")")
        return "the second response took no exchange"
    }

    static let followsEvents = Scene(title: "follow server-sent events") { server in
        var count = 0
        for try await _ in server.session.eventSource("\(server.http)/sse?count=5&interval=0.01") {
            count += 1
            if count == 5 { break }
        }
        try check(count == 5, "\(count) events arrived")
        return "5 events"
    }

    static let pinsKeys = Scene(title: "refuse a key that is not pinned") { server in
        let pins = try PinSet(["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="])
        let policy = ChainPolicy(roots: .pemFile(path: server.servers.root))
        let trust = ServerTrustManager(evaluators: ["*": PinSetTrustEvaluator(pins, policy: policy)])
        let session = server.session(trust: trust)
        let response = await session.request("\(server.https)/get").serializingData().response
        guard let error = response.error else { throw DemoError("the server was trusted") }
        try check(error.isServerTrustEvaluationError, "it failed otherwise: \(error)")
        return "no byte of the request was sent"
    }

    static let recordsArchive = Scene(title: "record each exchange") { server in
        let statuses = Mutex<[Int]>([])
        let monitor = EntryMonitor { _, entry in statuses.withLock { $0.append(entry.response.status) } }
        let session = server.session(monitors: [monitor])
        _ = try await session.request("\(server.http)/redirect/2").validate().serializingData().value
        let seen = statuses.withLock { $0 }
        try check(seen == [302, 302, 200], "the entries are \(seen)")
        return "two redirects and the response, as HAR entries"
    }
}

extension String {
    /// The text with its spaces escaped.
    fileprivate var encoded: String { replacing(" ", with: "%20") }
}
