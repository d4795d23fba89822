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
    static func use1031(_: ServerTrustManager.Type) {}
    static func use1032(_ receiver: ServerTrustManager) { _ = receiver.allHostsMustBeEvaluated }
    static func use1033(_ receiver: ServerTrustManager) { _ = receiver.evaluators }
    static func use1034(_ a0: Bool, _ a1: [String : any ServerTrustEvaluating]) { _ = ServerTrustManager(allHostsMustBeEvaluated: a0, evaluators: a1) }
    static func use1035(_ receiver: ServerTrustManager, _ a0: String) throws { _ = try receiver.serverTrustEvaluator(forHost: a0) }
    static func use1036(_: (any ServerTrustEvaluating).Type) {}
    static func use1037<Owner_: ServerTrustEvaluating>(_ receiver: Owner_, _ a0: ServerTrust, _ a1: String) throws { try receiver.evaluate(a0, forHost: a1) }
    static func use1038(_: DefaultTrustEvaluator.Type) {}
    static func use1039(_ receiver: DefaultTrustEvaluator, _ a0: ServerTrust, _ a1: String) throws { try receiver.evaluate(a0, forHost: a1) }
    static func use1040(_: RevocationTrustEvaluator.Type) {}
    static func use1041(_: RevocationTrustEvaluator.Options.Type) {}
    static func use1042() { _ = RevocationTrustEvaluator.Options.crl }
    static func use1043() { _ = RevocationTrustEvaluator.Options.networkAccessDisabled }
    static func use1044() { _ = RevocationTrustEvaluator.Options.ocsp }
    static func use1045() { _ = RevocationTrustEvaluator.Options.preferCRL }
    static func use1046() { _ = RevocationTrustEvaluator.Options.requirePositiveResponse }
    static func use1047() { _ = RevocationTrustEvaluator.Options.any }
    static func use1048(_ receiver: RevocationTrustEvaluator.Options) { _ = receiver.rawValue }
    static func use1049(_ a0: UInt) { _ = RevocationTrustEvaluator.Options(rawValue: a0) }
    static func use1050(_ receiver: RevocationTrustEvaluator, _ a0: ServerTrust, _ a1: String) throws { try receiver.evaluate(a0, forHost: a1) }
    static func use1051() { _ = RevocationTrustEvaluator.revocationChecking }
    static func use1052(_: PinnedCertificatesTrustEvaluator.Type) {}
    static func use1053(_ receiver: PinnedCertificatesTrustEvaluator, _ a0: ServerTrust, _ a1: String) throws { try receiver.evaluate(a0, forHost: a1) }
    static func use1054() { _ = PinnedCertificatesTrustEvaluator.pinnedCertificates }
    static func use1055(_: PublicKeysTrustEvaluator.Type) {}
    static func use1056(_ receiver: PublicKeysTrustEvaluator, _ a0: ServerTrust, _ a1: String) throws { try receiver.evaluate(a0, forHost: a1) }
    static func use1057() { _ = PublicKeysTrustEvaluator.publicKeys }
    static func use1058(_: CompositeTrustEvaluator.Type) {}
    static func use1059(_ a0: [any ServerTrustEvaluating]) { _ = CompositeTrustEvaluator(evaluators: a0) }
    static func use1060(_ receiver: CompositeTrustEvaluator, _ a0: ServerTrust, _ a1: String) throws { try receiver.evaluate(a0, forHost: a1) }
    static func use1061(_ a0: [any ServerTrustEvaluating]) { _ = CompositeTrustEvaluator.composite(evaluators: a0) }
    static func use1062(_: DisabledEvaluator.Type) {}
    static func use1063(_: DisabledTrustEvaluator.Type) {}
    static func use1064() { _ = DisabledTrustEvaluator() }
    static func use1065(_ receiver: DisabledTrustEvaluator, _ a0: ServerTrust, _ a1: String) throws { try receiver.evaluate(a0, forHost: a1) }
    static func use1066<ExtendedType>(_ receiver: AlamofireExtension<ExtendedType>) { _ = receiver.certificates }
    static func use1067<ExtendedType>(_ receiver: AlamofireExtension<ExtendedType>) { _ = receiver.publicKeys }
    static func use1068<ExtendedType>(_ receiver: AlamofireExtension<ExtendedType>, _ a0: [String]) { _ = receiver.paths(forResourcesOfTypes: a0) }
    static func use1069<ExtendedType>(_ receiver: AlamofireExtension<ExtendedType>, _ a0: ServerTrustPolicy) throws { try receiver.evaluate(afterApplying: a0) }
    static func use1070<ExtendedType>(_ receiver: AlamofireExtension<ExtendedType>, _ a0: ServerTrustPolicy, _ a1: (Int32, ServerTrustResult) -> any Error) throws { try receiver.validate(policy: a0, errorProducer: a1) }
    static func use1071<ExtendedType>(_ receiver: AlamofireExtension<ExtendedType>, _ a0: ServerTrustPolicy) throws { _ = try receiver.apply(policy: a0) }
    static func use1072<ExtendedType>(_ receiver: AlamofireExtension<ExtendedType>) throws { try receiver.evaluate() }
    static func use1073<ExtendedType>(_ receiver: AlamofireExtension<ExtendedType>, _ a0: [Certificate]) throws { try receiver.setAnchorCertificates(a0) }
    static func use1076<ExtendedType>(_ receiver: AlamofireExtension<ExtendedType>) { _ = receiver.certificateData }
    static func use1077<ExtendedType>(_ receiver: AlamofireExtension<ExtendedType>, _ a0: String) throws { try receiver.performDefaultValidation(forHost: a0) }
    static func use1078<ExtendedType>(_ receiver: AlamofireExtension<ExtendedType>, _ a0: String) throws { try receiver.performValidation(forHost: a0) }
    static func use1079<ExtendedType>(_: AlamofireExtension<ExtendedType>.Type) { _ = AlamofireExtension<ExtendedType>.`default` }
    static func use1080<ExtendedType>(_ a0: String, _: AlamofireExtension<ExtendedType>.Type) { _ = AlamofireExtension<ExtendedType>.hostname(a0) }
    static func use1081<ExtendedType>(_ a0: RevocationOptions, _: AlamofireExtension<ExtendedType>.Type) throws { _ = try AlamofireExtension<ExtendedType>.revocation(options: a0) }
    static func use1082<ExtendedType>(_ receiver: AlamofireExtension<ExtendedType>) { _ = receiver.data }
    static func use1084<ExtendedType>(_ receiver: AlamofireExtension<ExtendedType>) { _ = receiver.publicKey }
    static func use1085<ExtendedType>(_ receiver: AlamofireExtension<ExtendedType>) { _ = receiver.isSuccess }
}
