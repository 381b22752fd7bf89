#!/usr/bin/env bash
# Writes the lock files again from the .in files: exact versions with hashes, for every platform and
# Python from 3.11. Versions that still fit stay; with UPGRADE=1 the newest ones are taken. No index
# is named, so that everybody's own setting holds.
set -euo pipefail
cd "$(dirname "$0")/.."

pin() { # pin FILE [CONSTRAINT...]: FILE.txt from FILE.in
    echo "==> $1.txt" >&2
    .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
        ${UPGRADE:+--upgrade} "$1.in" --output-file "$1.txt" "${@:2}"
}

pin requirements/dev
# The others are parts of it, or go beside it (bench): the same versions everywhere.
for part in requirements/run requirements/services requirements/kernels requirements/bench mobile/requirements; do
    UPGRADE='' pin "$part" --constraint requirements/dev.txt
done
