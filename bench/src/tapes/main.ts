import { SYSTEM } from '@tapeline/db/store.ts';
import { shareOfWork, WORKER_QUEUES } from '@tapeline/db/worker-queues.ts';
import { fromEpochDay, toEpochDay } from '@tapeline/domain/dates/calendar-date.ts';
import { sweepObjects } from '@tapeline/lake/storage/sweep.ts';
import { type Borrower, openCluster, type PersonAtWork } from '../cluster/services.ts';
import { startWorker } from '../cluster/worker-process.ts';
import { median, numberOption, percentile95, printLoad, say } from '../measuring/rounds.ts';
import { TAPE_MAPPING } from '../tape-data/mapping.ts';
import { makeTapeWorkbook } from '../tape-data/workbook.ts';

// Many tapes that arrive at once, as after the end of a month: how many a minute, what each takes of a processor, and
// whether the last ones take longer than the first.

const tapes = numberOption('tapes', 1000);
const rows = numberOption('rows', 1000);
const workerCount = numberOption('workers', 3);
/** Tapes of each borrower, for different days. Those of one borrower are published in their order. */
const each = numberOption('each', 1);
/** Tapes that another tenant sends at the same time, after those of the first. */
const others = numberOption('others', 0);
/** How often a person of another tenant corrects and previews a row: so often alone, and so often beside the tapes. */
const beside = numberOption('beside', 0);
/** Code is compiled meanwhile. */
const BESIDE_WARM = 5;
const ASK_EVERY_MS = 250;
/** Tapes for the measure of their own work, and half as many before it, while code is compiled. */
const alone = numberOption('alone', 20);
const FIRST_DAY = toEpochDay('2026-01-31');

const file = await makeTapeWorkbook(rows);
const cluster = await openCluster(TAPE_MAPPING);

const ask = <Row>(sql: string) => cluster.store.as(SYSTEM, ({ query }) => query<Row>(sql));

interface Ended {
  readonly ended: number;
  readonly failed: number;
}

async function countEnded(): Promise<Ended> {
  const [row] = await ask<Ended>(
    `select count(*) filter (where scheduler_status = 'Completed')::int as ended,
       count(*) filter (where failure is not null)::int as failed from loan_tapes`,
  );
  return row ?? { ended: 0, failed: 0 };
}

const inSeconds = (ms: number | undefined): string => `${((ms ?? Number.NaN) / 1000).toFixed(1)} s`;

/** When the tapes were published, in milliseconds from the start, in ascending order. */
async function publishedAfter(startedAt: number, made: readonly { id: string }[]): Promise<number[]> {
  const tapesOf = await Promise.all(made.map(({ id }) => cluster.tape(id)));
  return tapesOf.map(({ publishedAt }) => (publishedAt?.getTime() ?? Number.NaN) - startedAt).sort((a, b) => a - b);
}

async function register(borrowers: readonly Borrower[]) {
  const made = [];
  for (let index = 0; index < tapes; index += 1) {
    const cutOffDate = fromEpochDay(FIRST_DAY + Math.floor(index / borrowers.length));
    made.push(await cluster.makeTape(file, { ...borrowers[index % borrowers.length], cutOffDate }));
  }
  return made;
}

/** Processor time of a tape's own work, in milliseconds: in this process, once its code is compiled. */
async function ownWork(): Promise<number> {
  const processAlone = await cluster.tapesAlone();
  const first = toEpochDay('2020-01-31');
  let usage = process.cpuUsage();
  for (let index = 0; index < alone + Math.floor(alone / 2); index += 1) {
    const { id } = await cluster.makeTape(file, { cutOffDate: fromEpochDay(first + index) });
    if (index === Math.floor(alone / 2)) usage = process.cpuUsage();
    await processAlone(id);
  }
  const { user, system } = process.cpuUsage(usage);
  return (user + system) / 1000 / alone;
}

interface Times {
  readonly correct: number[];
  readonly preview: number[];
}

/** How long the person waits each time, in milliseconds. */
async function atWork(person: PersonAtWork, times: number): Promise<Times> {
  const taken: Times = { correct: [], preview: [] };
  for (let time = 0; time < times; time += 1) {
    for (const what of ['correct', 'preview'] as const) {
      const started = performance.now();
      await person[what]();
      taken[what].push(performance.now() - started);
    }
  }
  return taken;
}

function compareTimes(alone: Times, besideTapes: Times): void {
  for (const [what, name] of [
    ['correct', 'correction'],
    ['preview', 'preview'],
  ] as const) {
    const [own, shared] = [median(alone[what]), median(besideTapes[what])];
    say(
      `a ${name} of another tenant: ${own.toFixed(0)} ms alone, ${shared.toFixed(0)} ms beside the tapes (95 % ${percentile95(alone[what]).toFixed(0)} and ${percentile95(besideTapes[what]).toFixed(0)} ms)`,
    );
    say(
      `ratio ${name} ${(shared / own).toFixed(2)} (median of ${besideTapes[what].length} beside the tapes against alone)`,
    );
  }
}

