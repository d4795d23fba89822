import AirframeTransport
import Glibc
import Testing

@Suite("Detached threads", .timeLimit(.minutes(1)))
struct DetachedThreadTests {
    @Test("block the signals of the process, and none that a thread raises itself")
    func signalMask() async throws {
        let blocked = await withCheckedContinuation { continuation in
            let code = DetachedThread.start(named: "mask-test") {
                var mask = sigset_t()
                pthread_sigmask(SIG_BLOCK, nil, &mask)
                let signals = [SIGTERM, SIGINT, SIGCHLD, SIGUSR1, SIGBUS, SIGFPE, SIGILL, SIGPIPE, SIGSEGV]
                continuation.resume(returning: signals.filter { sigismember(&mask, $0) == 1 })
            }
            if code != 0 { continuation.resume(returning: []) }
        }
        #expect(blocked == [SIGTERM, SIGINT, SIGCHLD, SIGUSR1])
    }
}
