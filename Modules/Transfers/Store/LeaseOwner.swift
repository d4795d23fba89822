internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The name of a process that holds leases. Another process of the same machine can tell from it whether that process
/// has ended.
///
/// Process numbers are reused, so the name also has the machine's boot and the start time of the process. Processes in
/// other containers and on other machines are considered ended only when their leases expire.
struct LeaseOwner: Sendable {
    let name: String

    /// Creates an owner in this process.
    static func current() -> LeaseOwner {
        let process = getpid()
        let parts = [space, "\(process)", startTime(of: process) ?? "", UUID().uuidString]
        return LeaseOwner(name: parts.joined(separator: "/"))
    }

    /// Returns whether the owner's process is known to have ended.
    static func hasEnded(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == space, let process = pid_t(parts[1]), !parts[2].isEmpty else {
            return false
        }
        return startTime(of: process).map { $0 != parts[2] } ?? true
    }

    /// The scope in which process numbers are unique: this boot and this namespace.
    private static let space: String = {
        let boot = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        let namespace = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")
        return (boot ?? "").trimmingCharacters(in: .whitespacesAndNewlines) + (namespace ?? "")
    }()

    /// Returns the start time of a process in ticks since boot: field 22 of `/proc/PID/stat` (proc(5)). A zombie has
    /// ended.
    private static func startTime(of process: pid_t) -> String? {
        guard let line = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = line.lastIndex(of: ")")
        else { return nil }
        // The name before the parenthesis may contain spaces. After it comes field 3, the state.
        let fields = line[end...].dropFirst().split(separator: " ")
        guard fields.count > 19, fields[0] != "Z", fields[0] != "X" else { return nil }
        return String(fields[19])
    }
}
