"""Schemathesis hooks: sign each call in, and name documents that exist.

The folder in CONFORMANCE_FOLDER has two files. session.json holds the headers of a signed-in user, renewed while the
run lasts. documents.json holds, for each collection, ids that the user can see.
"""

import json
import os
from pathlib import Path

import schemathesis

FOLDER = Path(os.environ["CONFORMANCE_FOLDER"])
DOCUMENTS = json.loads((FOLDER / "documents.json").read_text())


@schemathesis.hook
def before_call(context, case, kwargs):
    headers = json.loads((FOLDER / "session.json").read_text())
    for name, value in headers.items():
        case.headers[name] = value


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    """Half of the calls that read or update one document name one that exists."""
    operation = context.operation
    generated = (path_parameters or {}).get("id")
    known = DOCUMENTS.get(operation.path.split("/{id}")[0], [])
    if not known or not isinstance(generated, str) or operation.method.upper() not in ("GET", "PUT"):
        return path_parameters
    place = sum(generated.encode("utf-8", "surrogatepass"))
    if place % 2 == 0:
        return {**path_parameters, "id": known[place // 2 % len(known)]}
    return path_parameters
