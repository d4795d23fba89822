internal import AirframeCompression
internal import AirframeCore
internal import AirframeTransport
internal import Foundation

extension RequestBody {
    /// Returns a body that is compressed while it is sent. It is as replayable as this one. Small data is compressed
    /// immediately, so that its length is known.
    func coded(_ coding: ContentCoding, level: Int?) throws -> RequestBody {
        if case .bytes(let data) = content, data.count <= 1 << 20, trailers == nil {
            return .bytes(try coding.encoded(data, level: level))
        }
        let plain = self
        let makeSource = { @Sendable () throws -> any RequestBodySource in
            try CodedBodySource(plain.makeChunks(), coding, level: level)
        }
        var coded: RequestBody =
            switch replay {
            case .oneShot: .oneShot(LateSource(makeSource))
            case .restartable, .seekable: .restartable(makeSource)
            }
        coded.trailers = trailers
        return coded
    }
}

/// A sequence that compresses content as it passes.
///
/// An actor, because the encoder's state belongs to one transmission.
private actor CodedBodySource: RequestBodySource {
    private let source: any RequestBodySource
    private var encoder: ContentEncoder
    private var isAtEnd = false

    init(_ source: any RequestBodySource, _ coding: ContentCoding, level: Int?) throws {
        self.source = source
        encoder = try ContentEncoder(coding, level: level)
    }

    func next() async throws -> Data? {
        while !isAtEnd {
            if let chunk = try await source.next() {
                let coded = try encoder.encode(chunk)
                if !coded.isEmpty { return coded }
            } else {
                isAtEnd = true
                return Data(try encoder.finish())
            }
        }
        return nil
    }

    nonisolated func cancel() { source.cancel() }
}
