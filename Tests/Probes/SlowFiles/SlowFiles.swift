import Foundation
import Glibc
import Synchronization

/// The file system. Every name exists; byte n of a file is `UInt8(truncatingIfNeeded: n)`.
///
/// The mount is detached immediately, and its files are reached through a descriptor: nothing is left behind.
final class SlowFiles: Sendable {
    /// The state of reads.
    enum Reads {
        case held([FUSERequest])
        case answered
        case failing
    }

    /// `O_PATH`, which the C library declares with `_GNU_SOURCE` only.
    private static let pathOnly: Int32 = 0o10_000_000

    /// The path of the root, for other processes too.
    let root: String
    private let size: Int
    private let device: Int32
    // Guards what becomes of reads, and the requests that are held.
    private let reads = Mutex(Reads.held([]))

    init(size: Int) throws {
        self.size = size
        device = open("/dev/fuse", O_RDWR | O_CLOEXEC)
        guard device >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("slow-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { rmdir(folder.path) }
        let options = "fd=\(device),rootmode=40000,user_id=0,group_id=0"
        guard mount("slow", folder.path, "fuse.slow", UInt(MS_NOSUID | MS_NODEV), options) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        root = "/proc/\(getpid())/fd/\(open(folder.path, Self.pathOnly | O_DIRECTORY | O_CLOEXEC))"
        umount2(folder.path, Int32(MNT_DETACH))
    }

    /// Answers the reads that wait, and all later ones.
    func end(_ next: Reads) {
        let held = reads.withLock { reads -> [FUSERequest] in
            defer { reads = next }
            if case .held(let requests) = reads { return requests } else { return [] }
        }
        for request in held { answerRead(request) }
    }

    /// Serves the file system until the process ends.
    func serve() {
        var buffer = [UInt8](repeating: 0, count: 1 << 17)
        while true {
            let count = read(device, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == ENOENT { continue }
            guard count > 0, let request = FUSERequest(buffer.prefix(count)) else { return }
            serve(request)
        }
    }

    private func serve(_ request: FUSERequest) {
        switch request.operation {
        case .initialize: answer(request, FUSEAnswer.initialization)
        case .lookup: answer(request, FUSEAnswer.entry(of: request.name, size: size))
        case .getAttributes: answer(request, FUSEAnswer.attributes(isRoot: request.node == 1, size: size))
        case .open: answer(request, FUSEAnswer.opened)
        case .release, .flush, .access: answer(request)
        case .forget, .forgetBatch, .interrupt: break
        case .read:
            if hold(request) { SlowFilesProbe.report("held") } else { answerRead(request) }
        case nil: answer(request, error: ENOSYS)
        }
    }

    private func hold(_ request: FUSERequest) -> Bool {
        reads.withLock { reads in
            guard case .held(let requests) = reads else { return false }
            reads = .held(requests + [request])
            return true
        }
    }

    private func answerRead(_ request: FUSERequest) {
        let isFailing = reads.withLock { reads in
            if case .failing = reads { true } else { false }
        }
        guard !isFailing else { return answer(request, error: EIO) }
        let (start, count) = request.region
        let end = min(size, start + count)
        answer(request, start < end ? (start..<end).map { UInt8(truncatingIfNeeded: $0) } : [])
    }

    private func answer(_ request: FUSERequest, _ content: [UInt8] = [], error: Int32 = 0) {
        let bytes = FUSEAnswer.header(to: request, count: content.count, error: error) + content
        _ = write(device, bytes, bytes.count)
    }
}
