internal import Glibc

/// A call of the system that failed.
struct SystemFailure: Error {
    let code: Int32
    let call: String

    /// The call and the system's words.
    var message: String { "\(call): \(SystemError.text(code))" }

    /// Whether there are no more descriptors, which is the process's fault and not the server's.
    var isExhaustion: Bool { [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(code) }
}
