import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Contender, say } from '../measuring/rounds.ts';
import { DATA_FOLDER } from '../tape-data/workbook.ts';

/**
 * fastexcel reads with calamine, the fastest maintained .xlsx reader in any language; XlsxWriter is the most common
 * writer. ReportLab is the most common writer of PDF files, with its own extension in C.
 */
const PACKAGES = ['fastexcel==0.21.0', 'polars==2.1.0', 'xlsxwriter==3.3.1', 'reportlab==5.1.0', 'rl_accel==0.9.1'];

const run = promisify(execFile);

/**
 * A Python with the peers' packages from PyPI, in a temporary environment in the cache.
 * @returns its interpreter; null, with a message that says why, if Python or the registry is unavailable
 */
export async function pythonPeers(): Promise<string | null> {
  if (process.env.BENCH_PEERS === 'off') return null;
  const folder = join(DATA_FOLDER, 'python-peers');
  const python = join(folder, 'bin', 'python');
  const ready = async (): Promise<boolean> =>
    existsSync(python) &&
    (await run(python, ['-c', 'import fastexcel, polars, reportlab, xlsxwriter']).then(
      () => true,
      () => false,
    ));
  if (await ready()) return python;
  try {
    await run('python3', ['-m', 'venv', '--clear', folder]);
    await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PACKAGES]);
    if (await ready()) return python;
    throw new Error('the packages do not load');
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    say(`skipped: the comparison with Python needs python3 and PyPI (${reason})`);
    return null;
  }
}

/** A script of this folder as a contender. */
export const pythonScript = (name: string, python: string, file: string, ...args: string[]): Contender => ({
  name,
  command: python,
  args: [fileURLToPath(new URL(file, import.meta.url)), ...args],
});
