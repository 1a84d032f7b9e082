import type { RunningProduct } from './start-product.ts';

const ACCOUNTS: readonly (readonly [string, string])[] = [
  ['admin@tapeline.test', 'full access'],
  ['manager@tapeline.test', 'fund manager'],
  ['analyst@tapeline.test', 'reads everything, works on tapes and draws'],
  ['borrower@tapeline.test', 'the borrowing company'],
  ['investor@tapeline.test', 'an investor of the fund'],
];

/**
 * The message printed when everything is running: the URL, how to sign in, where mail goes, and the URL of Temporal's
 * UI.
 */
export function announcement(
  product: Pick<RunningProduct, 'url' | 'temporalUiUrl' | 'demonstration' | 'home'>,
): string {
  const lines = ['', `  Tapeline runs at ${product.url}`, ''];
  if (product.demonstration) {
    lines.push(
      `  Sign in at ${product.url}/login with one of these emails. The sign-in code arrives at ${product.url}/mailbox`,
    );
    for (const [email, who] of ACCOUNTS) lines.push(`    ${email.padEnd(24)} ${who}`);
  } else {
    lines.push(`  Sign in at ${product.url}/login. Create the first account with: npm run admin:create -- EMAIL`);
  }
  lines.push('');
  if (product.temporalUiUrl !== null) lines.push(`  Workflows (Temporal): ${product.temporalUiUrl}`);
  lines.push(`  Data and logs: ${product.home.folder}`, '  Stop with Ctrl-C', '');
  return lines.join('\n');
}
