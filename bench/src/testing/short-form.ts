import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { COMPILER_FLAG } from '@tapeline/db/compilers.ts';
import { expect } from 'vitest';
import { SHORT_FORMS } from '../short-forms.ts';

/** The benches whose short form uses it, for a test each. */
export const benchesWith = (uses: string): string[] =>
  Object.keys(SHORT_FORMS).filter((name) => SHORT_FORMS[name]?.uses === uses);

/**
 * Runs the short form of a bench in a process of its own: it fails if a bench finds a wrong answer.
 * @param variables what it uses of the tests
 */
export async function runShortForm(name: string, variables: Readonly<Record<string, string>> = {}): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-data-'));
  try {
    const script = fileURLToPath(new URL(`../${name}/main.ts`, import.meta.url));
    const args = [COMPILER_FLAG, script, ...(SHORT_FORMS[name]?.args ?? [])];
    const env = { ...process.env, BENCH_FOLDER: folder, BENCH_PEERS: 'off', ...variables };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env, maxBuffer: 16 * 2 ** 20 });
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(new RegExp(`^ratio ${name} \\S+ \\(`));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
