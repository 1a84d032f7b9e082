/** Calls that end the session which the other calls use. */
const NOT_CALLED = ['/auth/signOut'];

const quoted = (text: string): string => JSON.stringify(text);

const HEAD = `
# The bodies of transactions and mappings are large.
# A list of 500 documents takes longer than the usual ten seconds on a busy machine.
request-timeout = 60
suppress-health-check = ["data_too_large", "filter_too_much", "too_slow", "large_base_example"]

[phases.stateful]
enabled = false

[phases.coverage]
# Other methods than those of the document are not part of it.
unexpected-methods = []
# Every way to break a body of hundreds of fields takes an hour; the fuzzing phase breaks them at random.
generation.mode = "positive"

[generation]
with-security-parameters = false
database = "none"

[checks]
enabled = false
not_a_server_error.enabled = true
status_code_conformance.enabled = true
content_type_conformance.enabled = true
response_headers_conformance.enabled = true
response_schema_conformance.enabled = true
`;

const LEFT_OUT = NOT_CALLED.map((path) => `[[operations]]\ninclude-path = ${quoted(path)}\nenabled = false\n`);

/** Settings of Schemathesis: what is checked, and which calls are left out. */
export const SETTINGS = [HEAD.trimStart(), ...LEFT_OUT].join('\n');
