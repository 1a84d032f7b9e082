// Compiles row-scanner.ts to the module that the reader of sheets loads: `pnpm --filter @tapeline/workers scanner`.
// The compiler (100 MB with its back end) is fetched for the occasion; the compiled module is part of the source tree.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const COMPILER = 'assemblyscript@0.28.20';
/** Custom section that says which source a module was made from; a test compares it. */
const DIGEST_SECTION = 'source-sha256';

const source = new URL('row-scanner.ts', import.meta.url);
const target = new URL('../src/sheets/row-scanner.wasm', import.meta.url);
const options = ['-O3', '--noAssert', '--runtime', 'stub', '--importMemory', '--outFile', fileURLToPath(target)];
execFileSync('npx', ['--yes', `--package=${COMPILER}`, 'asc', fileURLToPath(source), ...options], { stdio: 'inherit' });

const name = Buffer.from(DIGEST_SECTION);
const digest = createHash('sha256').update(readFileSync(source)).digest();
const content = Buffer.concat([Buffer.from([name.length]), name, digest]);
writeFileSync(target, Buffer.concat([readFileSync(target), Buffer.from([0, content.length]), content]));
