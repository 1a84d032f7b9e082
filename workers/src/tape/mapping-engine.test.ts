import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { planMapping } from '@tapeline/domain/tapes/mapping-plan.ts';
import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CompiledMapping, compileMapping } from './compile/compile.ts';
import type { Cell } from './compile/testing/held.ts';
import {
  blank,
  comparable,
  FACTS,
  mapByFacts,
  mappingOf,
  number,
  runInterpreted,
  withIds,
  words,
} from './compile/testing/mapped-rows.ts';
import { rawRows } from './compile/testing/raw-rows.ts';
import type { MappingEngine } from './mapping-engine.ts';
import { MappingEngines } from './mapping-engines.ts';

let root = '';
let engines: MappingEngines;
let instance: DuckDBInstance;
let connection: DuckDBConnection;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'engines-'));
  engines = new MappingEngines(root);
  instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
});
afterAll(async () => {
  engines.close();
  connection.closeSync();
  instance.closeSync();
  await rm(root, { recursive: true });
});

const RULES: RuleInput[] = [
  {
    originCol: 'status',
    targetCol: 'product',
    checks: ['Mandatory'],
    serializations: [{ type: 'text' }, { type: 'trim' }, { type: 'upper' }],
  },
  {
    originCol: 'balance',
    targetCol: 'outstandingSum',
    serializations: [{ type: 'SerializedSum' }],
    validations: [{ kind: 'minNumber', value: 10 }],
  },
  {
    originCol: 'balance',
    targetCol: 'share',
    serializations: [{ type: 'divide', column: 'limit' }],
  },
];

const compiledFor = (rules: readonly RuleInput[]): CompiledMapping => {
  const mapping = mappingOf(rules);
  return compileMapping(mapping, { headers: [...planMapping(mapping).headers], epoch: 1900 }, FACTS);
};

const rowArbitrary: fc.Arbitrary<Record<string, Cell>> = fc.record({
  status: fc.constantFrom(words('open'), words('Late'), words('paid')),
  balance: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.constantFrom(12.345, 0.1 + 0.2)).map(number),
  limit: fc.oneof(fc.integer({ min: 0, max: 3 }).map(number), fc.constant(blank)),
});

describe('a mapping engine', () => {
  test('maps batch after batch by one plan, whatever the batches before held', async () => {
    const compiled = compiledFor(RULES);
    await engines.use(async (engine: MappingEngine) => {
      const batches = fc.array(fc.array(rowArbitrary, { minLength: 1, maxLength: 30 }), { minLength: 2, maxLength: 5 });
      const property = fc.asyncProperty(batches, fc.constantFrom(0, 30), async (sequence, mostDistinct) => {
        for (const rows of sequence) {
          const mapped = await mapByFacts({ engine, connection }, compiled, rows, mostDistinct);
          expect(comparable(mapped)).toEqual(comparable(runInterpreted(RULES, rows)));
        }
      });
      await fc.assert(property, { numRuns: 25 });
    });
  });

  test('turns to other mappings and back, more than it keeps prepared', async () => {
    const rows = [{ a: number(7) }, { a: words('x') }];
    const mappings = Array.from({ length: 12 }, (_, step): RuleInput[] => [
      { originCol: 'a', targetCol: 'monthsOnBook', serializations: [{ type: 'add', value: step }] },
    ]);
    const all = mappings.map((rules) => ({ rules, compiled: compiledFor(rules) }));
    await engines.use(async (engine) => {
      for (const { rules, compiled } of [...all, ...all]) {
        const mapped = await mapByFacts({ engine, connection }, compiled, rows);
        expect(comparable(mapped)).toEqual(comparable(runInterpreted(rules, rows)));
      }
    });
  });

  test('is replaced by another before what its mappings leave in memory makes it slow', async () => {
    const own = new MappingEngines(root);
    const used = new Set<MappingEngine>();
    for (let step = 0; step < 115; step += 1) {
      const compiled = compiledFor([
        { originCol: 'a', targetCol: 'monthsOnBook', serializations: [{ type: 'add', value: step }] },
      ]);
      const batch = rawRows(compiled.sheet.headers, withIds([{ a: number(1) }]));
      await own.use(async (engine) => {
        used.add(engine);
        await engine.writeAssets(compiled, batch, join(root, 'part'));
      });
    }
    own.close();
    expect(used.size).toBe(2);
  });

  test('writes the same bytes of the same batch, new or long in use', async () => {
    const compiled = compiledFor(RULES);
    const batchOf = (seed: number) =>
      rawRows(compiled.sheet.headers, withIds(fc.sample(rowArbitrary, { seed, numRuns: 5_000 })));
    const digest = async (engine: MappingEngine, seed: number) => {
      const path = join(root, 'part');
      await engine.writeAssets(compiled, batchOf(seed), path);
      return createHash('sha256')
        .update(await readFile(path))
        .digest('hex');
    };
    const used = await engines.use(async (engine) => {
      for (const seed of [1, 2, 3]) await digest(engine, seed);
      return digest(engine, 4);
    });
    const others = new MappingEngines(root);
    const fresh = await others.use((engine) => digest(engine, 4));
    others.close();
    expect(fresh).toBe(used);
  });

  test('is not used again after a failure, and leaves nothing on disk', async () => {
    const own = join(root, 'own');
    const failing = new MappingEngines(own);
    const compiled = compiledFor(RULES);
    const rows = [{ status: words('open'), balance: number(20), limit: number(2) }];
    const batch = rawRows(compiled.sheet.headers, withIds(rows));
    let failed: MappingEngine | undefined;
    const work = failing.use(async (engine) => {
      failed = engine;
      await engine.writeAssets(compiled, batch, join(own, 'no such folder', 'part'));
    });
    await expect(work).rejects.toThrow(/ENOENT/);
    await failing.use(async (engine) => {
      expect(engine).not.toBe(failed);
      const mapped = await mapByFacts({ engine, connection }, compiled, rows);
      expect(comparable(mapped)).toEqual(comparable(runInterpreted(RULES, rows)));
    });
    failing.close();
    expect(await readdir(own)).toEqual([]);
  });

  test('says so where a row is called errored that fails no rule', async () => {
    const compiled = compiledFor(RULES);
    const rows = [{ status: words('open'), balance: number(20), limit: number(2) }];
    const batch = rawRows(compiled.sheet.headers, withIds(rows));
    await expect(engines.use((engine) => engine.writeErrored(compiled, batch, join(root, 'errored')))).rejects.toThrow(
      'Rows were found errored that fail no rule',
    );
  });

  test('reads ids of any length and any letters as they are', async () => {
    const rules: RuleInput[] = [{ originCol: 'name', targetCol: 'borrowerId', serializations: [{ type: 'text' }] }];
    const compiled = compiledFor(rules);
    const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { minLength: 1, maxLength: 40 });
    await engines.use(async (engine) => {
      const property = fc.asyncProperty(texts, async (names) => {
        const rows = names.map((name) => ({ name: words(name) }));
        const mapped = await mapByFacts({ engine, connection }, compiled, rows, 0);
        expect(comparable(mapped)).toEqual(comparable(runInterpreted(rules, rows)));
      });
      await fc.assert(property, { numRuns: 25 });
    });
  });
});
