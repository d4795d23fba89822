import Airframe
import AirframeCommandLine
import AirframeHAR
import ArgumentParser
import Foundation

/// A failure with its sentence, its hint and its exit status.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String
    let hint: String?
    let status: ExitStatus

    init(_ description: String, hint: String? = nil, status: ExitStatus = .failure) {
        self.description = description
        self.hint = hint
        self.status = status
    }

    /// A request that failed.
    init(_ error: AFError) {
        if let transportError = error.transportError {
            self.init(
                transportError.description, hint: Hint.text(for: transportError),
                status: ExitStatus(transportError.code))
        } else if error.isServerTrustEvaluationError {
            self.init(
                error.localizedDescription, hint: "`airframe trust HOST` shows the certificates and their pins",
                status: .trust)
        } else if error.isInvalidURLError {
            self.init(error.localizedDescription, status: .usage)
        } else if let status = error.responseCode, status >= 400 {
            self.init("the server answered \(status)", status: .httpError)
        } else if let output = error.underlyingError as? OutputError {
            self.init(output.description, status: output.status)
        } else if case .downloadedFileMoveFailed(let reason, _, let destination) = error {
            let exists = (reason as? CocoaError)?.code == .fileWriteFileExists
            self.init(
                "\(destination.path) cannot be written: \(Self.words(of: reason))",
                hint: exists ? "--force replaces it" : nil, status: .write)
        } else if let file = error.underlyingError as? URLError, Self.fileErrors.contains(file.code) {
            self.init(
                file.localizedDescription, hint: "TMPDIR names another directory for temporary files", status: .write)
        } else {
            self.init(error.localizedDescription)
        }
    }

    /// A download's temporary file could not be written.
    private static let fileErrors: Set<URLError.Code> = [.cannotCreateFile, .cannotWriteToFile]

    /// The system's words for the error of a file: Foundation's are two sentences.
    private static func words(of error: any Error) -> String {
        switch (error as? CocoaError)?.code {
        case .fileWriteFileExists: String(cString: strerror(EEXIST))
        case .fileWriteOutOfSpace: String(cString: strerror(ENOSPC))
        case .fileNoSuchFile, .fileReadNoSuchFile: String(cString: strerror(ENOENT))
        case .fileWriteNoPermission: String(cString: strerror(EACCES))
        default: error.localizedDescription
        }
    }

    /// Ends the process: writes the failure to standard error, unless the reader closed the pipe.
    static func exit(for error: any Error) -> Never {
        switch error {
        case let output as OutputError where output.isBrokenPipe: Foundation.exit(ExitStatus.brokenPipe.rawValue)
        case let output as OutputError: write(CommandFailure(output.description, status: output.status))
        case let failure as CommandFailure: write(failure)
        case let item as ItemError: write(CommandFailure(item.description, status: .usage))
        case let error as AFError: write(CommandFailure(error))
        case let error as StateFileError:
            write(CommandFailure("\(error)", status: error.action == "read" ? .read : .write))
        case let error as HAR.WritingError: write(CommandFailure("\(error)", status: .write))
        case let error as ValidationError: write(CommandFailure(error.message, status: .usage))
        case is ExitCode, is CleanExit: AirframeCommand.exit(withError: error)
        // ArgumentParser's own errors: requested help, and unknown words.
        case _ where AirframeCommand.exitCode(for: error) != .failure: AirframeCommand.exit(withError: error)
        default: write(CommandFailure("\(error)"))
        }
    }

    private static func write(_ failure: CommandFailure) -> Never {
        let style = Terminal.error.style
        var text = "\(style.paint("airframe:", .failure)) \(failure.description.safeForTerminals)\n"
        if let hint = failure.hint { text += "\(style.paint("hint:", .dim)) \(hint.safeForTerminals)\n" }
        Terminal.error.write(text)
        Foundation.exit(failure.status.rawValue)
    }
}
