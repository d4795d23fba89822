internal import AirframeOpenSSL
internal import Foundation
internal import Synchronization

/// A cache of OCSP answers and CRLs, so that a handshake need not query them again. Entries are kept until they expire.
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
    /// The lifetime of an answer without an end of validity.
    private static let undatedLife: TimeInterval = 3600
    /// The maximum lifetime of an answer, regardless of its validity: a program may run for months and must learn of
    /// revocations.
    private static let longestLife: TimeInterval = 7 * 24 * 3600

    // Guards the entries.
    private let entries = Mutex(Entries())

    /// Makes an empty cache.
    public init() {}

    /// Removes all entries.
    public func removeAll() { entries.withLock { $0 = Entries() } }

    /// Returns the date until which an answer is kept.
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
