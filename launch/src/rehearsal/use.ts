import { Caller } from '../client/caller.ts';
import { untilReady } from './install.ts';
import { ADMIN, type Machine } from './machine.ts';
import { ensure, type Steps } from './steps.ts';
import { checkTape, createPortfolio, type Expected, type Portfolio, uploadTape } from './tapes.ts';

const ROWS = 20_000;

/** What a rehearsal has published so far. */
export interface Used extends Portfolio {
  published: Expected[];
}

export const signIn = ({ url, mailFolder }: Machine, email = ADMIN): Promise<Caller> =>
  Caller.signedIn({ url, mailFolder }, email);

/** Uses the new installation over the proxy, as its first administrator. */
export async function useIt(machine: Machine, { step, attempt }: Steps): Promise<Used> {
  const admin = await step('sign in with a code that is mailed, and accept the terms', async () => {
    const caller = await signIn(machine);
    for (const path of ['/auth/privacyAndTerms', '/auth/confirmUserDetails']) {
      const { status, text } = await caller.json('PUT', path, {});
      ensure(status === 200, `${path}: ${status} ${text}`);
    }
    return caller;
  });
  await attempt('no page, menu entry or message of development', () => expectProduction(admin));
  const portfolio = await step('create a manager, a company and a mapping', () => createPortfolio(admin));
  const tape = await step(`upload a tape of ${ROWS} rows; its count and sum are exact`, async () => {
    const expected = await uploadTape(portfolio, '2026-01-31', ROWS);
    await checkTape(portfolio, expected);
    return expected;
  });
  await step('one web process is stopped: the session goes on, and people sign in, with the other', async () => {
    await machine.systemd.stopOne('web-1');
    const again = await signIn(machine);
    for (const caller of [admin, again]) {
      const answer = await caller.call('GET', '/auth/me');
      ensure(answer.status === 200 && answer.text.includes(ADMIN), `${answer.status} ${answer.text}`);
    }
    await checkTape({ ...portfolio, admin: again }, tape);
    await machine.systemd.startOne('web-1');
    await untilReady(machine);
  });
  return { ...portfolio, published: [tape] };
}

async function expectProduction(admin: Caller): Promise<void> {
  for (const path of ['/mailbox', '/design', '/mailbox.data', '/design.data', '/@vite/client']) {
    const answer = await admin.call('GET', path);
    ensure(answer.status === 404, `${path} answers ${answer.status}`);
  }
  for (const path of ['/admin/users', '/admin/managers', '/login']) {
    const { text, status } = await admin.call('GET', path);
    ensure(status < 400, `${path} answers ${status}`);
    const found = /mailbox|href="\/design|demonstration|development/i.exec(text);
    ensure(found === null, `${path} contains "${found?.[0]}"`);
  }
}
