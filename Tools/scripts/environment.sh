# Sourced by the other scripts: where the repository and Swift are, and how peers and tests end together.

cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if ! command -v swift >/dev/null; then
    PATH=$PATH:/opt/swift/usr/bin
fi

# What runs now, in a process group of its own, so that a signal reaches all of it.
running=

# supervised COMMAND…: runs it; it gets an interrupt when this script ends, the signal on which SwiftPM ends its tests.
supervised() {
    set -m
    setpriv --pdeathsig INT -- "$@" &
    running=$!
    set +m
    local status=0
    wait "$running" || status=$?
    running=
    return "$status"
}

# with_peers NAME PEERS COMMAND…: runs it while PEERS (comma-separated, or all) answer, with its own temporary
# directory, which is removed afterwards.
with_peers() {
    peers_dir=$PWD/.build/peers/$1
    trap leave EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    Tests/Peers/peers start "$peers_dir" ${2:+--only "$2"} >/dev/null
    # Downloads without a destination stay in the temporary directory, and so do the files of killed tests. Its path is
    # short, because tests create sockets there.
    temporary=$(mktemp -d /tmp/airframe.XXXXXX)
    # Kerberos is configured by the environment alone.
    TMPDIR=$temporary KRB5_CONFIG=$peers_dir/kerberos/krb5.conf KRB5_CLIENT_KTNAME=$peers_dir/kerberos/client.keytab \
        KRB5CCNAME=MEMORY: AIRFRAME_PEERS=$peers_dir/peers.json supervised "${@:3}"
}

leave() {
    if [[ -n $running ]]; then
        kill -INT -- "-$running" 2>/dev/null || true
        wait "$running" || true
    fi
    Tests/Peers/peers stop "$peers_dir"
    rm -rf "${temporary:-}"
}

require_swift() {
    command -v swift >/dev/null || { echo "Swift 6.3 is needed, on the PATH or in /opt/swift/usr/bin" >&2; exit 1; }
}

build_hangar() {
    echo "Building Hangar, the test server"
    swift build --quiet -c release --package-path Tests/Hangar
}

# swift_sources: fills the array `sources` with the Swift files of the repository that are there, new ones too.
swift_sources() {
    local file
    sources=()
    while IFS= read -r file; do
        [[ ! -e $file ]] || sources+=("$file")
    done < <(git ls-files --cached --others --exclude-standard '*.swift')
}

# prose_files: the files whose prose people write: Markdown and Swift, without what tools write.
prose_files() {
    git ls-files --cached --others --exclude-standard '*.md' '*.swift' |
        grep -vE '^(Docs/Compatibility\.md|Tests/CompatibilityTests/Uses/)'
}
