/// Media types by file name extension, and back.
///
/// The table follows IANA's registry where it has the type. It is built in, so that a file has the same type on every
/// machine, independent of installed databases.
package enum MIMEType {
    /// The type for unknown extensions (RFC 2046 §4.5.1).
    static let unknown = "application/octet-stream"

    /// Returns the media type of a file name extension, regardless of case.
    package static func forPathExtension(_ pathExtension: String) -> String {
        types[pathExtension.lowercased()] ?? unknown
    }

    /// Returns the preferred file name extension of a media type without parameters, regardless of case. Returns `nil`
    /// for unknown types and for `application/octet-stream`.
    static func pathExtension(of type: String) -> String? { pathExtensions[type.lowercased()] }

    private static let types: [String: String] = {
        var types: [String: String] = [:]
        for (type, extensions) in table {
            for pathExtension in extensions.split(separator: " ") { types[String(pathExtension)] = type }
        }
        return types
    }()

    private static let pathExtensions: [String: String] = {
        var found: [String: String] = [:]
        for (type, extensions) in table {
            found[type.lowercased()] = extensions.split(separator: " ").first.map(String.init)
        }
        for (alias, type) in aliases { found[alias] = found[type] }
        return found
    }()

    /// Types that servers still send under an older name: obsolete ones (RFC 9239 §6, RFC 9512 §2.1), `text/xml` (RFC
    /// 7303 §9.2), and names that were never registered.
    private static let aliases: [(alias: String, type: String)] = [
        ("application/javascript", "text/javascript"), ("application/x-gzip", "application/gzip"),
        ("application/x-javascript", "text/javascript"), ("application/x-yaml", "application/yaml"),
        ("application/x-zip-compressed", "application/zip"), ("audio/mp3", "audio/mpeg"), ("audio/x-wav", "audio/wav"),
        ("image/jpg", "image/jpeg"), ("image/x-icon", "image/vnd.microsoft.icon"), ("text/xml", "application/xml"),
    ]

    /// The extensions of each type, the preferred one first.
    private static let table: [(type: String, extensions: String)] = [
        ("application/atom+xml", "atom"), ("application/epub+zip", "epub"), ("application/geo+json", "geojson"),
        ("application/gpx+xml", "gpx"), ("application/gzip", "gz tgz"), ("application/java-archive", "jar"),
        ("application/json", "json map"), ("application/ld+json", "jsonld"), ("application/mbox", "mbox"),
        ("application/manifest+json", "webmanifest"), ("application/msword", "doc dot"), ("application/ogg", "ogx"),
        ("application/pdf", "pdf"), ("application/pem-certificate-chain", "pem"), ("application/pgp-signature", "sig"),
        ("application/pkcs10", "p10"), ("application/pkcs12", "p12 pfx"), ("application/pkcs7-mime", "p7m"),
        ("application/pkcs7-signature", "p7s"), ("application/pkix-cert", "cer"), ("application/pkix-crl", "crl"),
        ("application/postscript", "ps ai eps"), ("application/rss+xml", "rss"), ("application/rtf", "rtf"),
        ("application/schema+json", "schema"), ("application/sql", "sql"), ("application/toml", "toml"),
        ("application/vnd.android.package-archive", "apk"), ("application/vnd.apple.installer+xml", "mpkg"),
        ("application/vnd.apple.mpegurl", "m3u8"), ("application/vnd.comicbook+zip", "cbz"),
        ("application/vnd.debian.binary-package", "deb"), ("application/vnd.google-earth.kml+xml", "kml"),
        ("application/vnd.google-earth.kmz", "kmz"), ("application/vnd.ms-excel", "xls xlt"),
        ("application/vnd.ms-excel.sheet.macroEnabled.12", "xlsm"), ("application/vnd.ms-fontobject", "eot"),
        ("application/vnd.ms-outlook", "msg"), ("application/vnd.ms-powerpoint", "ppt pps pot"),
        ("application/vnd.ms-powerpoint.presentation.macroEnabled.12", "pptm"),
        ("application/vnd.ms-word.document.macroEnabled.12", "docm"),
        ("application/vnd.oasis.opendocument.graphics", "odg"),
        ("application/vnd.oasis.opendocument.presentation", "odp"),
        ("application/vnd.oasis.opendocument.spreadsheet", "ods"), ("application/vnd.oasis.opendocument.text", "odt"),
        ("application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx"),
        ("application/vnd.openxmlformats-officedocument.presentationml.slideshow", "ppsx"),
        ("application/vnd.openxmlformats-officedocument.presentationml.template", "potx"),
        ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"),
        ("application/vnd.openxmlformats-officedocument.spreadsheetml.template", "xltx"),
        ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"),
        ("application/vnd.openxmlformats-officedocument.wordprocessingml.template", "dotx"),
        ("application/vnd.rar", "rar"), ("application/vnd.sqlite3", "sqlite sqlite3 db"), ("application/wasm", "wasm"),
        ("application/x-7z-compressed", "7z"), ("application/x-apple-diskimage", "dmg"),
        ("application/x-bittorrent", "torrent"), ("application/x-bzip2", "bz2"),
        ("application/x-iso9660-image", "iso"), ("application/x-ndjson", "ndjson jsonl"),
        ("application/x-plist", "plist"), ("application/x-rpm", "rpm"), ("application/x-sh", "sh"),
        ("application/x-tar", "tar"), ("application/x-xz", "xz"), ("application/xhtml+xml", "xhtml xht"),
        ("application/xml", "xml xsd"), ("application/xslt+xml", "xsl xslt"), ("application/yaml", "yaml yml"),
        ("application/zip", "zip"), ("application/zstd", "zst"), ("audio/3gpp", "3ga"), ("audio/aac", "aac"),
        ("audio/aiff", "aif aiff"), ("audio/amr", "amr"), ("audio/basic", "au snd"), ("audio/flac", "flac"),
        ("audio/midi", "mid midi"), ("audio/mp4", "m4a m4b"), ("audio/mpeg", "mp3 mp2 mpga"),
        ("audio/ogg", "ogg oga opus spx"), ("audio/wav", "wav"), ("audio/webm", "weba"),
        ("audio/x-matroska", "mka"), ("audio/x-ms-wma", "wma"), ("font/collection", "ttc"), ("font/otf", "otf"),
        ("font/ttf", "ttf"), ("font/woff", "woff"), ("font/woff2", "woff2"), ("image/apng", "apng"),
        ("image/avif", "avif"), ("image/bmp", "bmp dib"), ("image/gif", "gif"), ("image/heic", "heic"),
        ("image/heif", "heif"), ("image/jp2", "jp2"), ("image/jpeg", "jpg jpeg jpe jfif"), ("image/jxl", "jxl"),
        ("image/png", "png"), ("image/svg+xml", "svg svgz"), ("image/tiff", "tif tiff"),
        ("image/vnd.adobe.photoshop", "psd"), ("image/vnd.djvu", "djvu djv"), ("image/vnd.microsoft.icon", "ico"),
        ("image/webp", "webp"), ("image/x-adobe-dng", "dng"), ("message/rfc822", "eml mht mhtml"),
        ("model/gltf+json", "gltf"), ("model/gltf-binary", "glb"), ("model/obj", "obj"), ("model/stl", "stl"),
        ("model/vnd.usdz+zip", "usdz"), ("text/calendar", "ics"), ("text/css", "css"), ("text/csv", "csv"),
        ("text/html", "html htm"), ("text/javascript", "js mjs"), ("text/markdown", "md markdown"),
        ("text/plain", "txt text log conf ini srt"), ("text/tab-separated-values", "tsv"), ("text/vcard", "vcf"),
        ("text/vtt", "vtt"), ("text/x-c", "c h cc cpp hpp"), ("text/x-java", "java"), ("text/x-python", "py"),
        ("text/x-swift", "swift"), ("video/3gpp", "3gp"), ("video/3gpp2", "3g2"), ("video/mp2t", "m2ts mts"),
        ("video/mp4", "mp4 m4v mp4v"), ("video/mpeg", "mpeg mpg mpe"), ("video/ogg", "ogv"),
        ("video/quicktime", "mov qt"), ("video/webm", "webm"), ("video/x-flv", "flv"),
        ("video/x-matroska", "mkv"), ("video/x-ms-wmv", "wmv"), ("video/x-msvideo", "avi"),
    ]
}
