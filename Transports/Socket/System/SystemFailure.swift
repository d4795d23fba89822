internal import AirframeTransport
internal import Glibc

/// A call of the system that failed.
struct SystemFailure: Error {
    let code: Int32
    let call: String
    /// The setting of the user's that the kernel refused, where that is the reason.
    var refusal: SocketSettingRefusal?

    /// The call and the system's words.
    var message: String { "\(call): \(SystemError.text(code))" }

    /// Whether there are no more descriptors, which is the process's fault and not the server's.
    var isExhaustion: Bool { [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(code) }
}
