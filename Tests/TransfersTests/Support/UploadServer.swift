import AirframeConformance
import Foundation
import Synchronization

/// A server of resumable uploads, by the draft or by tus, with configurable faults.
final class UploadServer: Sendable {
    /// The protocol of the server.
    enum Dialect: Sendable, Hashable {
        case draft(Int)
        case tus
        /// Ordinary uploads only.
        case none
    }

    /// How the server misbehaves.
    struct Faults: Sendable {
        /// How many bytes of each content arrive before the connection breaks off, in order.
        var cuts: [Int] = []
        /// Whether `104` is never sent.
        var losesCreation = false
        /// How often the answer to `HEAD` is one byte too much or too little.
        var wrongOffsets = 0
        /// Whether uploads are gone after the first cut.
        var losesUploads = false
        /// The wrong `Upload-Length` of a response to `HEAD`.
        var announcedLength: Int?
        /// Whether the response to a complete upload is lost, once.
        var losesFinalResponse = false
        /// How many contents are refused for their checksum.
        var checksumMismatches = 0
        /// The most bytes of one append, as `Upload-Limit` says.
        var maximumAppend: Int?
        /// The most bytes of an upload.
        var maximumSize: Int?
        /// The bytes per second that are read.
        var rate: Int?
    }

    struct Upload: Sendable {
        var content = Data()
        var length: Int?
        var isComplete = false
        var isPartial = false
        var fields: [String: String] = [:]
        /// Rises when the offset is asked for: what an earlier connection still brings is dropped then.
        var generation = 0
    }

    struct ServerState: Sendable {
        var faults = Faults()
        var uploads: [String: Upload] = [:]
        var requests: [HTTPHead] = []
        var creations = 0
        /// Called when a connection breaks off.
        var changeFile: (@Sendable () -> Void)?
        var checksums: [String] = []
        /// The contents that were refused because the server had them.
        var conflicts = 0
    }

    /// The state that the server's threads and the test share.
    private final class Shared: Sendable {
        // Guards the uploads and the faults.
        let state = Mutex(ServerState())
    }

    let dialect: Dialect
    private let shared: Shared
    private let server: ScriptedServer

    init(_ dialect: Dialect, _ faults: Faults = Faults()) throws {
        let shared = Shared()
        shared.state.withLock { $0.faults = faults }
        self.dialect = dialect
        self.shared = shared
        server = try ScriptedServer { connection in
            while true {
                let head = HTTPHead(try connection.readHead())
                shared.state.withLock { $0.requests.append(head) }
                let session = UploadSession(dialect, head, connection) { change in shared.state.withLock { change(&$0) }
                }
                try session.serve()
            }
        }
    }

    deinit { server.stop() }

    var url: URL { URL(string: server.origin + "/uploads") ?? URL(fileURLWithPath: "/") }
    var state: ServerState { shared.state.withLock { $0 } }
    var requests: [HTTPHead] { state.requests }
    var methods: [String] { requests.map(\.method) }
    var failures: [String] { server.failures }
    /// The complete uploads.
    var contents: [Data] { state.uploads.values.filter { $0.isComplete && !$0.isPartial }.map(\.content) }
    func change(_ change: (inout ServerState) -> Void) { shared.state.withLock { change(&$0) } }
}
