import AirframeConformance
import Foundation

/// The answer to one request of an ``UploadServer``.
struct UploadSession {
    typealias Change = ((inout UploadServer.ServerState) -> Void) -> Void

    private let dialect: UploadServer.Dialect
    private let head: HTTPHead
    private let connection: ScriptedConnection
    private let change: Change

    init(
        _ dialect: UploadServer.Dialect,
        _ head: HTTPHead,
        _ connection: ScriptedConnection,
        _ change: @escaping Change
    ) {
        self.dialect = dialect
        self.head = head
        self.connection = connection
        self.change = change
    }

    private func read<Value>(_ value: (UploadServer.ServerState) -> Value) -> Value? {
        var result: Value?
        change { result = value($0) }
        return result
    }

    private var upload: UploadServer.Upload? { read { $0.uploads[head.path] } ?? nil }

    func serve() throws {
        switch (dialect, head.method) {
        case (.none, _):
            try receive(into: "/plain-\(UUID().uuidString)", from: 0, isLast: true)
            try connection.respond(200)
        case (.tus, "OPTIONS"):
            try connection.respond(
                204,
                [
                    "Tus-Resumable": "1.0.0", "Tus-Version": "1.0.0",
                    "Tus-Extension": "creation,termination,checksum,concatenation",
                    "Tus-Checksum-Algorithm": "md5,sha1,sha256",
                ])
        case (.tus, "POST"): try createByTus()
        case (.draft(let version), let method) where head.path == "/uploads" && method != "HEAD":
            try create(version)
        case (_, "HEAD"): try answerOffset()
        case (_, "PATCH"): try append()
        case (_, "DELETE"):
            change { $0.uploads[head.path] = nil }
            try connection.respond(204)
        default: try connection.respond(405)
        }
    }

    // MARK: Creation

    private func create(_ version: Int) throws {
        let path = "/uploads/\(UUID().uuidString)"
        let speaks = head["Upload-Draft-Interop-Version"] == "\(version)"
        let losesCreation = read { $0.faults.losesCreation } ?? false
        change { state in
            state.creations += 1
            state.uploads[path] = UploadServer.Upload(length: head.contentLength)
        }
        if speaks, !losesCreation {
            var fields = ["Location": path, "Upload-Draft-Interop-Version": "\(version)"]
            fields["Upload-Limit"] = limits
            try connection.respond(104, fields)
        }
        try receive(into: path, from: 0, isLast: isLast(version) || !speaks)
        try finish(path, version)
    }

    private var limits: String? {
        let faults = read { $0.faults }
        let pairs = [
            faults?.maximumAppend.map { "max-append-size=\($0)" }, faults?.maximumSize.map { "max-size=\($0)" },
        ].compactMap(\.self)
        return pairs.isEmpty ? nil : pairs.joined(separator: ", ")
    }

    private func isLast(_ version: Int) -> Bool {
        version == 3 ? head["Upload-Incomplete"] != "?1" : head["Upload-Complete"] != "?0"
    }

    private func createByTus() throws {
        guard head["Tus-Resumable"] == "1.0.0" else { return try connection.respond(412) }
        if let concat = head["Upload-Concat"], concat.hasPrefix("final;") {
            let paths = concat.dropFirst(6).split(separator: " ").compactMap { URL(string: String($0))?.path }
            let path = "/uploads/\(UUID().uuidString)"
            change { state in
                let content = paths.reduce(Data()) { $0 + (state.uploads[$1]?.content ?? Data()) }
                state.uploads[path] = UploadServer.Upload(content: content, length: content.count, isComplete: true)
            }
            return try connection.respond(201, ["Location": path, "Tus-Resumable": "1.0.0"])
        }
        let path = "/uploads/\(UUID().uuidString)"
        let length = head.number("Upload-Length") ?? 0
        let isPartial = head["Upload-Concat"] == "partial"
        var fields: [String: String] = [:]
        fields["Upload-Metadata"] = head["Upload-Metadata"]
        change { [fields] state in
            state.creations += 1
            state.uploads[path] = UploadServer.Upload(
                length: length, isComplete: length == 0, isPartial: isPartial, fields: fields)
        }
        try connection.respond(201, ["Location": path, "Tus-Resumable": "1.0.0"])
    }

    // MARK: Offset

