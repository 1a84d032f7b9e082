import type { Caller } from '@tapeline/launch/client/caller.ts';
import { cpuMsOf } from '@tapeline/launch/processes/usage.ts';
import { postgresCpu, usedSince } from '../measuring/postgres-cpu.ts';
import { openProduct } from '../measuring/product.ts';
import { median, numberOption, printLoad, say } from '../measuring/rounds.ts';
import { addTenant } from '../measuring/tenant.ts';
import { enterFund, type LargeFund } from './fund.ts';

// What a person waits for the review of a capital call: each line divided by its own rule, the fee by each investor's
// terms, and every share on the page. The same call of a fund of a tenth of the investors shows what each of them adds.

const investors = numberOption('investors', 500);
const letters = numberOption('letters', 60);
const rounds = numberOption('rounds', 5);
const PART = 10;

const money = (cents: bigint): string =>
  `${(cents / 100n).toString().replace(/\B(?=(\d{3})+$)/g, ',')}.${String(cents % 100n).padStart(2, '0')}`;

/** A call of three purposes: by commitment, by each investor's terms, and by paid-in capital. */
function formOf({ id, committed }: LargeFund): [string, string][] {
  const fields = {
    intent: 'review',
    fund: id,
    callNumber: '2',
    cutOffDate: '2027-03-01',
    dueDate: '2027-03-31',
    'callPurposes[0].title': 'Loans',
    'callPurposes[0].kind': 'investments',
    'callPurposes[0].split': 'commitment',
    'callPurposes[0].amount': String(committed / 20),
    'callPurposes[1].title': 'Fee of the year',
    'callPurposes[1].kind': 'managementFee',
    'callPurposes[1].split': 'terms',
    'callPurposes[1].from': '2026-02-01',
    'callPurposes[1].until': '2027-01-31',
    'callPurposes[2].title': 'Audit',
    'callPurposes[2].kind': 'fundExpenses',
    'callPurposes[2].split': 'paidIn',
    'callPurposes[2].amount': '123456.78',
  };
  return Object.entries(fields);
}

async function review(caller: Caller, fund: LargeFund): Promise<number> {
  const answer = await caller.form(`/capital/calls/new?fund=${fund.id}`, formOf(fund));
  if (answer.status !== 200) throw new Error(`the review was refused: ${answer.status} ${answer.text.slice(0, 500)}`);
  const total = BigInt(fund.committed) * 5n + fund.feeOfYear + 12_345_678n;
  for (const amount of [money(fund.feeOfYear), money(total)]) {
    if (!answer.text.includes(amount)) throw new Error(`the review does not show ${amount}`);
  }
  const shown = new Set(answer.text.match(/Family Office \d+/g)).size;
  if (shown !== fund.investors) throw new Error(`the review shows ${shown} of ${fund.investors} investors`);
  return answer.elapsedMs;
}

const product = await openProduct({ extent: 'database', webs: 1 });
try {
  const [web] = product.webs;
  const tenant = await addTenant(product.environment);
  try {
    const [caller] = await tenant.callers([web!.url], 1);
    const small = await enterFund(caller!, Math.max(1, investors / PART), Math.max(1, letters / PART));
    const large = await enterFund(caller!, investors, letters);
    printLoad();
    const times: Record<'small' | 'large', number[]> = { small: [], large: [] };
    say(`the first review of ${investors} investors ${(await review(caller!, large)).toFixed(0)} ms`);
    const [webBefore, databaseBefore] = [cpuMsOf(web!.pid), postgresCpu(product.postgresPid)];
    for (let round = 0; round < rounds; round += 1) times.large.push(await review(caller!, large));
    const webMs = (cpuMsOf(web!.pid) - webBefore) / rounds;
    const postgresMs = usedSince(databaseBefore, postgresCpu(product.postgresPid)) / rounds;
    for (let round = 0; round < rounds; round += 1) times.small.push(await review(caller!, small));
    say(`${small.investors} investors ${median(times.small).toFixed(0)} ms`);
    say(
      `${large.investors} investors ${median(times.large).toFixed(0)} ms, of which the web server takes ${webMs.toFixed(0)} ms of CPU and PostgreSQL ${postgresMs.toFixed(0)} ms`,
    );
    say(
      `ratio call-review ${((webMs + postgresMs) / 1000).toFixed(2)} (seconds of CPU for the review of a call to ${investors} investors of 3 classes with ${letters} side letters)`,
    );
  } finally {
    await tenant.end();
  }
} finally {
  await product.close();
}
