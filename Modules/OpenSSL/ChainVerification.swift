package import AirframeTransport
internal import COpenSSL

/// Builds and checks a chain from a certificate to a root with `X509_verify_cert`, and records all faults.
package struct ChainVerification: Sendable {
    /// The requirements on a chain.
    package struct Terms: Sendable {
        /// The roots.
        package var store: TrustStore
        /// Seconds since 1970; `nil` for now.
        package var time: Int?
        /// The purpose's name in OpenSSL.
        package var purpose = "ssl_server"
        /// Whether a chain may end in any certificate of the store, rather than in roots only.
        package var allowsPartialChains = false
        /// Whether to enforce all of RFC 5280.
        package var isStrict = false
        /// OpenSSL's security level for keys and digests: 2 stands for 112 bits.
        package var securityLevel: Int32 = 2
        /// The lists of revoked certificates; `nil` to ignore revocation.
        package var crls: [CRLReference]?
        /// Whether a CRL is required for each certificate, or for the server's own only.
        package var checksAllByCRL = true
        /// Whether to process policies (RFC 5280 §6.1).
        package var checksPolicies = false

        /// Creates requirements with the roots of `store`.
        package init(store: TrustStore) { self.store = store }
    }

    /// One fault of a chain.
    package struct Fault: Sendable {
        /// OpenSSL's number for it.
        package let code: Int32
        /// OpenSSL's message.
        package let words: String
        /// The position of the certificate, 0 for the server's own.
        package let depth: Int
        /// The certificate, if the fault concerns one.
        package let certificate: DER?
    }

    /// The chain as it was built, the server's certificate first.
    package let chain: [DER]
    /// The faults of the chain. Only a chain without faults may be trusted.
    package let faults: [Fault]
    /// Whether all checks ran and all faults were recorded. If not, the last fault gives the reason.
    package let isComplete: Bool

    /// Builds and checks a chain.
    package init(of leaf: CertificateReference, with untrusted: [CertificateReference], under terms: Terms) {
        let collector = Collector()
        defer { ERR_clear_error() }
        guard let context = X509_STORE_CTX_new(), let stack = airframe_certificates_new() else {
            chain = []
            faults = [Self.internalFault("out of memory")]
            isComplete = false
            return
        }
        defer {
            X509_STORE_CTX_free(context)
            airframe_certificates_free(stack)
        }
        for certificate in untrusted { _ = airframe_certificates_push(stack, certificate.pointer) }
        let crls = Self.stack(of: terms.crls)
        defer { if let crls { airframe_crls_free(crls) } }
        guard X509_STORE_CTX_init(context, terms.store.pointer, leaf.pointer, stack) == 1,
            X509_STORE_CTX_set_default(context, terms.purpose) == 1,
            let rules = X509_STORE_CTX_get0_param(context)
        else {
            chain = []
            faults = [Self.internalFault("the verification cannot be prepared")]
            isComplete = false
            return
        }
        if let crls { X509_STORE_CTX_set0_crls(context, crls) }
        Self.apply(terms, to: rules)
        airframe_verification_set_owner(context, Unmanaged.passUnretained(collector).toOpaque())
        X509_STORE_CTX_set_verify_cb(context) { isFine, context in
            guard isFine == 0, let context, let owner = airframe_verification_owner(context) else { return isFine }
            Unmanaged<Collector>.fromOpaque(owner).takeUnretainedValue().note(context)
            // Continues, to find further faults. The recorded ones refuse the chain.
            return 1
        }
        let verdict = X509_verify_cert(context)
        chain = CertificateText.chain(X509_STORE_CTX_get0_chain(context))
        let code = X509_STORE_CTX_get_error(context)
        isComplete = verdict == 1 && !collector.isFull
        var found = collector.faults
        if collector.isFull {
            // The faults that were dropped may be worse than those that were recorded, which callers may tolerate.
            found.append(Self.internalFault("the chain has more than \(Collector.limit) faults"))
        } else if found.isEmpty, verdict != 1 || code != X509_V_OK {
            let fault = code == X509_V_OK ? X509_V_ERR_UNSPECIFIED : code
            found.append(Fault(code: fault, words: Self.words(code), depth: 0, certificate: nil))
        } else if verdict != 1 {
            // OpenSSL stopped without calling back, for lack of memory for instance. `code` is that of a fault before.
            found.append(Self.internalFault("the chain could not be checked completely"))
        }
        faults = found
    }

    private static func apply(_ terms: Terms, to rules: OpaquePointer) {
        var flags = X509_V_FLAG_TRUSTED_FIRST
        if terms.allowsPartialChains { flags |= X509_V_FLAG_PARTIAL_CHAIN }
        if terms.isStrict { flags |= X509_V_FLAG_X509_STRICT }
        if terms.checksPolicies { flags |= X509_V_FLAG_POLICY_CHECK }
        if terms.crls != nil {
            flags |= X509_V_FLAG_CRL_CHECK | X509_V_FLAG_EXTENDED_CRL_SUPPORT | X509_V_FLAG_USE_DELTAS
            if terms.checksAllByCRL { flags |= X509_V_FLAG_CRL_CHECK_ALL }
        }
        X509_VERIFY_PARAM_set_flags(rules, UInt(flags))
        X509_VERIFY_PARAM_set_auth_level(rules, terms.securityLevel)
        if terms.checksPolicies {
            // Without an initial policy OpenSSL finds none in force, whereas RFC 5280 §6.1.1 starts with any policy.
            X509_VERIFY_PARAM_add0_policy(rules, OBJ_nid2obj(NID_any_policy))
        }
        // The common name is not a host name (RFC 9525 §2). Without the flag OpenSSL applies constraints on DNS names
        // to it if there is no alternative DNS name.
        X509_VERIFY_PARAM_set_hostflags(rules, UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT))
        if let time = terms.time { X509_VERIFY_PARAM_set_time(rules, time) }
    }

    private static func stack(of crls: [CRLReference]?) -> OpaquePointer? {
        guard let crls, let stack = airframe_crls_new() else { return nil }
        for crl in crls { _ = airframe_crls_push(stack, crl.pointer) }
        return stack
    }

    private static func internalFault(_ words: String) -> Fault {
        Fault(code: X509_V_ERR_UNSPECIFIED, words: words, depth: 0, certificate: nil)
    }

    static func words(_ code: Int32) -> String { String(cString: X509_verify_cert_error_string(Int(code))) }

    /// The faults that the callback records. Confined to one call of `X509_verify_cert`.
    private final class Collector {
        // Bounds the memory for an adversarial chain.
        static let limit = 64
        private(set) var faults: [Fault] = []
        /// Whether there were more faults than the limit.
        private(set) var isFull = false

        func note(_ context: OpaquePointer) {
            guard faults.count < Self.limit else {
                isFull = true
                return
            }
            let code = X509_STORE_CTX_get_error(context)
            faults.append(
                Fault(
                    code: code,
                    words: ChainVerification.words(code),
                    depth: Int(X509_STORE_CTX_get_error_depth(context)),
                    certificate: X509_STORE_CTX_get_current_cert(context).flatMap { CertificateText.der(of: $0) }
                )
            )
        }
    }
}
