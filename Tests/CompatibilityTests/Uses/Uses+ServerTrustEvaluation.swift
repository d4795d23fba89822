// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Features/ServerTrustEvaluation.swift; do not edit.

import Airframe
import AirframeCore
import AirframeEncoding
import AirframeReachability
import AirframeSecurity
import AirframeSerialization
import AirframeTransport
import AirframeWebSocket
import Dispatch
import Foundation

/// The symbols of Features/ServerTrustEvaluation.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesServerTrustEvaluation {
    static func use1115(_: ServerTrustManager.Type) {}
    static func use1116(_ receiver: ServerTrustManager) { _ = receiver.allHostsMustBeEvaluated }
    static func use1117(_ receiver: ServerTrustManager) { _ = receiver.evaluators }
    static func use1118(_ a0: Bool, _ a1: [String : any ServerTrustEvaluating]) { _ = ServerTrustManager(allHostsMustBeEvaluated: a0, evaluators: a1) }
    static func use1119(_ receiver: ServerTrustManager, _ a0: String) throws { _ = try receiver.serverTrustEvaluator(forHost: a0) }
    static func use1120(_: (any ServerTrustEvaluating).Type) {}
    static func use1121<Owner_: ServerTrustEvaluating>(_ receiver: Owner_, _ a0: ServerTrust, _ a1: String) throws { try receiver.evaluate(a0, forHost: a1) }
    static func use1122(_: DefaultTrustEvaluator.Type) {}
    static func use1123(_ receiver: DefaultTrustEvaluator, _ a0: ServerTrust, _ a1: String) throws { try receiver.evaluate(a0, forHost: a1) }
    static func use1124(_: RevocationTrustEvaluator.Type) {}
    static func use1125(_: RevocationTrustEvaluator.Options.Type) {}
    static func use1126() { _ = RevocationTrustEvaluator.Options.crl }
    static func use1127() { _ = RevocationTrustEvaluator.Options.networkAccessDisabled }
    static func use1128() { _ = RevocationTrustEvaluator.Options.ocsp }
    static func use1129() { _ = RevocationTrustEvaluator.Options.preferCRL }
    static func use1130() { _ = RevocationTrustEvaluator.Options.requirePositiveResponse }
    static func use1131() { _ = RevocationTrustEvaluator.Options.any }
    static func use1132(_ receiver: RevocationTrustEvaluator.Options) { _ = receiver.rawValue }
    static func use1133(_ a0: UInt) { _ = RevocationTrustEvaluator.Options(rawValue: a0) }
    static func use1134(_ receiver: RevocationTrustEvaluator, _ a0: ServerTrust, _ a1: String) throws { try receiver.evaluate(a0, forHost: a1) }
    static func use1135() { _ = RevocationTrustEvaluator.revocationChecking }
    static func use1136(_: PinnedCertificatesTrustEvaluator.Type) {}
    static func use1137(_ receiver: PinnedCertificatesTrustEvaluator, _ a0: ServerTrust, _ a1: String) throws { try receiver.evaluate(a0, forHost: a1) }
    static func use1138() { _ = PinnedCertificatesTrustEvaluator.pinnedCertificates }
    static func use1139(_: PublicKeysTrustEvaluator.Type) {}
    static func use1140(_ receiver: PublicKeysTrustEvaluator, _ a0: ServerTrust, _ a1: String) throws { try receiver.evaluate(a0, forHost: a1) }
    static func use1141() { _ = PublicKeysTrustEvaluator.publicKeys }
    static func use1142(_: CompositeTrustEvaluator.Type) {}
    static func use1143(_ a0: [any ServerTrustEvaluating]) { _ = CompositeTrustEvaluator(evaluators: a0) }
    static func use1144(_ receiver: CompositeTrustEvaluator, _ a0: ServerTrust, _ a1: String) throws { try receiver.evaluate(a0, forHost: a1) }
    static func use1145(_ a0: [any ServerTrustEvaluating]) { _ = CompositeTrustEvaluator.composite(evaluators: a0) }
    static func use1146(_: DisabledTrustEvaluator.Type) {}
    static func use1147() { _ = DisabledTrustEvaluator() }
    static func use1148(_ receiver: DisabledTrustEvaluator, _ a0: ServerTrust, _ a1: String) throws { try receiver.evaluate(a0, forHost: a1) }
}
