import Airframe
import AirframeCommandLine
import ArgumentParser
import Foundation

/// The options of transfers that keep their state on the disk.
struct TransferOptions: ParsableArguments {
    @Flag(help: "Keep the state on the disk, and resume an earlier run that failed, was interrupted or was killed.")
    var resume = false
    @Option(help: "The maximum number of concurrent parts, 1 to 32. Uploads need --tus for more than one.")
    var segments: Int?
    @Option(name: .customLong("limit-rate"), help: "The maximum number of bytes per second: 500k, 5M.")
    var rate: ByteCount?

    func validate() throws {
        if let segments, !(1...DownloadDescription.mostSegments).contains(segments) {
            throw ValidationError("--segments needs a number from 1 to \(DownloadDescription.mostSegments)")
        }
    }

    /// Whether one of the options was given.
    var areGiven: Bool { resume || segments != nil || rate != nil }

    /// Refuses `--retry-status`: the transfer decides which statuses it retries.
    func refuseStatuses(_ options: RequestOptions) throws {
        try RequestOptions.refuse(
            "a resumable transfer retries after 408, 425, 429 and 5xx",
            ("--retry-status", options.limits.retryStatuses != nil))
    }

    /// Prepares a session for a transfer.
    ///
    /// - Parameters:
    ///   - outgoing: The request as the command line describes it.
    ///   - options: Its options.
    ///   - makeDescription: Describes the transfer to the URL.
    /// - Returns: The session, and the transfer over it.
    /// - Throws: ``CommandFailure`` for a request that a transfer cannot make.
    func prepare(
        _ outgoing: OutgoingRequest,
        _ options: RequestOptions,
        _ makeDescription: (URL) throws -> TransferDescription
    ) throws -> (PreparedSession, ResumableTransfer) {
        guard outgoing.challengeCredential == nil else {
            throw CommandFailure(
                "a transfer with --resume, --segments, --limit-rate or --checksum answers no challenges",
                hint: "use --bearer, or --auth basic", status: .usage)
        }
        guard let url = outgoing.head.url else { throw CommandFailure("the request has no URL", status: .usage) }
        var sessionOptions = options
        // The queue retries each attempt; retries of the session would multiply them.
        sessionOptions.limits.retry = nil
        // The limit is for all attempts together.
        sessionOptions.limits.all = nil
        let lastError = LastExchangeError()
        let prepared = try PreparedSession(sessionOptions, for: outgoing, monitors: [lastError])
        var description = try makeDescription(url)
        description.conditions.requiresConnectivity = false
        description.retry = TransferRetryRule(
            attempts: min(Int(clamping: options.limits.retry ?? 4), .max - 1) + 1, delay: 1, longestDelay: 30)
        let transfer = ResumableTransfer(
            description: description, headers: outgoing.head.headers, session: prepared.session,
            lastError: lastError, bytesPerSecond: rate?.count, resumes: resume)
        return (prepared, transfer)
    }
}
