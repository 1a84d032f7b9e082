/** The bank and the last characters of the account: enough to recognize it beside the details. */
export function payTo(facts: readonly { label: string; value: string }[]): string {
  const find = (pattern: RegExp) => facts.find(({ label }) => pattern.test(label))?.value;
  const account = find(/IBAN|account number/i);
  return [find(/^bank/i), account ? `account ending ${account.slice(-4)}` : null].filter(Boolean).join(', ');
}
