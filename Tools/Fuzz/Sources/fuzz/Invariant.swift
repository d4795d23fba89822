internal import Glibc

/// Ends the process when `condition` is false, which libFuzzer takes for a finding.
func hold(_ condition: Bool, _ message: @autoclosure () -> String) {
    guard !condition else { return }
    print(message())
    fflush(nil)
    abort()
}
