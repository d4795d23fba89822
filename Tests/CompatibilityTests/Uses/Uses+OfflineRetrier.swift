// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Features/OfflineRetrier.swift; do not edit.

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

/// The symbols of Features/OfflineRetrier.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesOfflineRetrier {
    static func use942(_: OfflineRetrier.Type) {}
    static func use943() { _ = OfflineRetrier.defaultWait }
    static func use944() { _ = OfflineRetrier.defaultURLErrorOfflineCodes }
    static func use945() { _ = OfflineRetrier.defaultIsOfflineError }
    static func use946(_ a0: @escaping () -> NetworkPathMonitor, _ a1: DispatchTimeInterval, _ a2: @escaping @Sendable (any Error) -> Bool) { _ = OfflineRetrier(monitor: a0(), maximumWait: a1, isOfflineError: a2) }
    static func use947(_ a0: NetworkInterface.Kind, _ a1: DispatchTimeInterval, _ a2: @escaping @Sendable (any Error) -> Bool) { _ = OfflineRetrier(requiredInterfaceType: a0, maximumWait: a1, isOfflineError: a2) }
    static func use948(_ a0: [NetworkInterface.Kind], _ a1: DispatchTimeInterval, _ a2: @escaping @Sendable (any Error) -> Bool) { _ = OfflineRetrier(prohibitedInterfaceTypes: a0, maximumWait: a1, isOfflineError: a2) }
    static func use949(_ receiver: OfflineRetrier, _ a0: Request, _ a1: Session, _ a2: any Error) async throws { _ = await receiver.retry(a0, for: a1, dueTo: a2) }
    static func use950(_ a0: @escaping () -> NetworkPathMonitor, _ a1: DispatchTimeInterval, _ a2: @escaping @Sendable (any Error) -> Bool) { _ = OfflineRetrier.offlineRetrier(monitor: a0(), maximumWait: a1, isOfflineError: a2); _ = OfflineRetrier.offlineRetrier() }
    static func use951(_ a0: NetworkInterface.Kind, _ a1: DispatchTimeInterval, _ a2: @escaping @Sendable (any Error) -> Bool) { _ = OfflineRetrier.offlineRetrier(requiredInterfaceType: a0, maximumWait: a1, isOfflineError: a2); _ = OfflineRetrier.offlineRetrier(requiredInterfaceType: a0) }
    static func use952(_ a0: [NetworkInterface.Kind], _ a1: DispatchTimeInterval, _ a2: @escaping @Sendable (any Error) -> Bool) { _ = OfflineRetrier.offlineRetrier(prohibitedInterfaceTypes: a0, maximumWait: a1, isOfflineError: a2); _ = OfflineRetrier.offlineRetrier(prohibitedInterfaceTypes: a0) }
}
