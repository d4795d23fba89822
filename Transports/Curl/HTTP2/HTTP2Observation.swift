internal import CCurlHTTP2

/// A record of one HTTP/2 session of libcurl's. Its functions are called during calls of libcurl.
class HTTP2Record {
    /// Takes the number of bytes that have arrived and are about to be parsed. Returns `false` to close the connection.
    func read(_ count: Int) -> Bool { true }

    /// Takes the head of a frame. Returns `false` to close the connection.
    func begin(_ frame: airframe_http2_frame) -> Bool { true }

    /// Takes a valid frame that has arrived.
    func receive(_ frame: airframe_http2_frame) {}

    /// Takes a frame that was sent.
    func send(_ frame: airframe_http2_frame) {}

    /// Notes that a stream is closed.
    func close(_ easy: UnsafeMutableRawPointer, code: UInt32) {}

    /// Whether libcurl is to keep the session although nothing more can arrive on it.
    var holdsOpen: Bool { false }

    /// Notes that the session is deleted.
    func end() {}
}

/// Creates the records of the sessions that libcurl creates.
///
/// A class, because CCurlHTTP2 refers to it by its address.
final class HTTP2Owner {
    fileprivate let makeRecord: (_ session: UnsafeMutableRawPointer) -> HTTP2Record

    init(_ makeRecord: @escaping (_ session: UnsafeMutableRawPointer) -> HTTP2Record) {
        _ = Self.installation
        self.makeRecord = makeRecord
    }

    /// Runs `body`, which calls libcurl. Sessions that it creates are reported to this owner.
    @inline(__always)
    func whileCalling(_ body: () -> Void) {
        let previous = airframe_http2_enter(Unmanaged.passUnretained(self).toOpaque())
        body()
        _ = airframe_http2_enter(previous)
    }

    /// Has sessions reported from now on.
    private static let installation: Void = {
        var observer = airframe_http2_observer(
            opened: { owner, session in
                guard let owner, let session else { return nil }
                let makeRecord = Unmanaged<HTTP2Owner>.fromOpaque(owner).takeUnretainedValue().makeRecord
                return Unmanaged.passRetained(makeRecord(session)).toOpaque()
            },
            read: { record, count in
                guard let record = HTTP2Owner.record(record) else { return 0 }
                return record.read(count) ? 0 : -1
            },
            began: { record, frame in
                guard let record = HTTP2Owner.record(record), let frame else { return 0 }
                return record.begin(frame.pointee) ? 0 : -1
            },
            received: { record, frame in
                if let frame { HTTP2Owner.record(record)?.receive(frame.pointee) }
            },
            sent: { record, frame in
                if let frame { HTTP2Owner.record(record)?.send(frame.pointee) }
            },
            closed: { record, easy, code in
                if let easy { HTTP2Owner.record(record)?.close(easy, code: code) }
            },
            holds: { HTTP2Owner.record($0)?.holdsOpen ?? false },
            ended: { record in
                guard let record else { return }
                Unmanaged<HTTP2Record>.fromOpaque(record).takeRetainedValue().end()
            }
        )
        airframe_http2_set_observer(&observer)
    }()

    private static func record(_ pointer: UnsafeMutableRawPointer?) -> HTTP2Record? {
        pointer.map { Unmanaged<HTTP2Record>.fromOpaque($0).takeUnretainedValue() }
    }
}
