"""The mail server of the rehearsal: SMTP over TLS with a user and a password.

It keeps each email in a file whose name is the time and the recipient. It refuses those to "refused@" any host.
"""

import os
import signal
import ssl
import sys
import time

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

port, certificate, key, password, folder = sys.argv[1:]


class Keep:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("refused@"):
            return "550 5.1.1 No such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        for recipient in envelope.rcpt_tos:
            name = os.path.join(folder, f"{time.time_ns()}-{recipient}.eml")
            with open(name + ".new", "wb") as file:
                file.write(envelope.content)
            os.rename(name + ".new", name)
        return "250 Message accepted for delivery"


def authenticate(server, session, envelope, mechanism, given):
    right = LoginPassword(b"user", password.encode())
    # Otherwise the library takes it that a refusal was already sent.
    return AuthResult(success=isinstance(given, LoginPassword) and given == right, handled=False)


tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
tls.load_cert_chain(certificate, key)
controller = Controller(
    Keep(),
    hostname="127.0.0.1",
    port=int(port),
    ssl_context=tls,
    authenticator=authenticate,
    auth_required=True,
    # The whole connection is encrypted, which the library does not take into account.
    auth_require_tls=False,
)
controller.start()
signal.sigwait({signal.SIGTERM, signal.SIGINT})
controller.stop()
