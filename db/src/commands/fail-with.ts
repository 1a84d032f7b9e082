/** Ends a command with the reason in one line. */
export function failWith(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
