import Airframe
import AirframeTestSupport
import Foundation
import Testing

extension RealTransfers {
    @Suite("Upload content", .enabled(if: Peers.areExpected), .timeLimit(.minutes(5)))
    struct UploadContentTests {
        private struct Receipt: Decodable, Sendable {
            let bytes: Int
            let sha256: String
            let chunked: Bool
        }

        /// A way to upload 300,000 bytes.
        enum Content: String, CaseIterable, Sendable {
            case data, file, region, stream, streamOfKnownLength, sequence, sequenceOfKnownLength, bytes, restartable

            var isChunked: Bool { [.stream, .sequence, .bytes, .restartable].contains(self) }
        }

        private static let content: Data = {
            var random = SeededGenerator(30)
            return random.data(300_000)
        }()

        /// The content in pieces of many sizes.
        private static func pieces() -> AsyncStream<Data> {
            AsyncStream { continuation in
                var rest = content
                var size = 1
                while !rest.isEmpty {
                    continuation.yield(rest.prefix(size))
                    rest = rest.dropFirst(size)
                    size = size * 3 % 50_021 + 1
                }
                continuation.finish()
            }
        }

        private static func bytes() -> AsyncStream<UInt8> {
            AsyncStream { continuation in
                for byte in content { continuation.yield(byte) }
                continuation.finish()
            }
        }

        private func upload(_ content: Content, _ session: Session, to url: String, _ folder: ScratchFolder) throws
            -> UploadRequest
        {
            let data = Self.content
            let length = Int64(data.count)
            switch content {
            case .data: return session.upload(data, to: url)
            case .file: return session.upload(try folder.file(content: data), to: url)
            case .region:
                let file = try folder.file(content: Data(count: 777) + data + Data(count: 99))
                return session.upload(.file(FileRegion(path: file.path, offset: 777, length: length)), to: url)
            case .stream: return session.upload(InputStream(data: data), to: url)
            case .streamOfKnownLength:
                return session.upload(InputStream(data: data), to: url, headers: ["Content-Length": "\(length)"])
            case .sequence: return session.upload(Self.pieces(), to: url)
            case .sequenceOfKnownLength: return session.upload(Self.pieces(), length: length, to: url)
            case .bytes: return session.upload(Self.bytes(), to: url)
            case .restartable: return session.upload(.restartableSequence { Self.pieces() }, to: url)
            }
        }

        @Test(
            "content arrives whole, in chunks if its length is unknown", arguments: Content.allCases,
            TestedEngine.allCases)
        func arrives(content: Content, engine: TestedEngine) async throws {
            let session = engine.session()
            let folder = try ScratchFolder()
            let url = try Peers.required().http("hangar") + "/upload"
            let request = try upload(content, session, to: url, folder)
            let receipt = try await request.serializingDecodable(Receipt.self).value
            let reference = try await session.upload(Self.content, to: url).serializingDecodable(Receipt.self).value
            #expect(receipt.bytes == Self.content.count)
            #expect(receipt.sha256 == reference.sha256)
            #expect(receipt.chunked == content.isChunked)
            #expect(request.uploadProgress.completedUnitCount == Int64(Self.content.count))
            #expect(request.uploadProgress.totalUnitCount == (content.isChunked ? -1 : Int64(Self.content.count)))
        }

        @Test(
            "a sequence with a wrong announced length fails the upload", arguments: [299_999, 300_001],
            TestedEngine.allCases)
        func wrongLength(length: Int64, engine: TestedEngine) async throws {
            let session = engine.session()
            let url = try Peers.required().http("hangar") + "/upload"
            let response = await session.upload(Self.pieces(), length: length, to: url).serializingData().response
            #expect(response.error?.transportError?.code == .bodyLengthMismatch)
        }

        @Test("the error of a sequence ends the upload and underlies its error", arguments: TestedEngine.allCases)
        func throwing(engine: TestedEngine) async throws {
            struct Broken: Error {}
            let sequence = AsyncThrowingStream<Data, any Error> { continuation in
                continuation.yield(Data(count: 1_000))
                continuation.finish(throwing: Broken())
            }
            let session = engine.session()
            let url = try Peers.required().http("hangar") + "/upload"
            let response = await session.upload(sequence, to: url).serializingData().response
            #expect(response.error?.transportError?.code == .bodyFailed)
            #expect(response.error?.transportError?.underlying is Broken)
        }

        @Test("an unreadable stream fails the upload", arguments: TestedEngine.allCases)
        func brokenStream(engine: TestedEngine) async throws {
            let session = engine.session()
            let url = try Peers.required().http("hangar") + "/upload"
            let stream = try #require(InputStream(fileAtPath: "/does/not/exist"))
            let response = await session.upload(stream, to: url).serializingData().response
            #expect(response.error?.transportError?.code == .bodyFailed)
        }
    }
}
