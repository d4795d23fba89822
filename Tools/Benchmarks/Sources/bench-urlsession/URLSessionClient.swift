import Benchmark
import Foundation
import FoundationNetworking

/// Its API for async code and the one of completion handlers.
struct URLSessionClient: Sendable {
    private let settings: Settings
    private let session: URLSession
    private let downloads = DownloadCounter()
    private let decoder = JSONDecoder()

    init(_ settings: Settings) {
        self.settings = settings
        let configuration = URLSessionConfiguration.ephemeral
        // Six by default: the other clients have a connection for each request that is in flight.
        configuration.httpMaximumConnectionsPerHost = settings.concurrency
        session = URLSession(configuration: configuration, delegate: downloads, delegateQueue: nil)
    }

    func perform() async throws {
        let request = try makeRequest()
        switch settings.work {
        case .get, .json, .newConnection:
            let (data, response) = try await session.data(for: request)
            try check(data, response)
        case .upload:
            let (data, response) = try await session.upload(for: request, fromFile: file)
            try check(data, response)
        case .downloadFile:
            refuse("bench-urlsession writes no files: ask for --work download")
        case .download:
            let (count, response) = try await downloads.run(session.dataTask(with: request))
            try UnexpectedResponse.check(status: status(of: response), count: count)
        }
    }

    func perform(_ completion: @escaping Trial.Completion) {
        guard settings.work == .get || settings.work == .json else { refuse("--face handler does get and json") }
        do {
            let task = session.dataTask(with: try makeRequest()) { data, response, error in
                if let error { return completion(error) }
                do {
                    try check(data ?? Data(), response)
                    completion(nil)
                } catch {
                    completion(error)
                }
            }
            task.resume()
        } catch {
            completion(error)
        }
    }

    private func makeRequest() throws -> URLRequest {
        guard let url = URL(string: settings.url) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        if settings.work == .newConnection { request.setValue("close", forHTTPHeaderField: "Connection") }
        if settings.work == .upload { request.httpMethod = "PUT" }
        return request
    }

    private var file: URL { URL(fileURLWithPath: settings.file ?? "") }

    private func check(_ data: Data, _ response: URLResponse?) throws {
        try UnexpectedResponse.check(status: status(of: response), count: data.count)
        if settings.work == .json { _ = try decoder.decode(Sample.self, from: data) }
    }

    private func status(of response: URLResponse?) -> Int {
        (response as? HTTPURLResponse)?.statusCode ?? 0
    }
}
