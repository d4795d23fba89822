internal import Glibc

/// Aborts the process if `condition` is false, which libFuzzer reports as a finding.
func hold(_ condition: Bool, _ message: @autoclosure () -> String) {
    guard !condition else { return }
    print(message())
    fflush(nil)
    abort()
}
