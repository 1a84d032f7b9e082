import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { SEQUENCE_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { quoteName } from '@tapeline/lake/lake.ts';
import type { ColumnBlock, TakeBlock } from '@tapeline/parquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Sums } from './amount-columns.ts';
import { makeTargets } from './asset-reader.ts';
import { readLabels } from './labels.ts';
import { readOnThreads } from './second-thread.ts';
import { readBySql, readFromFiles, TapeInputs } from './tape-inputs.ts';
import { TapeParts } from './tape-parts.ts';
import { writeTape } from './testing/tape.ts';

const STATES = ['CA', 'NY', null, 'TX'];
const ASSETS = Array.from({ length: 9000 }, (_, at) => ({
  assetId: `a${at}`,
  'address.state': STATES[(at * 7) % 4] ?? null,
  isDelinquent: at % 5 === 0 ? null : at % 3 === 0,
  monthsOnBook: at % 11 === 0 ? null : at % 60,
  dateFinanced: `2024-0${(at % 9) + 1}-15`,
  'sums.outstandingSum': at % 13 === 0 ? null : `${at * 3}.0${at % 10}`,
  'sums.outstandingSum.currency': 'USD',
}));

let folder = '';
let instance: DuckDBInstance;
let parts: TapeParts;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'input-rows-'));
  instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const files = ['a', 'b'].map((name) => path.join(folder, `${name}.parquet`));
  await writeTape(ASSETS, files);
  parts = await TapeParts.open(await instance.connect(), files);
});
afterAll(async () => {
  instance.closeSync();
  await rm(folder, { recursive: true, force: true });
});

/** The tape's order column, and one column of every kind. */
function plan(): TapeInputs {
  const inputs = new TapeInputs(parts);
  const own = (column: string) => ({ sql: () => quoteName(column), source: { column } });
  inputs.add('order', 'integer', false, own(SEQUENCE_COLUMN).sql, own(SEQUENCE_COLUMN).source);
  for (const [column, kind] of [
    ['monthsOnBook', 'double'],
    ['sums.outstandingSum', 'decimal'],
    ['dateFinanced', 'integer'],
    ['isDelinquent', 'boolean'],
    ['code:address.state', 'integer'],
  ] as const) {
    inputs.add(column, kind, true, own(column).sql, own(column).source);
  }
  const literals = ['TX', 'CA'];
  const index = () => `COALESCE(list_position(['TX', 'CA'], "address.state"), 0)`;
  inputs.add('index', 'integer', false, index, { column: 'address.state', literals });
  return inputs;
}

/** Collects the values of each asset by its position in the tape. */
function gather(inputs: TapeInputs): { take: (rows: number, block: ColumnBlock) => void; rows: string[] } {
  const rows: string[] = [];
  const take = (count: number, { values, present }: ColumnBlock): void => {
    for (let row = 0; row < count; row += 1) {
      const cells = inputs.all.map(({ index, kind }) => {
        if (present[index]![row] === 0) return null;
        const of = values[index]!;
        return kind === 'decimal' ? [of[row * 2], of[row * 2 + 1]] : of[row];
      });
      rows[values[0]![row]!] = JSON.stringify(cells);
    }
  };
  return { take, rows };
}

function fromFiles(inputs: TapeInputs, take: TakeBlock): Promise<boolean> {
  let next = 0;
  return readFromFiles(parts.files, inputs.all, take, () => next++);
}

test('what is read from the files is what SQL gives', async () => {
  const [inputs, again] = [plan(), plan()];
  const [found, expected] = [gather(inputs), gather(again)];
  expect(await fromFiles(inputs, found.take)).toBe(true);
  await readBySql(again, 3, expected.take);
  expect(found.rows).toHaveLength(ASSETS.length);
  expect(found.rows).toEqual(expected.rows);
});

