// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Core/Notifications.swift; do not edit.

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

/// The symbols of Core/Notifications.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesNotifications {
    static func use260() { _ = Request.didResumeNotification }
    static func use261() { _ = Request.didSuspendNotification }
    static func use262() { _ = Request.didCancelNotification }
    static func use263() { _ = Request.didFinishNotification }
    static func use264() { _ = Request.didResumeTaskNotification }
    static func use265() { _ = Request.didSuspendTaskNotification }
    static func use266() { _ = Request.didCancelTaskNotification }
    static func use267() { _ = Request.didCompleteTaskNotification }
    static func use268(_ receiver: Notification) { _ = receiver.request }
    static func use269(_: AlamofireNotifications.Type) {}
    static func use270() { _ = AlamofireNotifications() }
    static func use271(_ receiver: AlamofireNotifications, _ a0: Request) { receiver.requestDidResume(a0) }
    static func use272(_ receiver: AlamofireNotifications, _ a0: Request) { receiver.requestDidSuspend(a0) }
    static func use273(_ receiver: AlamofireNotifications, _ a0: Request) { receiver.requestDidCancel(a0) }
    static func use274(_ receiver: AlamofireNotifications, _ a0: Request) { receiver.requestDidFinish(a0) }
    static func use275(_ receiver: AlamofireNotifications, _ a0: Request, _ a1: URLSessionTask) { receiver.request(a0, didResumeTask: a1) }
    static func use276(_ receiver: AlamofireNotifications, _ a0: Request, _ a1: URLSessionTask) { receiver.request(a0, didSuspendTask: a1) }
    static func use277(_ receiver: AlamofireNotifications, _ a0: Request, _ a1: URLSessionTask) { receiver.request(a0, didCancelTask: a1) }
    static func use278(_ receiver: AlamofireNotifications, _ a0: Request, _ a1: URLSessionTask, _ a2: AFError?) { receiver.request(a0, didCompleteTask: a1, with: a2) }
}
