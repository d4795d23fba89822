// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Features/NetworkReachabilityManager.swift; do not edit.

import Airframe
import AirframeCore
import AirframeEncoding
import AirframeReachability
import AirframeSecurity
import AirframeSerialization
import AirframeTransport
import Dispatch
import Foundation

/// The symbols of Features/NetworkReachabilityManager.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesNetworkReachabilityManager {
    static func use836(_: NetworkReachabilityManager.Type) {}
    static func use837(_: NetworkReachabilityManager.NetworkReachabilityStatus.Type) {}
    static func use838(_ receiver: NetworkReachabilityManager.NetworkReachabilityStatus) { if case .unknown = receiver {} }
    static func use839(_ receiver: NetworkReachabilityManager.NetworkReachabilityStatus) { if case .notReachable = receiver {} }
    static func use840(_ receiver: NetworkReachabilityManager.NetworkReachabilityStatus) { if case .reachable(_) = receiver {} }
    static func use841(_: NetworkReachabilityManager.NetworkReachabilityStatus.ConnectionType.Type) {}
    static func use842(_ receiver: NetworkReachabilityManager.NetworkReachabilityStatus.ConnectionType) { if case .ethernetOrWiFi = receiver {} }
    static func use843(_ receiver: NetworkReachabilityManager.NetworkReachabilityStatus.ConnectionType) { if case .cellular = receiver {} }
    static func use844(_: NetworkReachabilityManager.Listener.Type) {}
    static func use845() { _ = NetworkReachabilityManager.`default` }
    static func use846(_ receiver: NetworkReachabilityManager) { _ = receiver.isReachable }
    static func use847(_ receiver: NetworkReachabilityManager) { _ = receiver.isReachableOnCellular }
    static func use848(_ receiver: NetworkReachabilityManager) { _ = receiver.isReachableOnEthernetOrWiFi }
    static func use849(_ receiver: NetworkReachabilityManager) { _ = receiver.reachabilityQueue }
    static func use850(_ receiver: NetworkReachabilityManager) { _ = receiver.flags }
    static func use851(_ receiver: NetworkReachabilityManager) { _ = receiver.status }
    static func use852(_ a0: String) { _ = NetworkReachabilityManager(host: a0) }
    static func use853() { _ = NetworkReachabilityManager() }
    static func use854(_ receiver: NetworkReachabilityManager, _ a0: DispatchQueue, _ a1: @escaping NetworkReachabilityManager.Listener) { _ = receiver.startListening(onQueue: a0, onUpdatePerforming: a1); _ = receiver.startListening(onUpdatePerforming: a1) }
    static func use855(_ receiver: NetworkReachabilityManager) { receiver.stopListening() }
}
