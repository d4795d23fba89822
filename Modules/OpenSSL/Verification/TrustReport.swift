public import FoundationEssentials

/// The result of a server's evaluation: the evidence and all findings.
public struct TrustReport: Sendable {
    /// A reason to refuse the server.
    public struct Finding: Sendable, Hashable, CustomStringConvertible {
        /// The kind of a finding.
        public enum Kind: Sendable, Hashable {
            /// The chain does not lead to a trusted root, or one of its certificates is not valid.
            case chain
            /// The certificate is not valid for the host.
            case host
            /// A certificate is revoked, or its status is unknown.
            case revocation
        }

        /// The kind.
        public let kind: Kind
        /// OpenSSL's number for it; 0 if it has none.
        public let status: Int32
        /// The position of the certificate in the chain, 0 for the server's own.
        public let depth: Int
        /// A sentence with the certificate, the rule, and the dates or names.
        public let description: String

        package init(kind: Kind, status: Int32, depth: Int, description: String) {
            self.kind = kind
            self.status = status
            self.depth = depth
            self.description = description
        }
    }

    /// The requested host.
    public let host: String
    /// The time of the evaluation.
    public let date: Date
    /// The certificates as the server sent them, the one of the handshake first, up to the first malformed one. Empty
    /// if the server's own certificate is malformed, or if the server sent too many.
    public let presented: [Certificate]
    /// The chain as built, the server's certificate first. Empty if ``presented`` is.
    public let chain: [Certificate]
    /// The part of ``chain`` in which each certificate is signed by the next one. Pins are compared with it. Other
    /// certificates that the server sent prove nothing.
    public let authenticated: [Certificate]
    /// All findings; empty for a trusted server.
    public package(set) var findings: [Finding]
    /// Descriptions of the checks.
    public package(set) var checks: [String]

    /// Whether there are no findings.
    public var isTrusted: Bool { findings.isEmpty }

    /// Returns the findings of one kind as a sentence without a full stop.
    package func reason(_ kinds: Set<Finding.Kind>) -> String {
        let found = findings.filter { kinds.contains($0.kind) }.map(\.description)
        // The same fault may occur on several paths.
        var seen: Set<String> = []
        return found.filter { seen.insert($0).inserted }.joined(separator: "; ")
    }
}

extension TrustReport: CustomStringConvertible {
    /// The verdict, the chain and the findings, in lines.
    public var description: String {
        let verdict = isTrusted ? "\(host) is trusted" : "\(host) is refused"
        let lines = chain.enumerated().map {
            "  \($0.offset): \($0.element.subject) until \($0.element.notAfter.timestamp)"
        }
        return ([verdict] + lines + findings.map { "  ! \($0.description)" }).joined(separator: "\n")
    }
}
