public import FoundationEssentials

/// What an evaluation of a server looked at, and all that it found.
public struct TrustReport: Sendable {
    /// Something that refuses the server.
    public struct Finding: Sendable, Hashable, CustomStringConvertible {
        /// What is wrong.
        public enum Kind: Sendable, Hashable {
            /// The chain: it leads to no trusted root, or one of its certificates is not valid.
            case chain
            /// The certificate is not for the host.
            case host
            /// A certificate is revoked, or nobody says that it is not.
            case revocation
        }

        /// What is wrong.
        public let kind: Kind
        /// OpenSSL's number for it; 0 where it has none.
        public let status: Int32
        /// The place of the certificate in the chain, 0 for the server's own.
        public let depth: Int
        /// The sentence: which certificate, which rule, which dates or names.
        public let description: String

        package init(kind: Kind, status: Int32, depth: Int, description: String) {
            self.kind = kind
            self.status = status
            self.depth = depth
            self.description = description
        }
    }

    /// The host that was asked for.
    public let host: String
    /// The time that was evaluated for.
    public let date: Date
    /// The certificates as the server sent them; those that cannot be read are left out.
    public let presented: [Certificate]
    /// The chain as it was built, the server's certificate first.
    public let chain: [Certificate]
    /// The part of ``chain`` in which each certificate is signed by the next: what pins are compared with.
    public let authenticated: [Certificate]
    /// All that is wrong. Empty for a server that is to be trusted.
    public package(set) var findings: [Finding]
    /// What was checked, in words.
    public package(set) var checks: [String]

    /// Whether nothing is wrong.
    public var isTrusted: Bool { findings.isEmpty }

    /// What is wrong of one kind, in one sentence without a full stop.
    package func reason(_ kinds: Set<Finding.Kind>) -> String {
        let found = findings.filter { kinds.contains($0.kind) }.map(\.description)
        // The same fault may be found on several ways.
        return found.enumerated().filter { found.firstIndex(of: $0.element) == $0.offset }.map(\.element)
            .joined(separator: "; ")
    }
}

extension TrustReport: CustomStringConvertible {
    /// The verdict, the chain, and what is wrong, a line each.
    public var description: String {
        let verdict = isTrusted ? "\(host) is trusted" : "\(host) is refused"
        let lines = chain.enumerated().map {
            "  \($0.offset): \($0.element.subject) until \($0.element.notAfter.timestamp)"
        }
        return ([verdict] + lines + findings.map { "  ! \($0.description)" }).joined(separator: "\n")
    }
}
