/// Facts about the library.
public enum AFInfo {
    /// The library's version.
    public static let version = "0.1.0"
}
