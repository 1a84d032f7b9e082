import { expect, test } from 'vitest';
import { warningLine } from './library-warnings.ts';

test('a warning of Node or a library is one line, and none if it concerns only developers', () => {
  const lines = [
    {
      name: 'Warning',
      message: `SECURITY WARNING: The SSL modes 'prefer', 'require', and 'verify-ca' are treated as aliases for 'verify-full'.\nIn the next`,
    },
    {
      name: 'Warning',
      message:
        "Setting the NODE_TLS_REJECT_UNAUTHORIZED environment variable to '0' makes TLS connections and HTTPS requests insecure by disabling certificate verification.",
    },
    { name: 'MaxListenersExceededWarning', message: 'Possible leak.\nUse more' },
    { name: 'DeprecationWarning', message: 'The punycode module is deprecated' },
    { name: 'ExperimentalWarning', message: 'Type stripping is experimental' },
  ].map(warningLine);
  expect(lines).toEqual([
    expect.stringMatching(/^Warning: An address of PostgreSQL has sslmode=.* Set sslmode=verify-full\.$/),
    expect.stringMatching(/^Warning: NODE_TLS_REJECT_UNAUTHORIZED is 0, .* NODE_EXTRA_CA_CERTS\.$/),
    'MaxListenersExceededWarning: Possible leak.',
    null,
    null,
  ]);
});
