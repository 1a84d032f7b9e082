// Compiles the modules of this folder to where the reader of sheets loads them: `pnpm --filter @tapeline/sheets scanner`.
// The compiler (100 MB with its back end) is fetched for the occasion; the compiled modules are part of the source tree.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const COMPILER = 'assemblyscript@0.28.20';
/** Custom section that says which source a module was made from; a test compares it. */
const DIGEST_SECTION = 'source-sha256';

for (const [module, ...features] of [['row-scanner'], ['batch-packer', '--enable', 'simd']]) {
  const source = new URL(`${module}.ts`, import.meta.url);
  const target = new URL(`../src/${module}.wasm`, import.meta.url);
  const options = ['-O3', '--noAssert', '--runtime', 'stub', '--importMemory', '--outFile', fileURLToPath(target)];
  const asked = ['--yes', `--package=${COMPILER}`, 'asc', fileURLToPath(source), ...options, ...features];
  execFileSync('npx', asked, { stdio: 'inherit' });

  const name = Buffer.from(DIGEST_SECTION);
  const digest = createHash('sha256').update(readFileSync(source)).digest();
  const content = Buffer.concat([Buffer.from([name.length]), name, digest]);
  writeFileSync(target, Buffer.concat([readFileSync(target), Buffer.from([0, content.length]), content]));
}
