import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { COMPILER_FLAG } from '@tapeline/db/compilers.ts';
import { median, numberOption, printLoad, say } from '../measuring/rounds.ts';
import type { LoadFigures, LoadPlan, Target } from './load.ts';
import { type Database, openDatabase } from './product.ts';
import { profileDuring } from './profiler.ts';
import { stagesOf } from './stages.ts';

const rounds = numberOption('rounds', 7);
const sliceMs = numberOption('slice-ms', 1_000);
const connections = numberOption('connections', 8);

/** Documents of each collection that the manager has. Every other tenant has as many, to be told from them. */
const most = numberOption('documents', 500);
const warmingCalls = numberOption('warming-calls', 3_000);
const LISTS = ['companies', 'LPCommitments'].flatMap((name) =>
  [most / 10, most].map((documents) => ({ name, documents, path: `/crud/${name}?limit=${documents}` })),
);
/** Long lists need fewer calls until all code is compiled. */
const warmingOf = (documents: number): number => (documents < most ? warmingCalls : warmingCalls / 10);

interface BareServer {
  target(path: string): Target;
  stop(): void;
}

/** Starts the floor in a process of its own, compiled as the product is. */
async function startBare({ superuserUrl, portfolio, poolSize }: Database): Promise<BareServer> {
  const script = new URL('bare-server.ts', import.meta.url).pathname;
  const args = [COMPILER_FLAG, script, superuserUrl, portfolio.managerId, String(poolSize)];
  const child: ChildProcess = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
  const { port } = JSON.parse(line) as { port: number };
  return {
    target: (path) => ({ url: `http://127.0.0.1:${port}${path}`, headers: {}, pid: child.pid! }),
    stop: () => void child.kill(),
  };
}

/** The bodies must be the same to the byte, and hold as many documents as were asked for. */
async function compareBodies(targets: readonly Target[], documents: number): Promise<void> {
  const bodies = await Promise.all(targets.map(async ({ url, headers }) => (await fetch(url, { headers })).text()));
  for (const [index, body] of bodies.entries()) {
    if (body === bodies[0]) continue;
    const from = [...body].findIndex((character, at) => character !== bodies[0]![at]);
    const differing = [body, bodies[0]!].map((each) => each.slice(Math.max(from - 60, 0), from + 60));
    throw new Error(`${targets[index]!.url} answers otherwise than ${targets[0]!.url}: ${differing.join(' and ')}`);
  }
  const { length } = JSON.parse(bodies[0]!) as unknown[];
  if (length !== documents) throw new Error(`${length} documents came instead of ${documents}`);
}

/** The load comes from a process of its own, which has nothing else to do. */
async function runLoad(targets: readonly Target[], rounds: number, warmingCalls: number): Promise<LoadFigures> {
  const plan: LoadPlan = { targets, rounds, warmingCalls, connections, sliceMs, postgresPid: database.postgresPid };
  const script = new URL('load.ts', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [COMPILER_FLAG, script, JSON.stringify(plan)]);
  return JSON.parse(stdout) as LoadFigures;
}

/** Another web server, slowed down by being watched: what it does with the time of a call. */
async function printStages(): Promise<void> {
  const product = await database.startWeb(['--inspect=127.0.0.1:0']);
  try {
    for (const { name, documents, path } of LISTS) {
      const targets = [product.target(path)];
      await runLoad(targets, 1, warmingOf(documents));
      let calls = 0;
      const profile = await profileDuring(product.inspectorUrl!, async () => {
        const [figures] = await runLoad(targets, 2, 0);
        calls = figures!.reduce((sum, { callsPerSecond }) => sum + callsPerSecond, 0) * (sliceMs / 1000);
      });
      const stages = stagesOf(profile, calls);
      const whole = stages.reduce((sum, { microseconds }) => sum + microseconds, 0);
      say(`\nstages of ${name}, ${documents} documents: ${whole.toFixed(0)} µs of the web server's main thread a call`);
      for (const { name: stage, microseconds } of stages.filter((each) => each.microseconds >= whole / 200)) {
        const share = `${((microseconds / whole) * 100).toFixed(0)} %`;
        say(`  ${stage.padEnd(56)} ${microseconds.toFixed(0).padStart(6)} µs  ${share.padStart(5)}`);
      }
    }
  } finally {
    await product.stop();
  }
}

const database = await openDatabase(most);
try {
  const [product, bare] = [await database.startWeb(), await startBare(database)];
  printLoad();
  const ratios: number[] = [];
  try {
    for (const { name, documents, path } of LISTS) {
      const targets = [product.target(path), bare.target(path)];
      await compareBodies(targets, documents);
      const [ours, theirs] = await runLoad(targets, rounds, warmingOf(documents));
      const ratio = median(ours!.map((figure, round) => figure.callsPerSecond / theirs![round]!.callsPerSecond));
      const byCpu = median(ours!.map((figure, round) => theirs![round]!.cpuMsPerCall / figure.cpuMsPerCall));
      ratios.push(ratio);
      const figures = [ours!, theirs!].map((each) => {
        const calls = median(each.map(({ callsPerSecond }) => callsPerSecond));
        const cpuMs = median(each.map(({ cpuMsPerCall }) => cpuMsPerCall));
        return `${calls.toFixed(0).padStart(5)} calls a second, ${cpuMs.toFixed(2)} ms of CPU a call`;
      });
      say(
        `${name.padEnd(13)} ${String(documents).padStart(3)} documents: frame ${figures.join('; bare ')}; ratio ${ratio.toFixed(2)}, ${byCpu.toFixed(2)} by processor time`,
      );
    }
  } finally {
    bare.stop();
    await product.stop();
  }
  await printStages();
  say(
    `ratio rest ${Math.min(...ratios).toFixed(2)} (calls a second of an authorised list, the least of ${LISTS.length}: of a bare node:http and pg server)`,
  );
} finally {
  await database.close();
}
