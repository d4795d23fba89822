import AirframeSocket
import Foundation
import Testing

/// The fuzzer's seeds and findings, parsed on every run of the tests.
@Suite("the corpus", .timeLimit(.minutes(1)))
struct CorpusTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../Corpus/http1-responses")

    static let names: [String] = (try? FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()) ?? []

    @Test("is not empty")
    func isThere() {
        #expect(Self.names.count >= 40)
    }

    @Test("gives the same transcript for every division into pieces and kind of request", arguments: names)
    func cuts(_ name: String) throws {
        let bytes = try Array(Data(contentsOf: Self.folder.appending(path: name)))
        for kind in [HTTP1RequestKind.ordinary, .head, .connect, .upgrade] {
            #expect(Transcript.disagreement(about: bytes, to: kind) == nil)
        }
    }

    @Test("gives the same transcript after any other response on the connection, any number of times")
    func others() throws {
        let corpus = try Self.names.map { try Array(Data(contentsOf: Self.folder.appending(path: $0))) }
        let alone = corpus.map { Transcript(of: $0) }
        for (bytes, first) in zip(corpus, alone) {
            for (other, transcript) in zip(corpus, alone) where transcript.isComplete {
                let whole = Array(other.prefix(transcript.consumed))
                for count in 1...3 {
                    #expect(Transcript(of: bytes, after: Array(repeating: whole, count: count)) == first)
                }
            }
        }
    }
}
