import { parseArgs } from 'node:util';
import { fuzzReader } from './run-fuzz.ts';

// `npm run fuzz`: reads mutated workbooks. `--seed=` and `--files=` repeat a run.
const { values } = parseArgs({ options: { seed: { type: 'string' }, files: { type: 'string' } } });
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
const files = Number(values.files ?? 10_000);
if (!Number.isInteger(seed) || !Number.isInteger(files) || files < 1) {
  throw new Error('usage: npm run fuzz -- [--seed=INTEGER] [--files=COUNT]');
}
process.stdout.write(`seed ${seed}, ${files.toLocaleString('en')} mutated workbooks\n`);
const { outcomes, failures, peakBytes } = await fuzzReader(seed, files);
for (const { index, what } of failures) {
  process.stdout.write(`file ${index}: ${what}\n`);
}
const { same, right, refused } = outcomes;
process.stdout.write(
  `${refused} refused, ${same} read as if nothing had been changed, ${right} read as changed; ${failures.length} failed; peak RSS ${peakBytes >> 20} MB\n`,
);
process.exitCode = failures.length === 0 ? 0 : 1;
