"""Private certificate authorities, and the server certificates that they sign."""

import ssl
import subprocess
from pathlib import Path

NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]


class CertificateAuthority:
    """A new certificate authority in its own `directory`."""

    def __init__(self, directory: Path):
        directory.mkdir(parents=True, exist_ok=True)
        self.directory = directory
        self.file = directory / "ca.pem"
        self._openssl(
            "req", "-x509", *NEW_KEY, "-keyout", "ca.key", "-out", self.file, "-days", "2",
            "-subj", f"/CN=Test CA {directory.name}")

    def context(self, *names: str, days: int = 2) -> ssl.SSLContext:
        """A TLS context for a server with these names; with a negative number of days, its
        certificate has expired.
        """
        (self.directory / "names").write_text(
            f"subjectAltName={','.join('DNS:' + name for name in names)}\n"
            "extendedKeyUsage=serverAuth\n")
        self._openssl(
            "req", *NEW_KEY, "-keyout", "host.key", "-out", "host.csr", "-subj", f"/CN={names[0]}")
        self._openssl(
            "x509", "-req", "-in", "host.csr", "-CA", self.file, "-CAkey", "ca.key",
            "-CAcreateserial", "-days", str(days), "-extfile", "names", "-out", "host.pem")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.directory / "host.pem", self.directory / "host.key")
        return context

    def _openssl(self, *arguments):
        subprocess.run(
            ["openssl", *map(str, arguments)], check=True, cwd=self.directory, capture_output=True)
