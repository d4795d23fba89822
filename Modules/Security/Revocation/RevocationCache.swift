internal import AirframeOpenSSL
internal import Foundation
internal import Synchronization

/// Keeps what responders and lists said, until it is out of date, so that not every handshake asks anew.
public final class RevocationCache: Sendable {
    private struct Entries: Sendable {
        var answers: [Key: (answer: OCSPExchange.Answer, until: Date)] = [:]
        var lists: [String: (lists: [CertificateRevocationList], until: Date)] = [:]
    }

    private struct Key: Sendable, Hashable {
        let issuer: Certificate
        let serialNumber: [UInt8]
    }

    private static let mostAnswers = 1024
    private static let mostLists = 64
    /// How long an answer is kept that does not say how long it holds.
    private static let undatedLife: TimeInterval = 3600
    /// The longest that an answer is kept, whatever date the responder set: a program may run for months, and a
    /// revocation that follows must reach it.
    private static let longestLife: TimeInterval = 7 * 24 * 3600

    // Guards what is kept.
    private let entries = Mutex(Entries())

    /// Makes an empty cache.
    public init() {}

    /// Forgets everything.
    public func removeAll() { entries.withLock { $0 = Entries() } }

    /// The date until which an answer is kept.
    static func end(_ nextUpdate: Date?, from now: Date) -> Date {
        guard let nextUpdate else { return now.addingTimeInterval(undatedLife) }
        return min(nextUpdate, now.addingTimeInterval(longestLife))
    }

    func answer(about certificate: Certificate, issuer: Certificate, at date: Date) -> OCSPExchange.Answer? {
        let key = Key(issuer: issuer, serialNumber: certificate.serialNumber)
        return entries.withLock { entries in
            guard let known = entries.answers[key] else { return nil }
            guard known.until >= date else {
                entries.answers[key] = nil
                return nil
            }
            return known.answer
        }
    }

    func keep(_ answer: OCSPExchange.Answer, about certificate: Certificate, issuer: Certificate) {
        let key = Key(issuer: issuer, serialNumber: certificate.serialNumber)
        let until = Self.end(answer.nextUpdate.map { Date(timeIntervalSince1970: Double($0)) }, from: Date())
        entries.withLock { entries in
            if entries.answers.count >= Self.mostAnswers { entries.answers.removeAll() }
            entries.answers[key] = (answer, until)
        }
    }

    func lists(from place: String, at date: Date) -> [CertificateRevocationList]? {
        entries.withLock { entries in
            guard let known = entries.lists[place] else { return nil }
            guard known.until >= date else {
                entries.lists[place] = nil
                return nil
            }
            return known.lists
        }
    }

    func keep(_ lists: [CertificateRevocationList], from place: String) {
        let until = Self.end(lists.compactMap(\.nextUpdate).min(), from: Date())
        entries.withLock { entries in
            if entries.lists.count >= Self.mostLists { entries.lists.removeAll() }
            entries.lists[place] = (lists, until)
        }
    }
}
