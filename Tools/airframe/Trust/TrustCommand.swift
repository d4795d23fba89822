import Airframe
import ArgumentParser
import Foundation
import Synchronization

/// Shows a server's certificates, and whether they are trusted.
struct TrustCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Show the certificates of a server, and whether it is to be trusted.",
        discussion: """
            EXAMPLES
              airframe trust api.test
              airframe trust --cacert root.pem --revocation localhost:8443
              airframe trust --json api.test | jq .pins

            EXIT STATUS
              0  the server is trusted
              1  another failure; standard error says which
              2  the server is refused
              5, 6, 7, 28 or 35 when no TLS connection was made, as for requests
            """
    )

    @Argument(help: "The host, and the port after a colon (443).") var server: String
    @Flag(name: .long, help: "Check whether certificates are revoked.") var revocation = false
    @Flag(
        name: .customLong("fetch-issuers"),
        help: "Fetch certificates that the server does not send from where the others say that they are."
    ) var fetchesIssuers = false
    @Flag(name: .long, help: "Apply all rules of RFC 5280 to the chain.") var strict = false
    @Flag(name: .long, help: "Write JSON.") var json = false
    @OptionGroup(title: "Limits and retries (in seconds)") var limits: LimitOptions
    @OptionGroup(title: "Connection") var connection: ConnectionOptions
    @OptionGroup(title: "TLS") var tls: TLSSettings

    func validate() throws {
        if tls.insecure { throw ValidationError("trust decides on a server: leave --insecure out") }
        try RequestOptions.refuse("no request is sent", ("--retry-status", limits.retryStatuses != nil))
    }

    func run() async throws {
        guard let origin = Origin(scheme: "https", authority: server) else {
            throw ValidationError("'\(Redaction.invalidURL(server))' is not a server: write HOST or HOST:PORT")
        }
        let policy = ChainPolicy(
            roots: tls.trustedRoots.map { .pemFile(path: $0) } ?? .system,
            profile: strict ? .strict : .compatible
        )
        let trust = try await presentation(of: origin)
        let report = trust.report(policy: policy)
        let standard = DefaultTrustEvaluator(policy: policy)
        var verdicts: [TrustVerdict] = []
        if fetchesIssuers {
            let fetching = IssuerFetchingTrustEvaluator(standard, transport: SocketTransport())
            verdicts.append(await waitingVerdict("default, with issuers fetched", fetching, trust))
        } else {
            verdicts.append(verdict("default", standard, trust))
        }
        if !tls.pins.isEmpty {
            let pinSet = try PinSet(tls.pins)
            verdicts.append(verdict("pins", PinSetTrustEvaluator(pinSet, policy: policy), trust))
        }
        if revocation {
            let evaluator = RevocationTrustEvaluator(policy: policy, transport: SocketTransport())
            verdicts.append(await waitingVerdict("revocation", evaluator, trust))
        }
        let summary = TrustSummary(origin, report, verdicts)
        try StandardOutput.write((json ? try summary.json() : summary.text) + "\n")
        guard summary.isTrusted else { throw ExitCode(2) }
    }

    /// Returns the certificates that the server presents in the handshake, which is cancelled then: no request is sent.
    private func presentation(of origin: Origin) async throws -> ServerTrust {
        let seen = Mutex<ServerTrust?>(nil)
        let evaluator = ClosureTrustEvaluator { trust, _ in
            seen.withLock { $0 = trust }
            throw CertificateError("seen")
        }
        let configuration = URLSessionConfiguration.af.default
        configuration.waitsForConnectivity = limits.waitsForConnectivity
        configuration.timeoutIntervalForAllAttempts = (limits.all ?? Seconds(.seconds(30))).count
        var options = TransportOptions()
        options.limits = limits.phases
        try connection.apply(to: &options)
        try tls.apply(to: &options, configuration)
        // The report verifies the chain with these roots: an engine's own verification would hide a chain that it
        // refuses.
        options.tls.roots = nil
        configuration.transportOptions = options
        let retriers = limits.retriers
        let session = Session(
            transport: connection.engine.makeTransport(),
            configuration: configuration,
            interceptor: retriers.isEmpty ? nil : Interceptor(retriers: retriers),
            serverTrustManager: ServerTrustManager(evaluators: ["*": evaluator])
        )
        let host = origin.host.contains(":") ? "[\(origin.host)]" : origin.host
        let error = await session.request("https://\(host):\(origin.port)/").serializingData().response.error
        if let trust = seen.withLock({ $0 }) { return trust }
        if let error { throw CommandFailure(error) }
        throw CertificateError("\(origin) showed no certificate")
    }

    private func verdict(_ name: String, _ evaluator: any ServerTrustEvaluating, _ trust: ServerTrust) -> TrustVerdict {
        do {
            try evaluator.evaluate(trust, forHost: trust.host)
            return TrustVerdict(evaluator: name, refusal: nil)
        } catch {
            return TrustVerdict(evaluator: name, refusal: error.localizedDescription)
        }
    }

    private func waitingVerdict(
        _ name: String,
        _ evaluator: any AsyncServerTrustEvaluating,
        _ trust: ServerTrust
    ) async -> TrustVerdict {
        do {
            try await evaluator.evaluateAsync(trust, forHost: trust.host)
            return TrustVerdict(evaluator: name, refusal: nil)
        } catch {
            return TrustVerdict(evaluator: name, refusal: error.localizedDescription)
        }
    }
}
