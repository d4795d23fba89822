// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Core/SessionDelegate.swift; do not edit.

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

/// The symbols of Core/SessionDelegate.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesSessionDelegate {
    static func use497(_: SessionDelegate.Type) {}
    static func use498(_ a0: FileManager) { _ = SessionDelegate(fileManager: a0) }
    static func use499(_ receiver: SessionDelegate, _ a0: URLSession, _ a1: (any Error)?) { receiver.urlSession(a0, didBecomeInvalidWithError: a1) }
    static func use500(_ receiver: SessionDelegate, _ a0: URLSession, _ a1: URLSessionTask, _ a2: URLAuthenticationChallenge, _ a3: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void) { receiver.urlSession(a0, task: a1, didReceive: a2, completionHandler: a3) }
    static func use501(_ receiver: SessionDelegate, _ a0: URLSession, _ a1: URLSessionTask, _ a2: Int64, _ a3: Int64, _ a4: Int64) { receiver.urlSession(a0, task: a1, didSendBodyData: a2, totalBytesSent: a3, totalBytesExpectedToSend: a4) }
    static func use502(_ receiver: SessionDelegate, _ a0: URLSession, _ a1: URLSessionTask, _ a2: @escaping (InputStream?) -> Void) { receiver.urlSession(a0, task: a1, needNewBodyStream: a2) }
    static func use503(_ receiver: SessionDelegate, _ a0: URLSession, _ a1: URLSessionTask, _ a2: HTTPURLResponse, _ a3: URLRequest, _ a4: @escaping (URLRequest?) -> Void) { receiver.urlSession(a0, task: a1, willPerformHTTPRedirection: a2, newRequest: a3, completionHandler: a4) }
    static func use504(_ receiver: SessionDelegate, _ a0: URLSession, _ a1: URLSessionTask, _ a2: URLSessionTaskMetrics) { receiver.urlSession(a0, task: a1, didFinishCollecting: a2) }
    static func use505(_ receiver: SessionDelegate, _ a0: URLSession, _ a1: URLSessionTask, _ a2: (any Error)?) { receiver.urlSession(a0, task: a1, didCompleteWithError: a2) }
    static func use506(_ receiver: SessionDelegate, _ a0: URLSession, _ a1: URLSessionTask) { receiver.urlSession(a0, taskIsWaitingForConnectivity: a1) }
    static func use507(_ receiver: SessionDelegate, _ a0: URLSession, _ a1: URLSessionDataTask, _ a2: URLResponse, _ a3: @escaping @Sendable (URLSession.ResponseDisposition) -> Void) { receiver.urlSession(a0, dataTask: a1, didReceive: a2, completionHandler: a3) }
    static func use508(_ receiver: SessionDelegate, _ a0: URLSession, _ a1: URLSessionDataTask, _ a2: Data) { receiver.urlSession(a0, dataTask: a1, didReceive: a2) }
    static func use509(_ receiver: SessionDelegate, _ a0: URLSession, _ a1: URLSessionDataTask, _ a2: CachedURLResponse, _ a3: @escaping (CachedURLResponse?) -> Void) { receiver.urlSession(a0, dataTask: a1, willCacheResponse: a2, completionHandler: a3) }
    static func use510(_ receiver: SessionDelegate, _ a0: URLSession, _ a1: URLSessionWebSocketTask, _ a2: String?) { receiver.urlSession(a0, webSocketTask: a1, didOpenWithProtocol: a2) }
    static func use511(_ receiver: SessionDelegate, _ a0: URLSession, _ a1: URLSessionWebSocketTask, _ a2: URLSessionWebSocketTask.CloseCode, _ a3: Data?) { receiver.urlSession(a0, webSocketTask: a1, didCloseWith: a2, reason: a3) }
    static func use512(_ receiver: SessionDelegate, _ a0: URLSession, _ a1: URLSessionDownloadTask, _ a2: Int64, _ a3: Int64) { receiver.urlSession(a0, downloadTask: a1, didResumeAtOffset: a2, expectedTotalBytes: a3) }
    static func use513(_ receiver: SessionDelegate, _ a0: URLSession, _ a1: URLSessionDownloadTask, _ a2: Int64, _ a3: Int64, _ a4: Int64) { receiver.urlSession(a0, downloadTask: a1, didWriteData: a2, totalBytesWritten: a3, totalBytesExpectedToWrite: a4) }
    static func use514(_ receiver: SessionDelegate, _ a0: URLSession, _ a1: URLSessionDownloadTask, _ a2: URL) { receiver.urlSession(a0, downloadTask: a1, didFinishDownloadingTo: a2) }
}
