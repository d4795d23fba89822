import AsyncHTTPClient
import Benchmark
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// AsyncHTTPClient's API with futures, whose callbacks run on the connection's event loop.
struct FutureClient: Sendable {
    private let settings: Settings
    private let client: HTTPClient
    private let decoder = JSONDecoder()

    init(_ settings: Settings, _ client: HTTPClient) {
        self.settings = settings
        self.client = client
        guard settings.work == .get || settings.work == .json else { refuse("--face future does get and json") }
    }

    func perform(_ completion: @escaping Trial.Completion) {
        do {
            let request = try HTTPClient.Request(url: settings.url)
            client.execute(request: request).whenComplete { result in
                completion(check(result))
            }
        } catch {
            completion(error)
        }
    }

    private func check(_ result: Result<HTTPClient.Response, any Error>) -> (any Error)? {
        do {
            let response = try result.get()
            let body = response.body ?? ByteBuffer()
            try UnexpectedResponse.check(status: Int(response.status.code), count: body.readableBytes)
            if settings.work == .json { _ = try decoder.decode(Sample.self, from: body) }
            return nil
        } catch {
            return error
        }
    }
}
