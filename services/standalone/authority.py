"""A certificate authority of one's own, for the phones in the house.

No public authority vouches for a machine in somebody's home. So it makes its own, once, and each
phone is told of it once; what the server shows is made anew at each start, for the addresses it has
by then.
"""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from services.standalone.problem import Problem

AUTHORITY_LIFE: Final = timedelta(days=3650)
SERVER_LIFE: Final = timedelta(days=397)
"""Longer ones are refused by phones of one make."""
_SLACK: Final = timedelta(days=1)
"""Clocks in a house differ."""


@dataclass(frozen=True, slots=True)
class Certificates:
    """Files in PEM: what phones are told of, and what the server shows and proves itself with."""

    authority: Path
    chain: Path
    key: Path


def certify(directory: Path, hosts: Sequence[str]) -> Certificates:
    """A fresh server certificate for `hosts` (names and addresses) under the authority kept in
    `directory`, which is made if there is none. Raises `Problem`, naming a file that is no use.
    """
    files = Certificates(directory / "ca.crt", directory / "edge.crt", directory / "edge.key")
    authority_key_file = directory / "ca.key"
    try:
        if not (files.authority.exists() and authority_key_file.exists()):
            _make_authority(files.authority, authority_key_file)
        authority = x509.load_pem_x509_certificate(files.authority.read_bytes())
        authority_key = load_pem_private_key(authority_key_file.read_bytes(), None)
    except (OSError, ValueError) as error:
        raise Problem(
            f"the certificate authority of this house can't be used ({error}): look at"
            f" {files.authority} and {authority_key_file}; without both, a new one is made, and"
            " every phone has to be told of it again"
        ) from error
    if not isinstance(authority_key, ec.EllipticCurvePrivateKey):
        raise Problem(f"not a key of an elliptic curve: {authority_key_file}")
    key = ec.generate_private_key(ec.SECP256R1())
    certificate = (
        _builder("Oddsocks at home", SERVER_LIFE)
        .issuer_name(authority.subject)
        .public_key(key.public_key())
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName([_name(host) for host in hosts]), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key()),
            critical=False,
        )
        .sign(authority_key, hashes.SHA256())
    )
    _write_secret(files.key, key)
    files.chain.write_bytes(certificate.public_bytes(Encoding.PEM))
    return files


def own_addresses() -> tuple[str, ...]:
    """The addresses other machines may know this one by: the one that leads outside first.

    Sends nothing: a UDP socket that is connected only looks up the way.
    """
    found: list[str] = []
    for family, far in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((far, 9))
            found.append(probe.getsockname()[0])
    with suppress(OSError):
        for *_, where in socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM):
            found.append(str(where[0]).partition("%")[0])
    return tuple(dict.fromkeys(found))


def _make_authority(certificate_file: Path, key_file: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = f"Oddsocks at home on {socket.gethostname()}"[:64]
    certificate = (
        _builder(name, AUTHORITY_LIFE)
        .issuer_name(_common_name(name))
        .public_key(key.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(
            x509.KeyUsage(
                digital_signature=False,
                content_commitment=False,
                key_encipherment=False,
                data_encipherment=False,
                key_agreement=False,
                key_cert_sign=True,
                crl_sign=True,
                encipher_only=False,
                decipher_only=False,
            ),
            critical=True,
        )
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    _write_secret(key_file, key)
    certificate_file.write_bytes(certificate.public_bytes(Encoding.PEM))


def _builder(name: str, life: timedelta) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(_common_name(name))
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _SLACK)
        .not_valid_after(now + life)
    )


def _common_name(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _write_secret(file: Path, key: ec.EllipticCurvePrivateKey) -> None:
    """For its owner only, from the first byte on."""
    part = file.with_suffix(".part")
    part.unlink(missing_ok=True)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        out.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    part.replace(file)
