// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Features/NetworkReachabilityManager.swift; do not edit.

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

/// The symbols of Features/NetworkReachabilityManager.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesNetworkReachabilityManager {
    static func use922(_: NetworkReachabilityManager.Type) {}
    static func use923(_: NetworkReachabilityManager.NetworkReachabilityStatus.Type) {}
    static func use924(_ receiver: NetworkReachabilityManager.NetworkReachabilityStatus) { if case .unknown = receiver {} }
    static func use925(_ receiver: NetworkReachabilityManager.NetworkReachabilityStatus) { if case .notReachable = receiver {} }
    static func use926(_ receiver: NetworkReachabilityManager.NetworkReachabilityStatus) { if case .reachable(_) = receiver {} }
    static func use927(_: NetworkReachabilityManager.NetworkReachabilityStatus.ConnectionType.Type) {}
    static func use928(_ receiver: NetworkReachabilityManager.NetworkReachabilityStatus.ConnectionType) { if case .ethernetOrWiFi = receiver {} }
    static func use929(_ receiver: NetworkReachabilityManager.NetworkReachabilityStatus.ConnectionType) { if case .cellular = receiver {} }
    static func use930(_: NetworkReachabilityManager.Listener.Type) {}
    static func use931() { _ = NetworkReachabilityManager.`default` }
    static func use932(_ receiver: NetworkReachabilityManager) { _ = receiver.isReachable }
    static func use933(_ receiver: NetworkReachabilityManager) { _ = receiver.isReachableOnCellular }
    static func use934(_ receiver: NetworkReachabilityManager) { _ = receiver.isReachableOnEthernetOrWiFi }
    static func use935(_ receiver: NetworkReachabilityManager) { _ = receiver.reachabilityQueue }
    static func use936(_ receiver: NetworkReachabilityManager) { _ = receiver.flags }
    static func use937(_ receiver: NetworkReachabilityManager) { _ = receiver.status }
    static func use938(_ a0: String) { _ = NetworkReachabilityManager(host: a0) }
    static func use939() { _ = NetworkReachabilityManager() }
    static func use940(_ receiver: NetworkReachabilityManager, _ a0: DispatchQueue, _ a1: @escaping NetworkReachabilityManager.Listener) { _ = receiver.startListening(onQueue: a0, onUpdatePerforming: a1); _ = receiver.startListening(onUpdatePerforming: a1) }
    static func use941(_ receiver: NetworkReachabilityManager) { receiver.stopListening() }
}
