import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { COMPILER_FLAG } from '@tapeline/db/compilers.ts';

// `npm run bench -- NAME` runs bench/src/NAME/main.ts; each ends with one line `ratio NAME FIGURE (...)`.
const names = readdirSync(fileURLToPath(new URL('.', import.meta.url)), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(new URL(`${entry.name}/main.ts`, import.meta.url)))
  .map((entry) => entry.name);
const name = process.argv[2];
if (name === undefined || !names.includes(name)) {
  process.stderr.write(`Usage: npm run bench -- ${names.join(' | ')}\n`);
  process.exitCode = 1;
} else {
  const script = fileURLToPath(new URL(`${name}/main.ts`, import.meta.url));
  const { status } = spawnSync(process.execPath, [COMPILER_FLAG, script, ...process.argv.slice(3)], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
