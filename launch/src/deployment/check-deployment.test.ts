import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkDeployment } from './check-deployment.ts';

/** The outcomes and lines with these programs on PATH: shell scripts by their names. */
async function checkWith(programs: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'tapeline-programs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const lines: string[] = [];
  const results = await checkDeployment({ PATH: folder }, (line) => lines.push(line));
  return { outcomes: results.map(({ outcome, name }) => `${outcome} ${name}`), said: lines.join('\n') };
}

test('without Helm and Docker, every check says that it is skipped, and why', async () => {
  const { outcomes, said } = await checkWith({});
  expect(outcomes).toHaveLength(8);
  expect([...new Set(outcomes.map((outcome) => outcome.startsWith('skipped ')))]).toEqual([true]);
  expect(said).toContain('skipped: helm lint with the values full (helm is not on PATH)');
  expect(said).toContain('skipped: docker build of web (docker is not on PATH)');
});

test('what Helm refuses fails, and what Docker cannot do here is skipped', async () => {
  const { outcomes, said } = await checkWith({
    helm: 'if [ "$1" = lint ]; then echo "values are wrong" >&2; exit 1; fi',
    docker: 'if [ "$1" = info ]; then echo "no server answers" >&2; exit 1; fi',
  });
  expect(outcomes).toEqual([
    'failed helm lint with the values least',
    'passed helm template with the values least',
    'failed helm lint with the values full',
    'passed helm template with the values full',
    'passed docker compose config',
    'skipped docker build of migrate',
    'skipped docker build of worker',
    'skipped docker build of web',
  ]);
  expect(said).toContain('values are wrong');
  expect(said).toContain('(docker info: no server answers)');
});