try {
  say(`${(await ownWork()).toFixed(0)} ms of processor time for a tape's own work, without Temporal`);
  const borrowers = await cluster.addBorrowers(Math.ceil(tapes / each));
  const made = await register(borrowers);
  const other = await cluster.otherTenant();
  const madeByOther = [];
  for (let index = 0; index < others; index += 1) {
    madeByOther.push(await cluster.makeTape(file, { ...other, cutOffDate: fromEpochDay(FIRST_DAY + index) }));
  }
  const person = beside > 0 ? await cluster.personAtWork(file) : null;
  // As the product starts them: the first serves what people wait for.
  const shares = Array.from({ length: workerCount }, (_, index) => shareOfWork(index + 1, workerCount, {}));
  const workers = await Promise.all(
    shares.map((share) => startWorker({ ...cluster.variables, ...share }, share.WORKER_QUEUES ?? WORKER_QUEUES.join())),
  );
  if (person) await atWork(person, BESIDE_WARM);
  const timesAlone = person ? await atWork(person, beside) : null;
  const { ended: before } = await countEnded();
  const cpuMs = () => workers.reduce((sum, worker) => sum + worker.cpuMs(), 0);
  printLoad();
  const [cpuBefore, started] = [cpuMs(), performance.now()];
  const startedAt = Date.now();
  const handles = await Promise.all(made.map(({ start }) => start()));
  // They are of one company: those of later days wait for the first.
  for (const { start } of madeByOther) await start();
  const submittedMs = performance.now() - started;
  const timesBeside = person ? atWork(person, beside) : null;
  // A failure is thrown where it is awaited.
  timesBeside?.catch(() => {});
  /** When each tape had ended, in their order, and the processor time of the workers by then. */
  const ends: { atMs: number; cpuMs: number }[] = [];
  while (ends.length < tapes + others) {
    const { ended, failed } = await countEnded();
    if (failed > 0) throw new Error(`${failed} tapes failed`);
    while (ends.length < ended - before) ends.push({ atMs: performance.now() - started, cpuMs: cpuMs() - cpuBefore });
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
  const last = ends.at(-1)!;
  if (timesAlone && timesBeside) {
    const [times, endedMs] = [await timesBeside, performance.now() - started];
    if (endedMs > last.atMs + 1000) say('the tapes ended before the person: send more of them');
    compareTimes(timesAlone, times);
  }
  const publishedMs = await publishedAfter(startedAt, made);
  const otherMs = await publishedAfter(startedAt, madeByOther);
  const { historyLength } = await handles[0]!.describe();
  const [size] = await ask<{ size: string }>('select pg_size_pretty(pg_database_size(current_database())) as size');
  const peakMb = Math.round(Math.max(...workers.map((worker) => worker.peakBytes())) / 2 ** 20);
  say(
    `${tapes} tapes of ${rows.toLocaleString('en')} rows by ${workerCount} workers: submitted in ${(submittedMs / 1000).toFixed(0)} s, published after ${(last.atMs / 1000).toFixed(0)} s (${(((tapes + others) * 60_000) / last.atMs).toFixed(0)} a minute; 95 % after ${(percentile95(ends.map(({ atMs }) => atMs)) / 1000).toFixed(0)} s)`,
  );
  say(
    `the first published after ${inSeconds(publishedMs[0])}, half of them after ${inSeconds(publishedMs[Math.floor(tapes / 2)])}, the last after ${inSeconds(publishedMs.at(-1))}`,
  );
  if (others > 0) {
    say(
      `${others} tapes of another tenant, sent after them: the first after ${inSeconds(otherMs[0])}, half of them after ${inSeconds(otherMs[Math.floor(others / 2)])}, the last after ${inSeconds(otherMs.at(-1))}`,
    );
  }
  say(
    `${(last.cpuMs / (tapes + others)).toFixed(0)} ms of the workers' processor time for each tape, peak RSS ${peakMb} MB; ${historyLength} events in Temporal for each; ${size?.size} in PostgreSQL`,
  );
  const swept = performance.now();
  const quiet = { info: () => {}, warn: () => {} };
  const { unknown } = await sweepObjects({ store: cluster.store, objects: cluster.objects, log: quiet });
  if (unknown.objects > 0) throw new Error(`${unknown.objects} objects are unknown to the database`);
  say(`a sweep of their objects: ${((performance.now() - swept) / 1000).toFixed(1)} s`);
  await Promise.all(workers.map((worker) => worker.end()));
  printLoad();
  const quarter = Math.floor(tapes / 4);
  const cpuOf = (from: number, to: number) => ends[to]!.cpuMs - ends[from]!.cpuMs;
  // The first tapes compile code: they are left out.
  const ratio = cpuOf(tapes - 1 - quarter, tapes - 1) / cpuOf(quarter, 2 * quarter);
  say(
    `ratio tapes ${ratio.toFixed(2)} (processor time of the last quarter of ${tapes} tapes against the second quarter)`,
  );
} finally {
  await cluster.close();
}
