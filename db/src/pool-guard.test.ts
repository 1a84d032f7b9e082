import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const GUARD = fileURLToPath(new URL('pool-guard.ts', import.meta.url));

/** Runs a process that asks ten times whether its connections are lost, and then ends by itself. */
function run(isLost: string): Promise<{ code: number; errors: string }> {
  const program = `
    const { endWhenLost } = await import(${JSON.stringify(GUARD)});
    let asked = 0;
    const ends = setInterval(() => {}, 1000);
    endWhenLost({ isLost: () => { asked += 1; if (asked === 10) clearInterval(ends); return ${isLost}; } }, { afterMs: 0, checkEveryMs: 5 });`;
  return new Promise((resolve) => {
    execFile(process.execPath, ['--input-type=module', '--eval', program], (error, _, errors) =>
      resolve({ code: error ? Number(error.code) : 0, errors }),
    );
  });
}

test('a process whose connections stay lost ends with an error, so that its unit or pod starts another', async () => {
  const { code, errors } = await run('true');
  expect(code).toBe(1);
  expect(errors).toContain('This process gets no connection of its pool, although PostgreSQL accepts new ones.');
});

test('a process goes on while its connections are not lost, as when PostgreSQL itself is down', async () => {
  expect(await run('false')).toEqual({ code: 0, errors: '' });
});
