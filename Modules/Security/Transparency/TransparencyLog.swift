internal import AirframeTransport
public import Foundation

/// A known log of certificates, identified by its key (RFC 6962 §2.1).
public struct TransparencyLog: Sendable, Hashable {
    /// The log's name.
    public let name: String
    /// The operator's name. Timestamps are counted by operators.
    public let `operator`: String
    /// Its key.
    public let key: PublicKey
    /// The instant from which its timestamps no longer count; `nil` for a log that is in use.
    public let retiredAt: Date?

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - name: The log's name.
    ///   - operator: The operator's name.
    ///   - key: Its key.
    ///   - retiredAt: The instant from which its timestamps no longer count.
    public init(name: String, operator: String, key: PublicKey, retiredAt: Date? = nil) {
        self.name = name
        self.operator = `operator`
        self.key = key
        self.retiredAt = retiredAt
    }

    /// The SHA-256 of its key, by which timestamps name it.
    public var identifier: [UInt8] { key.digest }
}

/// A list of logs in the format that browsers publish: operators with their logs.
public struct TransparencyLogList: Sendable {
    private struct File: Decodable {
        struct Operator: Decodable {
            let name: String
            let logs: [Log]
            /// Logs that serve their entries as static files. Their timestamps have the format of RFC 6962.
            let tiledLogs: [Log]?

            enum CodingKeys: String, CodingKey {
                case name
                case logs
                case tiledLogs = "tiled_logs"
            }
        }

        struct Log: Decodable {
            struct States: Decodable {
                struct Mark: Decodable {
                    let timestamp: Date
                }

                let retired: Mark?
                let rejected: Mark?
            }

            let description: String
            let key: Data
            let state: States?
        }

        let operators: [Operator]
    }

    /// The logs, without rejected ones.
    public let logs: [TransparencyLog]

    /// Reads a list (`log_list.json`, version 3).
    ///
    /// - Throws: ``CertificateError`` if it is malformed.
    public init(json: Data) throws(CertificateError) {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let file: File
        do {
            file = try decoder.decode(File.self, from: json)
        } catch {
            throw CertificateError("the list of logs cannot be read: \(error)")
        }
        logs = file.operators.flatMap { owner in
            (owner.logs + (owner.tiledLogs ?? [])).filter { $0.state?.rejected == nil }.compactMap { log in
                (try? PublicKey(der: .init(Array(log.key)))).map {
                    TransparencyLog(
                        name: log.description,
                        operator: owner.name,
                        key: $0,
                        retiredAt: log.state?.retired?.timestamp
                    )
                }
            }
        }
    }
}
