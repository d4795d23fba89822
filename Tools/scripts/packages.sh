# Sourced by setup and setup-peers: installs the Debian packages that are missing.

# install_packages NAME…: costs nothing when all are there.
install_packages() {
    local missing=() name
    for name in "$@"; do
        is_installed "$name" || missing+=("$name")
    done
    [[ ${#missing[@]} -gt 0 ]] || return 0
    if ! command -v apt-get >/dev/null; then
        echo "These Debian packages, or what your system calls them, are needed: ${missing[*]}" >&2
        exit 1
    fi
    echo "Installing ${missing[*]}"
    forbid_services
    local apt=(as_root env DEBIAN_FRONTEND=noninteractive apt-get --quiet=2 -o DPkg::Lock::Timeout=300)
    "${apt[@]}" update </dev/null
    "${apt[@]}" install --yes --no-install-recommends "${missing[@]}" </dev/null >/dev/null
    allow_services
}

is_installed() {
    [[ $(dpkg-query --show --showformat '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

as_root() {
    if [[ $EUID -eq 0 ]]; then "$@"; else sudo "$@"; fi
}

# Debian starts a server when it is installed, on its usual port. The tests start their own; a policy of 101 says no.
policy=/usr/sbin/policy-rc.d

forbid_services() {
    trap allow_services EXIT
    [[ ! -e $policy ]] || as_root mv "$policy" "$policy.airframe"
    printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
    as_root chmod 755 "$policy"
}

allow_services() {
    trap - EXIT
    as_root rm -f "$policy"
    [[ ! -e $policy.airframe ]] || as_root mv "$policy.airframe" "$policy"
}
