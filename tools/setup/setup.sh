#!/bin/bash
# Installs the Debian packages of packages.txt that are missing. Idempotent; as root, or with sudo.
#   setup.sh           install what is missing
#   setup.sh --check   exit 1 and name what is missing, install nothing
set -euo pipefail
export LC_ALL=C

list="$(dirname "$0")/packages.txt"
mapfile -t wanted < <(sed -e 's/#.*//' -e 's/[[:space:]]*$//' "$list" | grep -v '^$')

# One query for all: asking one by one takes seconds. Packages of a foreign architecture do not count.
mapfile -t missing < <(comm -23 \
  <(printf '%s\n' "${wanted[@]}" | sort -u) \
  <(dpkg-query -W -f='${Architecture} ${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null |
    awk -v native="$(dpkg --print-architecture)" '$2 == "installed" && ($1 == native || $1 == "all") { print $3 }' |
    sort -u))

if [ ${#missing[@]} -eq 0 ]; then
  echo "setup: all ${#wanted[@]} packages are installed"
  exit 0
fi
echo "setup: missing: ${missing[*]}"
if [ "${1:-}" = --check ]; then
  exit 1
fi

if ! command -v apt-get >/dev/null; then
  echo "setup: no apt-get here. Setup knows Debian; elsewhere install the equivalents of ${list}." >&2
  exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "setup: installing needs root, and there is no sudo. Run as root: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "setup: installing ${#missing[@]} packages"
install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o Dpkg::Use-Pty=0 -o Acquire::Retries=3)
"${install[@]}" -q update
"${install[@]}" -q install -y --no-install-recommends "${missing[@]}"
echo "setup: done"
