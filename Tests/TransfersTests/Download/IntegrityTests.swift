import AirframeTestSupport
import AirframeTransfers
import Foundation
import Testing

@Suite("The integrity of downloads", .timeLimit(.minutes(1)))
struct IntegrityTests {
    private static let abc = Data("abc".utf8)
    private static let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    private static let base64 = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="

    @Test(
        "a checksum is parsed from its digits",
        arguments: [
            ("sha-256:\(sha256)", TransferChecksum.Algorithm.sha256), ("SHA256:\(sha256)", .sha256), (sha256, .sha256),
            ("900150983cd24fb0d6963f7d28e17f72", .md5), ("sha1:a9993e364706816aba3e25717850c26c9cd0d89d", .sha1),
        ])
    func checksums(text: String, algorithm: TransferChecksum.Algorithm) throws {
        #expect(try #require(TransferChecksum(text)).algorithm == algorithm)
    }

    @Test(
        "malformed checksums are rejected",
        arguments: ["", "sha-256:", "sha-256:00", "crc:00000000", "xyz", "+1+1", "sha1:\(sha256)"])
    func noChecksums(text: String) { #expect(TransferChecksum(text) == nil) }

    @Test(
        "bytes are checked against the user's checksum and the server's digests",
        arguments: [
            ("sha-256:\(sha256)", [:], true), ("sha1:a9993e364706816aba3e25717850c26c9cd0d89d", [:], true),
            ("md5:900150983cd24fb0d6963f7d28e17f72", [:], true),
            ("sha-256:\(String(sha256.reversed()))", [:], false),
            (nil, ["Repr-Digest": "sha-256=:\(base64):"], true),
            (nil, ["Repr-Digest": "sha-256=:AAAAv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:"], false),
            (nil, ["Content-Digest": "sha-256=:\(base64):"], true),
            (nil, ["Content-Digest": "sha-256=:AAAAv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:"], false),
            (nil, ["Repr-Digest": "unixsum=:AAAA:, nonsense"], true),
        ] as [(String?, [String: String], Bool)])
    func digests(checksum: String?, fields: [String: String], isRight: Bool) async throws {
        let folder = try ScratchFolder()
        let server = try RangeServer(["/f": ServedFile(content: Self.abc, fields: fields)])
        let queue = try await folder.queue()
        let transfer = try await queue.finish(
            .download(from: server.url("/f"), to: folder.file("f")).downloading {
                $0.checksum = checksum.flatMap(TransferChecksum.init)
            })
        #expect(transfer.state == (isRight ? .completed : .failed), "\(transfer.error ?? "")")
        if !isRight {
            // Damage on the way may be gone with the next attempt.
            #expect(transfer.attempts == 4)
            try await queue.cancel(.all)
        }
        #expect(folder.names == (isRight ? ["f"] : []))
    }

    @Test(
        "digests in trailers are checked like those in the head (RFC 9530 §2, §3)", arguments: TestedEngine.allCases,
        ["Repr-Digest", "Content-Digest"])
    func trailingDigests(engine: TestedEngine, field: String) async throws {
        let folder = try ScratchFolder()
        let server = try RangeServer([
            "/right": ServedFile(content: Self.abc, trailers: [field: "sha-256=:\(Self.base64):"]),
            "/wrong": ServedFile(
                content: Self.abc, trailers: [field: "sha-256=:AAAAv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:"]),
        ])
        let queue = try await folder.queue(engine)
        let right = try await queue.finish(.download(from: server.url("/right"), to: folder.file("right")))
        #expect(right.state == .completed, "\(right.error ?? "")")
        let wrong = try await queue.finish(.download(from: server.url("/wrong"), to: folder.file("wrong")))
        #expect(wrong.state == .failed)
        #expect(wrong.error?.contains("hash") == true, "\(wrong.error ?? "")")
        try await queue.cancel(.all)
        #expect(folder.names == ["right"])
    }

    @Test("a segment whose trailers contradict its content is fetched again")
    func trailingDigestOfSegment() async throws {
        let folder = try ScratchFolder()
        let content = pseudorandom(2 << 20, seed: 5)
        var file = ServedFile(content: content, cut: 1 << 20, cuts: 1)
        file.before = { head, file in
            let isRest = head["Range"] != nil
            file.trailers = isRest ? ["Content-Digest": "sha-256=:\(Self.base64):"] : [:]
            if isRest { file.before = { _, file in file.trailers = [:] } }
        }
        let server = try RangeServer(["/f": file])
        let transfer = try await folder.queue().finish(.download(from: server.url("/f"), to: folder.file("f")))
        #expect(transfer.state == .completed, "\(transfer.error ?? "")")
        #expect(try Data(contentsOf: folder.file("f")) == content)
        #expect(server.ranges.count == 2, "the rest was fetched twice: \(server.ranges)")
    }

    @Test("a wrong size fails the transfer")
    func size() async throws {
        let folder = try ScratchFolder()
        let server = try RangeServer(["/f": ServedFile(content: Self.abc)])
        let transfer = try await folder.queue().finish(
            .download(from: server.url("/f"), to: folder.file("f")).downloading { $0.size = 4 })
        #expect(transfer.state == .failed)
        #expect(transfer.error?.contains("3 bytes and should have 4") == true, "\(transfer.error ?? "")")
    }

    @Test("a mirror is used when a source fails or has other bytes")
    func mirrors() async throws {
        let folder = try ScratchFolder()
        let server = try RangeServer([
            "/missing": ServedFile(content: Data(), status: 404), "/damaged": ServedFile(content: Data("abd".utf8)),
            "/good": ServedFile(content: Self.abc),
        ])
        let transfer = try await folder.queue().finish(
            .download(from: server.url("/missing"), to: folder.file("f")).downloading {
                $0.mirrors = [server.url("/damaged"), server.url("/good")]
                $0.checksum = TransferChecksum(Self.sha256)
            })
        #expect(transfer.state == .completed, "\(transfer.error ?? "")")
        #expect(try Data(contentsOf: folder.file("f")) == Self.abc)
        #expect(transfer.attempts == 1)
    }

    @Test(
        "a mirror continues another source's bytes only if a checksum verifies the whole", arguments: [true, false])
    func mixed(hasChecksum: Bool) async throws {
        let folder = try ScratchFolder()
        let content = pseudorandom(1 << 20, seed: 3)
        let server = try RangeServer([
            "/first": ServedFile(content: content, cut: 512 << 10),
            "/second": ServedFile(content: content, tag: "\"other\""),
        ])
        let probe = try await folder.queue()
        let transfer = try await probe.finish(
            .download(from: server.url("/first"), to: folder.file("f")).downloading {
                $0.mirrors = [server.url("/second")]
                if hasChecksum { $0.checksum = Sum.sha256(of: content) }
            })
        #expect(transfer.state == .completed, "\(transfer.error ?? "")")
        #expect(try Data(contentsOf: folder.file("f")) == content)
        let ranges = server.requests.filter { $0.path == "/second" }.compactMap { $0["Range"] }
        #expect(ranges.isEmpty != hasChecksum)
    }
}
