/** The columns of each record by the published layout, from 1, first and last. */
const LAYOUT = {
  header: { destination: [4, 13], origin: [14, 23], createdAt: [24, 33], size: [35, 37], blocking: [38, 39] },
  batchHeader: { serviceClass: [2, 4], company: [41, 50], entryClass: [51, 53], bank: [80, 87], number: [88, 94] },
  entry: {
    code: [2, 3],
    routing: [4, 12],
    account: [13, 29],
    amount: [30, 39],
    id: [40, 54],
    name: [55, 76],
    addenda: [79, 79],
    trace: [80, 94],
  },
  addendum: { type: [2, 3], text: [4, 83], sequence: [84, 87], entry: [88, 94] },
  batchControl: {
    serviceClass: [2, 4],
    count: [5, 10],
    hash: [11, 20],
    debit: [21, 32],
    credit: [33, 44],
    company: [45, 54],
    bank: [80, 87],
    number: [88, 94],
  },
  control: { batches: [2, 7], blocks: [8, 13], count: [14, 21], hash: [22, 31], debit: [32, 43], credit: [44, 55] },
} as const;

type Kind = keyof typeof LAYOUT;

const read = <Of extends Kind>(kind: Of, record: string) =>
  Object.fromEntries(
    Object.entries(LAYOUT[kind] as Record<string, readonly [number, number]>).map(([name, [first, last]]) => [
      name,
      record.slice(first - 1, last),
    ]),
  ) as Record<keyof (typeof LAYOUT)[Of], string>;

interface Entry {
  readonly code: string;
  readonly routing: string;
  readonly account: string;
  readonly cents: bigint;
  readonly id: string;
  readonly name: string;
  readonly trace: string;
  readonly addendum: string;
}

interface NachaFile {
  readonly destination: string;
  readonly origin: string;
  readonly createdAt: string;
  readonly batches: { readonly entryClass: string; readonly entries: readonly Entry[] }[];
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`Not a NACHA file: ${what}`);
}

/** The check digit of a routing number: from the first eight digits, ten minus the last digit of their weighted sum. */
const checkDigit = (eight: string): number =>
  (10 - ([...eight].reduce((sum, digit, index) => sum + Number(digit) * Number('37137137'[index]), 0) % 10)) % 10;

const hashOf = (entries: readonly Entry[]): bigint =>
  entries.reduce((sum, { routing }) => sum + BigInt(routing.slice(0, 8)), 0n) % 10_000_000_000n;
const totalOf = (entries: readonly Entry[]): bigint => entries.reduce((sum, { cents }) => sum + cents, 0n);

function readEntry(records: string[]): Entry {
  const entry = read('entry', records.shift() ?? '');
  must(Number(entry.routing[8]) === checkDigit(entry.routing.slice(0, 8)), 'the check digit of a routing number');
  must(entry.addenda === '1' && records[0]?.[0] === '7', 'an addendum');
  const addendum = read('addendum', records.shift() ?? '');
  must(addendum.type === '05' && addendum.sequence === '0001', 'the type or sequence of an addendum');
  must(addendum.entry === entry.trace.slice(8), 'the entry of an addendum');
  return {
    code: entry.code,
    routing: entry.routing,
    account: entry.account.trimEnd(),
    cents: BigInt(entry.amount),
    id: entry.id.trimEnd(),
    name: entry.name.trimEnd(),
    trace: entry.trace,
    addendum: addendum.text.trimEnd(),
  };
}

function readBatch(records: string[], place: number): NachaFile['batches'][number] {
  const header = read('batchHeader', records.shift() ?? '');
  const entries: Entry[] = [];
  while (records[0]?.[0] === '6') entries.push(readEntry(records));
  must(records[0]?.[0] === '8', 'the control of a batch');
  const control = read('batchControl', records.shift() ?? '');
  must(header.serviceClass === '220' && control.serviceClass === '220', 'the service class');
  must(header.number === control.number && Number(header.number) === place, 'the number of a batch');
  must(header.bank === control.bank && header.company === control.company, 'the bank or company of a batch');
  must(Number(control.count) === entries.length * 2, 'the count of a batch');
  must(BigInt(control.hash) === hashOf(entries), 'the hash of a batch');
  must(BigInt(control.debit) === 0n && BigInt(control.credit) === totalOf(entries), 'the total of a batch');
  return { entryClass: header.entryClass, entries };
}

/** Reads a file by the layout of the operating rules, and checks every count, hash and total in it. */
export function readNacha(text: string): NachaFile {
  const records = text.split('\n').filter((line) => line !== '');
  must(records.length % 10 === 0, 'blocks of ten');
  must(!records.some((record) => !/^[\x20-\x7e]{94}$/.test(record)), 'records of 94 characters');
  const blocks = records.length / 10;
  while (records.at(-1) === '9'.repeat(94)) records.pop();
  const first = records.shift() ?? '';
  const header = read('header', first);
  must(first.startsWith('101') && header.size === '094' && header.blocking === '10', 'the header');
  const batches: NachaFile['batches'] = [];
  while (records[0]?.[0] === '5') batches.push(readBatch(records, batches.length + 1));
  must(records.length === 1 && records[0]?.[0] === '9', 'one control of the file');
  const control = read('control', records[0]!);
  const entries = batches.flatMap((batch) => batch.entries);
  must(Number(control.batches) === batches.length && Number(control.blocks) === blocks, 'the batches or blocks');
  must(Number(control.count) === entries.length * 2 && BigInt(control.hash) === hashOf(entries), 'the count or hash');
  must(BigInt(control.debit) === 0n && BigInt(control.credit) === totalOf(entries), 'the total');
  must(new Set(entries.map(({ trace }) => trace)).size === entries.length, 'trace numbers of their own');
  return { destination: header.destination, origin: header.origin, createdAt: header.createdAt, batches };
}
