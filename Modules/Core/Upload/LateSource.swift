package import AirframeTransport
package import Foundation

/// A source that is created at its first read: content that can be read once is not opened before it is sent.
package actor LateSource: RequestBodySource {
    private let makeSource: @Sendable () throws -> any RequestBodySource
    private var source: (any RequestBodySource)?

    package init(_ makeSource: @escaping @Sendable () throws -> any RequestBodySource) { self.makeSource = makeSource }

    package func next() async throws -> Data? {
        let source = try source ?? makeSource()
        self.source = source
        return try await source.next()
    }

    nonisolated package func cancel() {
        Task { await drop() }
    }

    private func drop() { source?.cancel() }
}
