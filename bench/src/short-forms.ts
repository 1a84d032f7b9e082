/** What the short form of a bench uses of what the tests have started: a database and Temporal, or a whole product. */
type Uses = 'nothing' | 'services' | 'product';

/**
 * How `npm test` runs each bench: with little data and once, so that its answers are checked and its times are not. A
 * bench that is not listed fails a test.
 */
export const SHORT_FORMS: Readonly<Record<string, { readonly uses: Uses; readonly args: readonly string[] }>> = {
  'borrowing-base': { uses: 'nothing', args: ['--rows=20000', '--rounds=1'] },
  check: { uses: 'nothing', args: ['--rows=2000', '--rounds=1'] },
  duplicates: { uses: 'nothing', args: ['--rows=5000', '--planted=200', '--rounds=1'] },
  growth: { uses: 'nothing', args: ['--rows=2000', '--rounds=1'] },
  json: { uses: 'nothing', args: ['--rounds=1', '--times=1'] },
  matching: { uses: 'nothing', args: ['--ledgers=1', '--investors=100', '--lines=1600'] },
  notices: { uses: 'nothing', args: ['--investors=3', '--rounds=1'] },
  preview: { uses: 'nothing', args: ['--rows=2000', '--rounds=1'] },
  'roll-forward': { uses: 'nothing', args: ['--rows=5000', '--rounds=1'] },
  // A unit test measures all tapes.
  suggest: { uses: 'nothing', args: ['--seeds=1', '--every=8'] },
  tape: { uses: 'nothing', args: ['--rows=2000', '--rounds=1'] },
  transform: { uses: 'nothing', args: ['--rows=2000', '--rounds=1'] },
  xlsx: { uses: 'nothing', args: ['--rows=2000', '--rounds=1'] },
  // A smaller file is not spread over workers.
  cluster: { uses: 'services', args: ['--rows=8000', '--workers=1', '--rounds=1'] },
  search: { uses: 'services', args: ['--documents=2000', '--rows=2000', '--rounds=1'] },
  tapes: { uses: 'services', args: ['--tapes=4', '--rows=200', '--workers=1', '--alone=2'] },
  tenants: { uses: 'services', args: ['--tenants=2', '--facilities=3', '--rounds=1'] },
  'call-review': { uses: 'product', args: ['--investors=30', '--letters=10', '--rounds=1'] },
  export: { uses: 'product', args: ['--rows=2000', '--rounds=1', '--idle-ms=50'] },
  'first-rows': { uses: 'product', args: ['--rows=2000', '--rounds=1', '--queries=3'] },
  grid: { uses: 'product', args: ['--rows=2000', '--rounds=1', '--queries=5'] },
  // Its limits are those of weight, which are the same on every machine.
  pages: { uses: 'product', args: ['--rounds=1', '--busy=0'] },
  rest: {
    uses: 'product',
    args: ['--documents=20', '--rounds=1', '--slice-ms=50', '--warming-calls=10', '--connections=2'],
  },
  trial: { uses: 'product', args: ['--rows=2000', '--rounds=1', '--warm-ups=0'] },
  users: { uses: 'product', args: ['--rows=2000', '--users=2', '--rounds=1'] },
};