    private func answerOffset() throws {
        change { $0.uploads[head.path]?.generation += 1 }
        guard let upload else { return try connection.respond(404) }
        let isWrong = read { $0.faults.wrongOffsets > 0 } ?? false
        change { state in state.faults.wrongOffsets -= isWrong ? 1 : 0 }
        let announced = (read { $0.faults.announcedLength } ?? nil) ?? upload.length
        let offset = isWrong ? max(0, upload.content.count - 1) : upload.content.count
        var fields = ["Upload-Offset": "\(offset)", "Cache-Control": "no-store"]
        switch dialect {
        case .draft(3): fields["Upload-Incomplete"] = upload.isComplete ? "?0" : "?1"
        case .draft:
            fields["Upload-Complete"] = upload.isComplete ? "?1" : "?0"
            fields["Upload-Length"] = announced.map { "\($0)" }
            fields["Upload-Limit"] = limits
        default:
            fields["Upload-Length"] = announced.map { "\($0)" }
            fields["Tus-Resumable"] = "1.0.0"
        }
        try connection.respond(dialect == .tus ? 200 : 204, fields, isHead: true)
    }

    // MARK: Content

    private func append() throws {
        guard let upload else { return try refuse(404) }
        let offset = head.number("Upload-Offset") ?? -1
        guard offset == upload.content.count, !upload.isComplete else {
            change { $0.conflicts += 1 }
            return try refuse(409, ["Upload-Offset": "\(upload.content.count)"])
        }
        if let checksum = head["Upload-Checksum"] {
            let isRefused = read { $0.faults.checksumMismatches > 0 } ?? false
            change { state in
                state.checksums.append(checksum)
                state.faults.checksumMismatches -= isRefused ? 1 : 0
            }
            if isRefused { return try refuse(460) }
        }
        let isLast: Bool
        switch dialect {
        case .draft(let version): isLast = self.isLast(version)
        default: isLast = offset + head.contentLength == upload.length
        }
        try receive(into: head.path, from: offset, isLast: isLast)
        let version = if case .draft(let version) = dialect { version } else { 0 }
        try finish(head.path, version)
    }

    private func refuse(_ status: Int, _ fields: [String: String] = [:]) throws {
        try connection.read(head.contentLength)
        try connection.respond(status, fields)
    }

    private func finish(_ path: String, _ version: Int) throws {
        guard let upload = read({ $0.uploads[path] }) ?? nil else { return try connection.respond(404) }
        if upload.isComplete, read({ $0.faults.losesFinalResponse }) ?? false {
            change { $0.faults.losesFinalResponse = false }
            connection.reset()
            throw ScriptEnd()
        }
        var fields: [String: String] = [:]
        switch dialect {
        case .tus:
            fields["Tus-Resumable"] = "1.0.0"
            fields["Upload-Offset"] = "\(upload.content.count)"
            return try connection.respond(204, fields)
        case .draft(3): fields["Upload-Incomplete"] = upload.isComplete ? "?0" : "?1"
        default:
            fields["Upload-Complete"] = upload.isComplete ? "?1" : "?0"
            fields["Upload-Offset"] = "\(upload.content.count)"
        }
        try connection.respond(upload.isComplete ? 200 : 201, fields, Data((upload.isComplete ? "done" : "").utf8))
    }

    /// Reads the request's content into an upload, as far as the faults allow.
    private func receive(into path: String, from offset: Int, isLast: Bool) throws {
        let length = head.contentLength
        var cut: Int?
        change { state in
            if length > 0, !state.faults.cuts.isEmpty { cut = state.faults.cuts.removeFirst() }
            if state.uploads[path] == nil { state.uploads[path] = UploadServer.Upload(length: length) }
        }
        let rate = read { $0.faults.rate } ?? nil
        let generation = read { $0.uploads[path]?.generation } ?? nil
        var rest = min(length, cut ?? length)
        while rest > 0 {
            let piece = Data(try connection.read(min(rest, 16 << 10)))
            rest -= piece.count
            var isStale = false
            change { state in
                isStale = state.uploads[path]?.generation != generation
                if !isStale { state.uploads[path]?.content.append(piece) }
            }
            if isStale { throw ScriptEnd() }
            if let rate { connection.pause(.microseconds(piece.count * 1_000_000 / rate)) }
        }
        if let cut, cut < length {
            change { state in if state.faults.losesUploads { state.uploads[path] = nil } }
            (read { $0.changeFile } ?? nil)?()
            connection.reset()
            throw ScriptEnd()
        }
        change { state in if isLast { state.uploads[path]?.isComplete = true } }
    }
}
