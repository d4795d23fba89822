// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Features/ServerTrustEvaluation.swift; do not edit.

import Airframe
import AirframeCore
import AirframeEncoding
import AirframeReachability
import AirframeSecurity
import AirframeSerialization
import AirframeTransport
import Dispatch
import Foundation

/// The symbols of Features/ServerTrustEvaluation.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesServerTrustEvaluation {
    static func use1029(_: ServerTrustManager.Type) {}
    static func use1030(_ receiver: ServerTrustManager) { _ = receiver.allHostsMustBeEvaluated }
    static func use1031(_ receiver: ServerTrustManager) { _ = receiver.evaluators }
    static func use1032(_ a0: Bool, _ a1: [String : any ServerTrustEvaluating]) { _ = ServerTrustManager(allHostsMustBeEvaluated: a0, evaluators: a1) }
    static func use1033(_ receiver: ServerTrustManager, _ a0: String) throws { _ = try receiver.serverTrustEvaluator(forHost: a0) }
    static func use1034(_: (any ServerTrustEvaluating).Type) {}
    static func use1035<Owner_: ServerTrustEvaluating>(_ receiver: Owner_, _ a0: ServerTrust, _ a1: String) throws { try receiver.evaluate(a0, forHost: a1) }
    static func use1036(_: DefaultTrustEvaluator.Type) {}
    static func use1037(_ receiver: DefaultTrustEvaluator, _ a0: ServerTrust, _ a1: String) throws { try receiver.evaluate(a0, forHost: a1) }
    static func use1038(_: RevocationTrustEvaluator.Type) {}
    static func use1039(_: RevocationTrustEvaluator.Options.Type) {}
    static func use1040() { _ = RevocationTrustEvaluator.Options.crl }
    static func use1041() { _ = RevocationTrustEvaluator.Options.networkAccessDisabled }
    static func use1042() { _ = RevocationTrustEvaluator.Options.ocsp }
    static func use1043() { _ = RevocationTrustEvaluator.Options.preferCRL }
    static func use1044() { _ = RevocationTrustEvaluator.Options.requirePositiveResponse }
    static func use1045() { _ = RevocationTrustEvaluator.Options.any }
    static func use1046(_ receiver: RevocationTrustEvaluator.Options) { _ = receiver.rawValue }
    static func use1047(_ a0: UInt) { _ = RevocationTrustEvaluator.Options(rawValue: a0) }
    static func use1048(_ receiver: RevocationTrustEvaluator, _ a0: ServerTrust, _ a1: String) throws { try receiver.evaluate(a0, forHost: a1) }
    static func use1049() { _ = RevocationTrustEvaluator.revocationChecking }
    static func use1050(_: PinnedCertificatesTrustEvaluator.Type) {}
    static func use1051(_ receiver: PinnedCertificatesTrustEvaluator, _ a0: ServerTrust, _ a1: String) throws { try receiver.evaluate(a0, forHost: a1) }
    static func use1052() { _ = PinnedCertificatesTrustEvaluator.pinnedCertificates }
    static func use1053(_: PublicKeysTrustEvaluator.Type) {}
    static func use1054(_ receiver: PublicKeysTrustEvaluator, _ a0: ServerTrust, _ a1: String) throws { try receiver.evaluate(a0, forHost: a1) }
    static func use1055() { _ = PublicKeysTrustEvaluator.publicKeys }
    static func use1056(_: CompositeTrustEvaluator.Type) {}
    static func use1057(_ a0: [any ServerTrustEvaluating]) { _ = CompositeTrustEvaluator(evaluators: a0) }
    static func use1058(_ receiver: CompositeTrustEvaluator, _ a0: ServerTrust, _ a1: String) throws { try receiver.evaluate(a0, forHost: a1) }
    static func use1059(_ a0: [any ServerTrustEvaluating]) { _ = CompositeTrustEvaluator.composite(evaluators: a0) }
    static func use1060(_: DisabledTrustEvaluator.Type) {}
    static func use1061() { _ = DisabledTrustEvaluator() }
    static func use1062(_ receiver: DisabledTrustEvaluator, _ a0: ServerTrust, _ a1: String) throws { try receiver.evaluate(a0, forHost: a1) }
}
