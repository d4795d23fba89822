import Airframe

/// The version that `airframe --version` writes.
enum AirframeVersion {
    static let text = AFInfo.version
}
