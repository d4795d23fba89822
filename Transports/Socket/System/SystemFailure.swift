internal import AirframeTransport
internal import Glibc

/// A failed system call.
struct SystemFailure: Error {
    let code: Int32
    let call: String
    /// The user's setting that the kernel refused, if that is the reason.
    var refusal: SocketSettingRefusal?
    /// Whether the local address or interface has no address of the remote address's family.
    var isOfOtherFamily = false

    /// The call and the system's message.
    var message: String { "\(call): \(SystemError.text(code))" }

    /// Whether the process has run out of descriptors or memory, which is not the server's fault.
    var isExhaustion: Bool { [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(code) }
}
