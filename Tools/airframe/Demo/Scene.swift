import Airframe
import AirframeCommandLine
import Foundation

/// One scene: a title, and a play that returns a line with its result, or throws.
struct Scene: Sendable {
    let title: String
    /// The engines that can do it.
    var engines: Set<ConnectionOptions.Engine> = [.sockets, .curl]
    let play: @Sendable (DemoServer) async throws -> String

    static let all = [
        decodesJSON, callsBack, sendsForm, uploads, downloads, followsRedirect, retries, decodesContent,
        answersDigest, keepsCookies, cachesResponses, followsEvents, speaksHTTP2, refusesBadCertificate, pinsKeys,
        recordsArchive, timesOut, cancels, chats,
    ]
}

extension Scene {
    static let decodesJSON = Scene(title: "decode JSON") { server in
        let items = try await server.session.request("\(server.http)/json").validate()
            .serializingDecodable([Item].self).value
        try check(items.count == 10, "\(items.count) objects arrived, not 10")
        return "\(items.count) objects, the first is \(items[0].name)"
    }

    static let callsBack = Scene(title: "call back when done") { server in
        let response = await withCheckedContinuation { continuation in
            server.session.request("\(server.http)/get", parameters: ["q": "airframe"])
                .validate()
                .responseDecodable(of: Echo.self, queue: .global()) { continuation.resume(returning: $0) }
        }
        let echo = try response.result.get()
        try check(echo.args?["q"] == "airframe", "the server saw \(echo.args ?? [:])")
        return "the server saw q=airframe"
    }

    static let sendsForm = Scene(title: "send a form") { server in
        let echo = try await server.session
            .request("\(server.http)/post", method: .post, parameters: ["name": "Ada & Bob", "city": "Łódź"])
            .validate().serializingDecodable(Echo.self).value
        try check(
            echo.form?["name"] == "Ada & Bob" && echo.form?["city"] == "Łódź", "the server saw \(echo.form ?? [:])")
        return "name and city arrived"
    }

    static let uploads = Scene(title: "upload 32 MiB with progress") { server in
        let bar = ProgressReporter(isEnabled: true)
        let content = Data(repeating: 0x61, count: 32 << 20)
        let sink = try await server.session.upload(content, to: "\(server.http)/upload")
            .uploadProgress(queue: .global()) { bar.show($0) }
            .validate().serializingDecodable(Sink.self).value
        bar.clear()
        try check(sink.bytes == content.count, "the server counted \(sink.bytes) bytes")
        return "\(bar.count) reports, the server counted \(sink.bytes) bytes"
    }

    static let downloads = Scene(title: "download 64 MiB with a bar") { server in
        let bar = ProgressReporter(isEnabled: true)
        let target = FileManager.default.temporaryDirectory.appendingPathComponent("airframe-demo.bin")
        defer { try? FileManager.default.removeItem(at: target) }
        let url = try await server.session
            .download("\(server.http)/bytes/\(64 << 20)", to: { _, _ in (target, [.removePreviousFile]) })
            .downloadProgress(queue: .global()) { bar.show($0) }
            .validate().serializingDownloadedFileURL().value
        bar.clear()
        let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int
        try check(size == 64 << 20, "the file has \(size ?? 0) bytes")
        return "\(bar.count) reports, \(size ?? 0) bytes in a file"
    }

    static let followsRedirect = Scene(title: "follow three redirects") { server in
        let response = await server.session.request("\(server.http)/redirect/3").validate()
            .serializingData().response
        _ = try response.result.get()
        let count = response.metrics?.redirectCount ?? 0
        try check(response.response?.url?.path == "/get", "it ended at \(response.response?.url?.path ?? "nowhere")")
        try check(count == 3, "\(count) redirects were counted")
        return "ended at /get"
    }

    static let speaksHTTP2 = Scene(title: "speak HTTP/2 over TLS") { server in
        let response = await server.session.request("\(server.https)/get").validate().serializingData().response
        _ = try response.result.get()
        let transaction = response.metrics?.transactionMetrics.last
        try check(transaction?.networkProtocolName == "h2", "it spoke \(transaction?.networkProtocolName ?? "nothing")")
        return "\(transaction?.negotiatedTLSCipherSuite ?? "TLS"), trusted by our own root"
    }

    static let refusesBadCertificate = Scene(title: "refuse an expired certificate") { server in
        let response = await server.session.request("\(server.expired)/get").serializingData().response
        guard let error = response.error else { throw DemoError("the server was trusted") }
        try check(error.transportError?.isTrustFailure == true, "it failed otherwise: \(error)")
        return error.transportError?.message ?? error.localizedDescription
    }

    static let timesOut = Scene(title: "time out after 300 ms") { server in
        let start = ContinuousClock.now
        let response = await server.session
            .request("\(server.http)/delay/10", requestModifier: { $0.timeoutInterval = 0.3 })
            .serializingData().response
        let code = (response.error?.underlyingError as? URLError)?.code
        try check(code == .timedOut, "it ended with \(response.error.map { "\($0)" } ?? "success")")
        try check(ContinuousClock.now - start < .seconds(2), "it took \(ContinuousClock.now - start)")
        return response.error?.transportError?.message ?? ""
    }

    static let cancels = Scene(title: "cancel an endless response") { server in
        let request = server.session.request("\(server.http)/endless?rate=10000000")
        let task = request.serializingData()
        while request.task?.countOfBytesReceived ?? 0 == 0 { try await Task.sleep(for: .milliseconds(5)) }
        let start = ContinuousClock.now
        request.cancel()
        let error = await task.response.error
        let elapsed = ContinuousClock.now - start
        try check(error?.isExplicitlyCancelledError == true, "it ended with \(error.map { "\($0)" } ?? "success")")
        try check(elapsed < .milliseconds(100), "it took \(elapsed), \(request.task?.countOfBytesReceived ?? 0) bytes")
        let time = Quantities.milliseconds(elapsed / .milliseconds(1))
        return "ended within \(time), after \(request.task?.countOfBytesReceived ?? 0) bytes"
    }
}

/// An object of the server's sample.
struct Item: Decodable, Sendable {
    let name: String
}

/// The server's echo of a request.
struct Echo: Decodable, Sendable {
    let args: [String: String]?
    let form: [String: String]?
}

/// The server's count of an upload.
struct Sink: Decodable, Sendable {
    let bytes: Int
}
