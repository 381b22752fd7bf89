#!/bin/sh
# Compiles the games' kernels for the workers, in a stage of the services' image: /src has the sources,
# and build/compiled in it is the result. It needs a compiler, which a Python image rarely has.
set -eu
compiled=/src/build/compiled
mkdir -p "$compiled"
include=$(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))')
if ! command -v gcc >/dev/null || [ ! -f "$include/Python.h" ]; then
    apt-get update
    headers=''
    [ -f "$include/Python.h" ] || headers=python3-dev
    apt-get install --yes --no-install-recommends gcc libc6-dev $headers
fi
[ ! -f /tmp/host-ca.crt ] || export PIP_CERT=/tmp/host-ca.crt
python3 -m venv /opt/kernels
/opt/kernels/bin/pip install --disable-pip-version-check --no-cache-dir \
    --require-hashes --no-deps --only-binary :all: -r /tmp/kernels.txt
PYTHONPATH=/src /opt/kernels/bin/python -m tools.compile
rm -rf "$compiled/build"
/opt/kernels/bin/python -m compileall -q "$compiled"
