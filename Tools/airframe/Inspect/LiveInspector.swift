import AirframeCommandLine
import AirframeHAR
import AirframeInspection
import Dispatch
import Foundation
import Glibc
import Synchronization

/// The inspector on a terminal: keys and messages change a model, and its screen is drawn.
final class LiveInspector: Sendable {
    private struct InspectorState {
        var model: InspectorModel
        var isDirty = true
        var hasQuit = false
    }

    // Guards the model.
    private let state: Mutex<InspectorState>
    private let exportFile: String

    init(_ model: InspectorModel, exportFile: String) {
        state = Mutex(InspectorState(model: model))
        self.exportFile = exportFile
    }

    /// Shows messages until the user quits or the task is cancelled; the terminal is as before then.
    func run(_ messages: AsyncThrowingStream<InspectionMessage, any Error>) async throws {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
        var raw = settings
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
        // The alternate screen, without a cursor.
        Terminal.output.write("\u{1B}[?1049h\u{1B}[?25l")
        defer {
            Terminal.output.write("\u{1B}[?25h\u{1B}[?1049l")
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
        }
        let reader = Task { [self] in
            do {
                for try await message in messages { take(message) }
                change { $0.notice = "the program has ended; q quits" }
            } catch {
                change { $0.notice = "\(error)" }
            }
        }
        defer { reader.cancel() }
        while !Task.isCancelled, !state.withLock({ $0.hasQuit }) {
            draw()
            // Waiting for keys blocks, so it has a thread outside Swift's pool.
            await withUnsafeContinuation { continuation in
                DispatchQueue.global().async { [self] in
                    readKeys()
                    continuation.resume()
                }
            }
        }
    }

    private func change(_ body: (inout InspectorModel) -> Void) {
        state.withLock { state in
            body(&state.model)
            state.isDirty = true
        }
    }

    private func take(_ message: InspectionMessage) {
        change { model in
            switch message {
            case .hello(let program): model.program = "\(program.name) (\(program.process))"
            case .started(let start): model.start(id: start.id, method: start.method, url: start.url)
            case .finished(let id, let entry): model.finish(id: id, entry)
            case .current: break
            }
        }
    }

    /// Waits a tenth of a second for keys.
    private func readKeys() {
        var ready = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, 100) > 0 else { return }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        guard count > 0 else { return state.withLock { $0.hasQuit = true } }
        let page = Terminal.output.size.rows - 2
        for key in InspectorKey.keys(in: Array(bytes[..<count])) {
            switch state.withLock({ state in
                state.isDirty = true
                return state.model.press(key, page: page)
            }) {
            case .none: break
            case .quit: state.withLock { $0.hasQuit = true }
            case .export: export()
            }
        }
    }

    private func export() {
        let archive = state.withLock { $0.model.archive }
        let isWritten = FileManager.default.createFile(
            atPath: LocalFile.url(exportFile).path, contents: archive.data, attributes: [.posixPermissions: 0o600])
        change { model in
            model.notice =
                isWritten
                ? "\(archive.entries.count) exchanges written to \(exportFile)" : "\(exportFile) cannot be written"
        }
    }

    private func draw() {
        let size = Terminal.output.size
        let lines: [String]? = state.withLock { state in
            guard state.isDirty else { return nil }
            state.isDirty = false
            return InspectorScreen(style: Terminal.output.style)
                .lines(&state.model, width: size.columns, height: size.rows)
        }
        guard let lines else { return }
        Terminal.output.write("\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J")
    }
}
