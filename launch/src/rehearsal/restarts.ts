import { childrenOf } from '../processes/usage.ts';
import { untilReady } from './install.ts';
import type { Machine } from './machine.ts';
import { ensure, type Steps } from './steps.ts';
import { checkTape, type Expected, uploadTape } from './tapes.ts';
import { until } from './until.ts';
import { signIn, type Used } from './use.ts';

const ROWS = 60_000;
const RESTARTS = 3;
const CALLERS = 8;

interface Load {
  /** How many calls were answered so far. */
  answered(): number;
  /** Ends the calls. @returns how many were answered, and how many failed or were refused meanwhile */
  stop(): Promise<{ answered: number; failed: number }>;
}

/** Reads and writes over the proxy from several callers until it is stopped, whatever they are answered. */
async function callAllTheTime(machine: Machine, { headers, companyId }: Used): Promise<Load> {
  let isStopped = false;
  const counts = { answered: 0, failed: 0 };
  const admin = await signIn(machine);
  const call = async (index: number) => {
    for (let turn = 0; !isStopped; turn += 1) {
      try {
        const name = `Restarts ${index} ${turn}`;
        const { status } =
          turn % 2 === 0
            ? await admin.call('GET', `/crud/companies?filter=${JSON.stringify({ id: companyId })}`, { headers })
            : await admin.json(
                'POST',
                '/crud/entities',
                { name, formalId: name, nationality: { country: 'US' } },
                { headers },
              );
        counts[status < 400 ? 'answered' : 'failed'] += 1;
      } catch {
        counts.failed += 1;
      }
    }
  };
  const callers = Array.from({ length: CALLERS }, (_, index) => call(index));
  return {
    answered: () => counts.answered,
    async stop() {
      isStopped = true;
      await Promise.all(callers);
      return counts;
    },
  };
}

/** The processes of web and workers. */
async function processesOf({ systemd }: Machine): Promise<string> {
  const [web, second, worker] = await Promise.all(['web-1', 'web-2', 'worker'].map((name) => systemd.pidOf(name)));
  return JSON.stringify([web, second, worker, childrenOf(worker ?? 0).sort()]);
}

/** @throws while callers wait for a connection, or a slot of the pool is in use although nobody calls */
async function expectFreeSlots(url: string): Promise<void> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const metric = (name: string) => Number(new RegExp(`^${name}[^\\n]* (\\S+)$`, 'm').exec(metrics)?.[1]);
  const [used, waiting] = [
    metric(String.raw`tapeline_database_connections\{[^}]*state="used"`),
    metric('tapeline_database_waiting'),
  ];
  // Background work may hold one or two for a moment.
  ensure(used <= 2 && waiting === 0, `${used} slots are used and ${waiting} callers wait`);
}

/**
 * Restarts PostgreSQL several times while people call and a tape is processed. No process restarts or loses a slot of its
 * pool, and the tape is exact.
 */
export async function restartUnderLoad(machine: Machine, steps: Steps, used: Used): Promise<Expected[]> {
  const published = [...used.published];
  await steps.attempt(
    `PostgreSQL is restarted ${RESTARTS} times under load: nothing is lost, and nothing else restarts`,
    async () => {
      await used.admin.renew();
      const before = await processesOf(machine);
      const load = await callAllTheTime(machine, used);
      const tape = await uploadTape(used, '2026-07-31', ROWS);
      for (let restart = 1; restart <= RESTARTS; restart += 1) {
        await machine.servers.postgres.down();
        for (const web of machine.webUrls) {
          ensure((await fetch(`${web}/healthz`)).status === 200, `${web} is not alive during restart ${restart}`);
        }
        await machine.servers.postgres.up();
        await untilReady(machine);
        // Calls that fail at once are many more than those that are answered, so their numbers say nothing.
        const before = load.answered();
        await until('calls are answered again', async () => load.answered() > before || null, 60_000);
      }
      const { answered, failed } = await load.stop();
      steps.note(`${answered} calls were answered, ${failed} failed during the restarts`);
      await used.admin.renew();
      await checkTape(used, tape);
      published.push(tape);
      for (const url of [machine.metricsUrls.web, machine.metricsUrls.worker]) {
        await until(
          'every slot is free again',
          async () => {
            await expectFreeSlots(url);
            return true;
          },
          60_000,
        );
      }
      const after = await processesOf(machine);
      ensure(before === after, `processes restarted: ${before} became ${after}`);
    },
  );
  return published;
}