describe('two threads', () => {
  /** Reads the codes of the states and counts all assets, alone or with the helping thread. */
  async function readOn(inputs: TapeInputs, minSharedRows: number) {
    const indexOf = (column: string) => inputs.all.findIndex(({ source }) => source?.column === column);
    const outstanding = { index: indexOf('sums.outstandingSum'), kind: 'decimal' } as const;
    const plan = {
      files: parts.files,
      inputs: inputs.all,
      sequence: 0,
      answers: { steps: [], bits: [] },
      measured: [{ input: outstanding, currencyInput: null, digits: 4, factors: [] }],
      groups: [indexOf('code:address.state')],
      pools: {
        scopes: [null],
        eligibility: [],
        performance: [],
        cases: [{ scope: null, answer: null }],
        outstanding: 0,
        lacking: { word: 0, shift: 0 },
      },
    };
    const targets = makeTargets(plan, 1, parts.length);
    const read = await readOnThreads(plan, targets, parts.length, minSharedRows);
    return (
      read && {
        rows: read.reduce((sum, { rows }) => sum + rows, 0),
        cells: Sums.merge(read.map(({ counts }) => counts.cells)),
        codes: targets.codes[0]!,
      }
    );
  }

  test('read what one reads', async () => {
    const alone = await readOn(plan(), Number.POSITIVE_INFINITY);
    expect(alone?.rows).toBe(ASSETS.length);
    expect(alone?.cells.count).toEqual(Int32Array.of(0, ASSETS.length, 0, 0));
    expect(new Set(alone?.codes)).toEqual(new Set([0, 1, 2, 3]));
    // The thread starts with the first of them, so it takes part in the later ones.
    for (let time = 0; time < 20; time += 1) expect(await readOn(plan(), 1)).toEqual(alone);
  });

  test('fail as one does, and read again afterwards', async () => {
    const inputs = plan();
    inputs.add('whole', 'double', false, () => '"monthsOnBook"', { column: 'monthsOnBook' });
    await expect(readOn(inputs, 1)).rejects.toThrow(/lacks values/);
    expect((await readOn(plan(), 1))?.rows).toBe(ASSETS.length);
  });

  test('name groups as SQL does, whichever of them reads', async () => {
    const positions = [0, 2, 8999, 4321];
    const [state, months] = [
      { path: 'address.state', label: 'State', type: 'text' },
      { path: 'monthsOnBook', label: 'Months on book', type: 'number' },
    ] as const;
    const expected = new Map(positions.map((at) => [at, ASSETS[at]!['address.state']]));
    expect(expected.get(2)).toBeNull();
    for (const minSharedRows of [1, Number.POSITIVE_INFINITY]) {
      expect(await readLabels(parts, state, positions, minSharedRows)).toEqual(expected);
      expect(await readLabels(parts, months, positions, minSharedRows)).toEqual(await parts.labels(months, positions));
    }
    expect(await parts.labels(state, positions)).toEqual(expected);
  });

  test('leave what SQL must compute', async () => {
    const inputs = plan();
    inputs.add('pattern', 'boolean', true, () => `"address.state" LIKE 'C%'`);
    expect(await readOn(inputs, 1)).toBeNull();
  });
});

test('an input that SQL makes is not read from the files', async () => {
  const inputs = plan();
  inputs.add('pattern', 'boolean', true, () => `"address.state" LIKE 'C%'`);
  const found = gather(inputs);
  expect(await fromFiles(inputs, found.take)).toBe(false);
  await readBySql(inputs, 3, found.take);
  expect(found.rows).toHaveLength(ASSETS.length);
});

test('a column that is said to be whole and is not is refused', async () => {
  const inputs = plan();
  inputs.add('whole', 'double', false, () => '"monthsOnBook"', { column: 'monthsOnBook' });
  await expect(fromFiles(inputs, gather(inputs).take)).rejects.toThrow(/lacks values/);
  await expect(readBySql(inputs, 1, gather(inputs).take)).rejects.toThrow(/lacks values/);
});
