import type { RunningProduct } from './start-product.ts';

const ACCOUNTS: readonly (readonly [string, string])[] = [
  ['admin@tapeline.test', 'sees everything'],
  ['manager@tapeline.test', 'runs the fund'],
  ['analyst@tapeline.test', 'reads all, works on tapes and draws'],
  ['borrower@tapeline.test', 'the borrowing company'],
  ['investor@tapeline.test', 'an investor of the fund'],
];

/** What the reader needs once everything runs: the address, how to sign in, where mail is, where Temporal's screens are. */
export function announcement(
  product: Pick<RunningProduct, 'url' | 'temporalUiUrl' | 'demonstration' | 'home'>,
): string {
  const lines = ['', `  Tapeline runs at ${product.url}`, ''];
  if (product.demonstration) {
    lines.push(
      `  Sign in at ${product.url}/login with one of these emails; the code arrives at ${product.url}/mailbox`,
    );
    for (const [email, who] of ACCOUNTS) lines.push(`    ${email.padEnd(24)} ${who}`);
  } else {
    lines.push(`  Sign in at ${product.url}/login. The first account is made with: npm run admin:create -- EMAIL`);
  }
  lines.push('');
  if (product.temporalUiUrl !== null) lines.push(`  Workflows (Temporal): ${product.temporalUiUrl}`);
  lines.push(`  Data and logs: ${product.home.folder}`, '  Stop with Ctrl-C', '');
  return lines.join('\n');
}
