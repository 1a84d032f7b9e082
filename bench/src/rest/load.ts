import { Agent, get } from 'node:http';
import { cpuMsOf } from '@tapeline/launch/processes/usage.ts';
import { postgresCpu, usedSince } from '../measuring/postgres-cpu.ts';
import { say } from '../measuring/rounds.ts';

/** A server and what it is sent with each call. */
export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The process of the server. */
  readonly pid: number;
}

/** What the process of the load takes as its one argument. */
export interface LoadPlan {
  /** Called in turn, slice after slice; every other round the other way round. */
  readonly targets: readonly Target[];
  readonly connections: number;
  /** PostgreSQL's first process: its own time and that of its children belong to whoever is called. */
  readonly postgresPid: number;
  /** Calls of each server before it is measured: until then it runs code that is not compiled yet, and the frame has more of it. */
  readonly warmingCalls: number;
  readonly sliceMs: number;
  readonly rounds: number;
}

export interface LoadFigure {
  readonly callsPerSecond: number;
  /** Processor time of the server and of PostgreSQL for one call. */
  readonly cpuMsPerCall: number;
}

/** One figure a round, in the order of the targets. */
export type LoadFigures = readonly (readonly LoadFigure[])[];

function call(agent: Agent, { url, headers }: Target): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answers ${response.statusCode}`));
      response.on('end', resolve).on('error', reject).resume();
    }).on('error', reject);
  });
}

async function warm(target: Target, { connections, warmingCalls }: LoadPlan): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let left = warmingCalls;
  const keepCalling = async () => {
    while (left-- > 0) await call(agent, target);
  };
  await Promise.all(Array.from({ length: connections }, keepCalling));
  agent.destroy();
}

/** Keeps so many calls under way for that long. */
async function load(target: Target, { connections, sliceMs: ms, postgresPid }: LoadPlan): Promise<LoadFigure> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const cpuBefore = cpuMsOf(target.pid);
  const databaseBefore = postgresCpu(postgresPid);
  const startedAt = performance.now();
  let answered = 0;
  const keepCalling = async () => {
    while (performance.now() - startedAt < ms) {
      await call(agent, target);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, keepCalling));
  const elapsedMs = performance.now() - startedAt;
  agent.destroy();
  const databaseMs = usedSince(databaseBefore, postgresCpu(postgresPid));
  const cpuMsPerCall = (cpuMsOf(target.pid) - cpuBefore + databaseMs) / answered;
  return { callsPerSecond: (answered * 1000) / elapsedMs, cpuMsPerCall };
}

const [plan] = process.argv.slice(2);
if (plan !== undefined) {
  const read = JSON.parse(plan) as LoadPlan;
  const { targets, rounds } = read;
  for (const target of targets) await warm(target, read);
  const figures = targets.map((): LoadFigure[] => []);
  for (let round = 0; round < rounds; round += 1) {
    const order = [...targets.keys()];
    if (round % 2 === 1) order.reverse();
    for (const index of order) figures[index]!.push(await load(targets[index]!, read));
  }
  say(JSON.stringify(figures satisfies LoadFigures));
}
