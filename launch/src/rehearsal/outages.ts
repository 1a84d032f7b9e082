import { setTimeout as sleep } from 'node:timers/promises';
import { Caller } from '../client/caller.ts';
import { mailsTo, newestCode } from '../client/sign-in-mail.ts';
import { childrenOf } from '../processes/usage.ts';
import { untilReady } from './install.ts';
import { ADMIN, type Machine } from './machine.ts';
import type { ServerName } from './servers.ts';
import { ensure, type Steps } from './steps.ts';
import { checkTape, untilInTheMiddle, uploadTape } from './tapes.ts';
import { until } from './until.ts';
import type { Used } from './use.ts';

const ROWS = 60_000;
const OUTAGE_MS = 10_000;

/** Lets each process and server fail in the middle of a tape, which must be complete and exact afterwards. */
export async function failServers(machine: Machine, steps: Steps, used: Used): Promise<Used['published']> {
  const { systemd, servers, url } = machine;
  const published = [...used.published];
  const [web] = machine.webUrls;

  const during = (name: string, cutOffDate: string, fail: () => Promise<void>) =>
    steps.attempt(name, async () => {
      await used.admin.renew();
      const tape = await uploadTape(used, cutOffDate, ROWS);
      const rows = await untilInTheMiddle(used, tape);
      steps.note(`${rows} of ${ROWS} rows are transformed`);
      await fail();
      await untilReady(machine);
      await checkTape(used, tape);
      published.push(tape);
    });

  /** Stops a server without warning, and starts it again. */
  const withOutage = async (name: ServerName) => {
    await servers[name].crash();
    const down = performance.now();
    await until(
      'readiness reports the outage',
      async () => ((await readiness(web)).status === 503 ? true : null),
      60_000,
    );
    const { status, text } = await readiness(web);
    steps.note(`readiness: ${status} ${text.replaceAll(/\s+/g, ' ').slice(0, 160)}`);
    ensure((await fetch(`${web}/healthz`)).status === 200, 'the web process is not alive');
    await sleep(Math.max(0, OUTAGE_MS - (performance.now() - down)));
    await servers[name].up();
  };

  await during('kill -9 of a worker process in the middle of a tape', '2026-02-28', async () => {
    const [worker] = childrenOf(await systemd.pidOf('worker'));
    ensure(worker !== undefined, 'the unit has no worker process');
    process.kill(worker, 'SIGKILL');
  });
  await during('kill -9 of a web process in the middle of a tape', '2026-03-31', async () => {
    process.kill(await systemd.pidOf('web-1'), 'SIGKILL');
    for (let call = 0; call < 4; call += 1) {
      const { status } = await fetch(`${url}/readyz`);
      ensure(status === 200, `the proxy answers ${status} although another web process runs`);
    }
  });
  await during('PostgreSQL fails in the middle of a tape', '2026-04-30', () => withOutage('postgres'));
  await during('Temporal fails in the middle of a tape', '2026-05-31', () => withOutage('temporal'));
  await during('the object storage fails in the middle of a tape', '2026-06-30', () => withOutage('storage'));
  await steps.attempt('the mail server fails: a code waits, and arrives once it is back', async () => {
    const { mailFolder } = machine;
    const caller = await Caller.anonymous({ url, mailFolder });
    const before = new Set(await mailsTo(mailFolder, ADMIN));
    await servers.mail.crash();
    const { status } = await readiness(web);
    ensure(status === 200, `readiness is ${status} without a mail server`);
    const asked = await caller.json('POST', '/auth/code', { email: ADMIN });
    ensure(asked.status === 200, `a code is refused: ${asked.status} ${asked.text}`);
    await servers.mail.up();
    await caller.signInWith(ADMIN, await until('the code', () => newestCode(mailFolder, ADMIN, before)));
    ensure((await caller.call('GET', '/auth/me')).status === 200, 'the code does not sign in');
  });
  await steps.step('all tapes are still exact', async () => {
    await used.admin.renew();
    for (const tape of published) await checkTape(used, tape);
  });
  return published;
}

async function readiness(web: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${web}/readyz`, { signal: AbortSignal.timeout(20_000) });
  return { status: answer.status, text: await answer.text() };
}
