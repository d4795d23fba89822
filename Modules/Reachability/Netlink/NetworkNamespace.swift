internal import CNetlink
internal import Glibc

/// Another network namespace than the process's own, named by its file, such as `/run/netns/blue`.
package struct NetworkNamespace: Sendable {
    let path: String

    /// Names a namespace by its file.
    package init(path: String) { self.path = path }

    /// Runs `body` in the namespace: sockets that it opens stay there. The thread then returns to its own namespace.
    package func run<Result: ~Copyable>(
        _ body: () throws(NetworkPathError) -> Result
    ) throws(NetworkPathError) -> Result {
        let home = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)
        guard home >= 0 else { throw NetworkPathError("name the thread's network namespace", code: errno) }
        defer { close(home) }
        let away = open(path, O_RDONLY | O_CLOEXEC)
        guard away >= 0 else { throw NetworkPathError("open the network namespace \(path)", code: errno) }
        defer { close(away) }
        guard airframe_enter_network_namespace(away) == 0 else {
            throw NetworkPathError("enter the network namespace \(path)", code: errno)
        }
        defer { _ = airframe_enter_network_namespace(home) }
        return try body()
    }
}
