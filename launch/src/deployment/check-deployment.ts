import { fileURLToPath } from 'node:url';
import { CHART_FOLDER, EXAMPLES, exampleFile } from '../chart/chart.ts';
import { findOnPath, runToEnd } from '../finding/first-found.ts';
import type { Variables } from '../processes/variables.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** The oldest that Chart.yaml accepts. */
const OLDEST_KUBERNETES = '1.30.0';
const ANSWERED_WITHIN_MS = 60_000;
/** The image downloads its packages and builds the web app. */
const BUILT_WITHIN_MS = 60 * 60_000;

interface Check {
  readonly name: string;
  readonly program: 'helm' | 'docker';
  /** Succeeds where the program can do it: without a server, Docker builds nothing. */
  readonly probe: readonly string[];
  readonly args: readonly string[];
  readonly timeoutMs: number;
}

const CHECKS: readonly Check[] = [
  ...EXAMPLES.flatMap((example) =>
    [
      { verb: 'lint', args: ['lint', '--strict', CHART_FOLDER] },
      // Without a cluster, a Helm that was built from its source takes an old Kubernetes for granted.
      { verb: 'template', args: ['template', 'tapeline', CHART_FOLDER, '--kube-version', OLDEST_KUBERNETES] },
    ].map(({ verb, args }) => ({
      name: `helm ${verb} with the values ${example}`,
      program: 'helm' as const,
      probe: ['version'],
      args: [...args, '--values', exampleFile(example)],
      timeoutMs: ANSWERED_WITHIN_MS,
    })),
  ),
  {
    name: 'docker compose config',
    program: 'docker',
    probe: ['compose', 'version'],
    args: ['compose', 'config', '--quiet'],
    timeoutMs: ANSWERED_WITHIN_MS,
  },
  ...['migrate', 'worker', 'web'].map((target) => ({
    name: `docker build of ${target}`,
    program: 'docker' as const,
    probe: ['info'],
    args: ['build', '--target', target, '--tag', `tapeline-check-${target}`, '.'],
    timeoutMs: BUILT_WITHIN_MS,
  })),
];

export interface CheckResult {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
}

/** Runs each check whose program is on PATH and can do it, and says of the others why they are skipped. */
export async function checkDeployment(environment: Variables, say: (line: string) => void): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const { name, program, probe, args, timeoutMs } of CHECKS) {
    const tell = (outcome: CheckResult['outcome'], detail = '') => {
      say(`${outcome}: ${name}${detail}`);
      results.push({ name, outcome });
    };
    const path = findOnPath([program], environment.PATH);
    if (path === null) {
      tell('skipped', ` (${program} is not on PATH)`);
      continue;
    }
    const options = { environment, folder: ROOT };
    const probed = await runToEnd(path, probe, { ...options, timeoutMs: ANSWERED_WITHIN_MS });
    if (!probed.ok) {
      tell('skipped', ` (${program} ${probe.join(' ')}: ${probed.lastLine})`);
      continue;
    }
    const run = await runToEnd(path, args, { ...options, timeoutMs });
    tell(run.ok ? 'passed' : 'failed', run.ok ? '' : `\n${run.output}`);
  }
  return results;
}
