import AirframeConformance
import AirframeCore
import AirframeTestSupport
import AirframeTransfers
import Foundation
import Testing

@Suite("Uploads of a queue", .timeLimit(.minutes(2)))
struct QueuedUploadTests {
    private let content = pseudorandom(2 << 20, seed: 4)

    @Test("a failed upload continues at the server's offset", arguments: UploadCase.all)
    func continued(_ test: UploadCase) async throws {
        let folder = try ScratchFolder()
        let server = try UploadServer(
            test.dialect, .init(cuts: test.dialect == .draft(3) ? [] : [700_000, 1, 500_000]))
        let transfer = try await folder.queue(test.engine).finish(
            .upload(try folder.file("f", content), to: server.url, using: test.uploadProtocol))
        #expect(transfer.state == .completed, "\(transfer.error ?? "")")
        #expect(server.contents == [content])
        #expect(server.state.creations == 1)
        #expect(transfer.completedBytes == Int64(content.count))
    }

    @Test("concurrent parts are resumed separately")
    func parts() async throws {
        let folder = try ScratchFolder()
        let server = try UploadServer(.tus, .init(cuts: [300_000, 100_000]))
        let transfer = try await folder.queue().finish(
            .upload(
                try folder.file("f", content), to: server.url,
                using: .tus(TusOptions(sendsChecksums: true, parallelParts: 3))))
        #expect(transfer.state == .completed, "\(transfer.error ?? "")")
        #expect(server.contents == [content])
        #expect(server.state.creations == 3)
    }

    @Test("another process continues an upload: the upload resource is on the disk before the content is sent")
    func handedOver() async throws {
        let folder = try ScratchFolder()
        let server = try UploadServer(.draft(6), .init(rate: 2 << 20))
        let first = try await folder.queue()
        await first.start()
        let id = try await first.add(.upload(try folder.file("f", content), to: server.url))
        try await eventually("the content") {
            (server.state.uploads.values.first?.content.count ?? 0) >= 200_000
        }
        await first.stop()
        #expect(try await first.transfer(id)?.state == .waiting)
        let second = try await folder.queue()
        try await second.runUntilIdle()
        #expect(try await second.transfer(id)?.state == .completed)
        #expect(server.contents == [content])
        #expect(server.state.creations == 1)
        #expect(server.methods.filter { $0 != "PATCH" } == ["POST", "HEAD"])
    }

    @Test(
        "a file that changes during its upload fails it, and the partial upload is removed from the server",
        arguments: [UploadServer.Dialect.draft(6), .tus])
    func changed(dialect: UploadServer.Dialect) async throws {
        let folder = try ScratchFolder()
        let server = try UploadServer(dialect, .init(cuts: [700_000]))
        let file = try folder.file("f", content)
        server.change { state in state.changeFile = { try? Data("other".utf8).write(to: file) } }
        let transfer = try await folder.queue().finish(
            .upload(file, to: server.url, using: dialect == .tus ? .tus() : .ietf))
        #expect(transfer.state == .failed)
        #expect(transfer.error?.contains("changed") == true, "\(transfer.error ?? "")")
        #expect(server.state.uploads.isEmpty)
    }

    private struct Provider: TransferSecrets {
        func headers(for description: TransferDescription) async throws -> HTTPHeaders {
            [.authorization(bearerToken: "t"), HTTPHeader(name: "X-Id", value: "t")]
        }
    }

    @Test("an upload resource of another origin is removed without the secrets of the transfer")
    func foreignResource() async throws {
        let folder = try ScratchFolder()
        let other = try UploadServer(.draft(6))
        let location = other.url.appendingPathComponent("x").absoluteString
        let file = try folder.file("f", content)
        // The file changes during the upload, which is then removed.
        let server = try ScriptedServer { connection in
            _ = try connection.readHead()
            try connection.respond(104, ["Location": location, "Upload-Draft-Interop-Version": "6"])
            try connection.read(100_000)
            try Data("other".utf8).write(to: file)
            connection.reset()
        }
        defer { server.stop() }
        let target = try #require(URL(string: server.origin))
        let transfer = try await folder.queue { $0.secrets = Provider() }.finish(.upload(file, to: target))
        #expect(transfer.state == .failed)
        #expect(other.methods == ["DELETE"])
        #expect(other.requests.first?["Authorization"] == nil)
    }

    @Test("an upload resource of another origin is asked without the secrets of the transfer, whatever their names")
    func foreignOffset() async throws {
        let folder = try ScratchFolder()
        let other = try UploadServer(.draft(6))
        let location = other.url.appendingPathComponent("x").absoluteString
        let server = try ScriptedServer { connection in
            #expect(HTTPHead(try connection.readHead())["X-Id"] == "t")
            try connection.respond(104, ["Location": location, "Upload-Draft-Interop-Version": "6"])
            try connection.read(100_000)
            connection.reset()
        }
        defer { server.stop() }
        let target = try #require(URL(string: server.origin))
        let description = TransferDescription.upload(try folder.file("f", content), to: target).impatient(attempts: 2)
        let transfer = try await folder.queue { $0.secrets = Provider() }.finish(description)
        #expect(transfer.state == .failed)
        #expect(other.methods.first == "HEAD")
        #expect(other.requests.allSatisfy { $0["Authorization"] == nil && $0["X-Id"] == nil })
    }

    @Test("the creation has the digest of the whole, and each part its own (RFC 9530)")
    func digests() async throws {
        let folder = try ScratchFolder()
        let server = try UploadServer(.draft(6), .init(cuts: [1 << 20]))
        var description = TransferDescription.upload(try folder.file("f", Data(content)), to: server.url)
        if case .upload(var upload) = description.work {
            upload.sendsDigest = true
            description.work = .upload(upload)
        }
        let transfer = try await folder.queue().finish(description)
        #expect(transfer.state == .completed, "\(transfer.error ?? "")")
        #expect(server.requests.first?["Repr-Digest"]?.hasPrefix("sha-256=:") == true)
        #expect(server.requests.last?["Content-Digest"]?.hasPrefix("sha-256=:") == true)
        #expect(server.requests.last?["Repr-Digest"] == nil)
    }

    @Test("an upload above the server's limit fails without a retry")
    func tooLarge() async throws {
        let folder = try ScratchFolder()
        let server = try UploadServer(.draft(6), .init(cuts: [1000], maximumSize: 5000))
        let transfer = try await folder.queue().finish(.upload(try folder.file("f", content), to: server.url))
        #expect(transfer.state == .failed)
        #expect(transfer.error?.contains("5000") == true, "\(transfer.error ?? "")")
    }

    @Test("a missing file fails its upload", arguments: [UploadServer.Dialect.none])
    func missing(dialect: UploadServer.Dialect) async throws {
        let folder = try ScratchFolder()
        let server = try UploadServer(dialect)
        let transfer = try await folder.queue().finish(.upload(folder.file("no"), to: server.url))
        #expect(transfer.state == .failed)
        #expect(server.requests.isEmpty)
    }
}
