internal import AirframeOpenSSL
internal import AirframeTransport
public import Foundation

/// Loads certificates from files, directories, bundles and the system.
public enum CertificateBundle {
    /// The file extensions of certificates in bundles, as in Alamofire.
    public static let fileExtensions = [".cer", ".CER", ".crt", ".CRT", ".der", ".DER"]

    /// Returns the certificates of a file: one in DER, or any number in PEM.
    ///
    /// - Throws: ``CertificateError`` that names the file, if it cannot be read or contains none.
    public static func certificates(inFile path: String) throws(CertificateError) -> [Certificate] {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw CertificateError("the file of certificates \(path) cannot be read: \(error.localizedDescription)")
        }
        let found = certificates(in: data)
        guard !found.isEmpty else { throw CertificateError("the file \(path) holds no certificates") }
        return found
    }

    /// Returns the certificates of a directory's files with the extension `.pem` or one of ``fileExtensions``, in the
    /// order of the file names. Files without a certificate are skipped.
    ///
    /// - Throws: ``CertificateError`` if the directory cannot be read.
    public static func certificates(inDirectory path: String) throws(CertificateError) -> [Certificate] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw CertificateError("the directory of certificates \(path) cannot be read")
        }
        let endings = fileExtensions + [".pem"]
        return names.sorted().filter { name in endings.contains { name.hasSuffix($0) } }.flatMap { name in
            FileManager.default.contents(atPath: "\(path)/\(name)").map { certificates(in: $0) } ?? []
        }
    }

    /// Returns the certificates in `data`: one in DER, any number in PEM, or those of a certificates-only PKCS #7 file
    /// (RFC 5652 §5.1). Returns none for any other format.
    public static func certificates(in data: Data) -> [Certificate] {
        let bytes = Array(data)
        if let certificate = try? Certificate(der: DER(bytes)) { return [certificate] }
        if let packed = try? packed(bytes) { return packed.compactMap { try? Certificate(der: DER(Array($0))) } }
        return PEM.blocks(in: String(decoding: data, as: UTF8.self)).filter { Certificate.labels.contains($0.label) }
            .compactMap { try? Certificate(der: $0.der) }
    }

    private static func packed(_ bytes: [UInt8]) throws(DERError) -> [ArraySlice<UInt8>] {
        var outer = DERReader(bytes[...])
        var content = try outer.next(DERTag.sequence).reader
        guard try content.next().objectIdentifier() == "1.2.840.113549.1.7.2" else {
            throw DERError("there is no signed data")
        }
        var tagged = try content.next(DERTag.constructed(0)).reader
        var signed = try tagged.next(DERTag.sequence).reader
        _ = try signed.next(DERTag.integer)
        _ = try signed.next(DERTag.set)
        _ = try signed.next(DERTag.sequence)
        var certificates = try signed.next(DERTag.constructed(0)).reader
        var found: [ArraySlice<UInt8>] = []
        while !certificates.isAtEnd { found.append(try certificates.next().encoded) }
        return found
    }

    /// Returns the system's roots: those that `SSL_CERT_FILE` and `SSL_CERT_DIR` name, or else those of the
    /// distribution's usual locations. They are looked up at run time, also in a statically linked program.
    ///
    /// - Throws: ``CertificateError`` if there are none.
    public static func system() throws(CertificateError) -> [Certificate] {
        let roots = SystemRoots.current
        var found: [Certificate] = []
        if let file = roots.file { found = try certificates(inFile: file) }
        // The common directories contain the same certificates as the file.
        if found.isEmpty || roots.isNamed {
            for directory in (roots.directory ?? "").split(separator: ":") {
                let names = (try? FileManager.default.contentsOfDirectory(atPath: String(directory))) ?? []
                // OpenSSL looks files up by the hash of a certificate's name, so they have no particular extension.
                found += names.sorted().flatMap { name in
                    FileManager.default.contents(atPath: "\(directory)/\(name)").map { certificates(in: $0) } ?? []
                }
            }
        }
        var seen: Set<Certificate> = []
        let distinct = found.filter { seen.insert($0).inserted }
        guard !distinct.isEmpty else { throw CertificateError(SystemRoots.missing) }
        return distinct
    }
}
