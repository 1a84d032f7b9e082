/** What operators can do about warnings that Node or a library gives in words for programmers. */
const KNOWN: readonly (readonly [pattern: RegExp, sentence: string])[] = [
  [
    /SSL modes 'prefer', 'require', and 'verify-ca'/,
    'An address of PostgreSQL has sslmode=prefer, require or verify-ca. The certificate of the server and its name are verified, as with verify-full. Set sslmode=verify-full.',
  ],
  [
    /NODE_TLS_REJECT_UNAUTHORIZED/,
    'NODE_TLS_REJECT_UNAUTHORIZED is 0, so no certificate is verified, and others can read and change what is sent. Remove it, and put the certificates of your authority in the file of NODE_EXTRA_CA_CERTS.',
  ],
];

/** A warning of Node or a library as one line; null if it concerns only developers. */
export function warningLine({ name, message }: Pick<Error, 'name' | 'message'>): string | null {
  const known = KNOWN.find(([pattern]) => pattern.test(message));
  if (known) return `Warning: ${known[1]}`;
  if (name === 'ExperimentalWarning' || name === 'DeprecationWarning') return null;
  return `${name}: ${message.split('\n', 1)[0]}`;
}

/** Prints the warnings of Node and of libraries as one line each, in place of Node's own form. */
export function printWarnings(): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    const line = warningLine(warning);
    if (line !== null) process.stderr.write(`${line}\n`);
  });
}
