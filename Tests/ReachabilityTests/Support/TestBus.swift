import Foundation
import Glibc
import NamespaceSupport

/// A D-Bus of a test's own, with dbus-daemon, and a service in NetworkManager's place on it.
final class TestBus {
    private let folder: URL
    private var daemon: RunningProgram?
    private var manager: RunningProgram?

    /// Whether the programs are there. On CI they must be.
    static let isAvailable: Bool = {
        if ProcessInfo.processInfo.environment["CI"] == "true" { return true }
        let check = ["/usr/bin/python3", "-c", "import dbus.mainloop.glib; from gi.repository import GLib"]
        let hasDaemon = (try? Shell.run(["dbus-daemon", "--version"]).status) == 0
        return hasDaemon && (try? Shell.run(check).status) == 0
    }()

    var address: String { "unix:path=\(path)" }
    var path: String { folder.appendingPathComponent("bus").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("bus-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let configuration = """
            <busconfig>
              <listen>\(address)</listen><auth>EXTERNAL</auth>
              <policy context="default">
                <allow user="*"/><allow own="*"/><allow send_type="method_call"/><allow send_type="signal"/>
                <allow send_requested_reply="true"/><allow receive_type="method_call"/>
                <allow receive_type="signal"/><allow receive_requested_reply="true"/>
              </policy>
            </busconfig>
            """
        try configuration.write(to: configurationFile, atomically: true, encoding: .utf8)
    }

    deinit {
        stopManager()
        stop()
        try? FileManager.default.removeItem(at: folder)
    }

    private var configurationFile: URL { folder.appendingPathComponent("bus.conf") }

    func start() throws {
        // Its warnings about limits that it cannot raise are irrelevant.
        let command = "exec dbus-daemon --config-file=\(configurationFile.path) --nofork --print-address 2>/dev/null"
        let daemon = try RunningProgram(["sh", "-c", command])
        guard daemon.line(within: 30) != nil else { throw Shell.Failure(description: "dbus-daemon did not start") }
        self.daemon = daemon
    }

    func stop() {
        daemon?.end()
        daemon = nil
        // It was killed, and its socket remains.
        unlink(path)
    }

    func startManager() throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("network_manager.py")
        let manager = try RunningProgram(["/usr/bin/python3", script.path, address])
        self.manager = manager
        try expectAnswer(manager)
    }

    func stopManager() {
        manager?.end()
        manager = nil
    }

    /// Sends a command to the service and waits until it is done.
    func send(_ command: String) throws {
        guard let manager else { throw Shell.Failure(description: "there is no service on the bus") }
        manager.write(command)
        try expectAnswer(manager)
    }

    private func expectAnswer(_ manager: RunningProgram) throws {
        guard manager.line(within: 30) == "ok" else {
            throw Shell.Failure(description: "the service on the bus gave no answer")
        }
    }
}
