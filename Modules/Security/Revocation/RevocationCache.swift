internal import AirframeOpenSSL
internal import Foundation
internal import Synchronization

/// A cache of OCSP answers and CRLs, so that a handshake need not query them again. Entries are kept until they expire.
///
/// Only verified evidence is kept: responses and lists arrive in the clear.
public final class RevocationCache: Sendable {
    private struct Entries: Sendable {
        var answers: [Key: (answer: OCSPExchange.Answer, until: Date)] = [:]
        var lists: [Place: (lists: [CertificateRevocationList], until: Date)] = [:]
    }

    private struct Key: Sendable, Hashable {
        let issuer: Certificate
        let serialNumber: [UInt8]
    }

    /// Certificates of several issuers can name the same URL.
    private struct Place: Sendable, Hashable {
        let url: String
        let issuer: Certificate
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

    /// Creates an empty cache.
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

    /// Keeps an answer.
    ///
    /// - Parameters:
    ///   - answer: The answer, whose signature, certificate and dates have been verified.
    ///   - certificate: The certificate.
    ///   - issuer: Its issuer.
    ///   - date: The time of the evaluation, at which the answer is in force.
    func keep(
        _ answer: OCSPExchange.Answer,
        about certificate: Certificate,
        issuer: Certificate,
        verifiedAt date: Date
    ) {
        let key = Key(issuer: issuer, serialNumber: certificate.serialNumber)
        let end = answer.nextUpdate.map { Date(timeIntervalSince1970: Double($0)) }
        let until = Self.end(end, from: min(date, Date()))
        entries.withLock { entries in
            if entries.answers.count >= Self.mostAnswers { entries.answers.removeAll() }
            entries.answers[key] = (answer, until)
        }
    }

    func lists(from url: String, issuer: Certificate, at date: Date) -> [CertificateRevocationList]? {
        let place = Place(url: url, issuer: issuer)
        return entries.withLock { entries in
            guard let known = entries.lists[place] else { return nil }
            guard known.until >= date else {
                entries.lists[place] = nil
                return nil
            }
            return known.lists
        }
    }

    /// Keeps lists until the first of them expires.
    ///
    /// - Parameters:
    ///   - lists: The lists, which ``ListVerification`` has accepted.
    ///   - url: The URL that they were fetched from.
    ///   - issuer: The issuer whose key signed them.
    ///   - date: The time of the evaluation, at which the lists are in force.
    func keep(_ lists: [CertificateRevocationList], from url: String, issuer: Certificate, verifiedAt date: Date) {
        let start = min(date, Date())
        guard let until = lists.map({ Self.end($0.nextUpdate, from: start) }).min() else { return }
        entries.withLock { entries in
            if entries.lists.count >= Self.mostLists { entries.lists.removeAll() }
            entries.lists[Place(url: url, issuer: issuer)] = (lists, until)
        }
    }
}
