import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { loanTape } from '@tapeline/workflows/all-workflows.ts';
import type { WorkflowHandle } from '@temporalio/client';
import { median, numberOption, option, printLoad, say } from '../measuring/rounds.ts';
import { CSV_MAPPING, TAPE_MAPPING } from '../tape-data/mapping.ts';
import { makeTapeCsv, makeTapeWorkbook } from '../tape-data/workbook.ts';
import { openCluster } from './services.ts';
import { startWorker } from './worker-process.ts';

// Compares several single-threaded worker processes with one, through Temporal, in the transform of the same tape. All
// batches are staged before the first of them is transformed, so reading is not measured.

/** One batch processed by one worker, by the server's clock, in milliseconds. */
interface Span {
  worker: string;
  startedAt: number;
  endedAt: number;
}

/** One transform of the whole tape. */
interface Transforming {
  /** From the start of the first batch to the end of the last one. */
  elapsedMs: number;
  /** Processor time of the computing workers in this time. */
  cpuMs: number;
  /** Share of the time in which the workers processed a batch; in the rest they waited for one. */
  busyShare: number;
  /** Batches a second of all workers, each counted from the end of its first batch: the pace after a cold start. */
  warmPace: number;
  /** Processor time of a batch at that pace. */
  warmCpuMs: number;
  peakBytes: number;
}

const run = promisify(execFile);
const rows = numberOption('rows', 1_000_000);
const rounds = numberOption('rounds', 5);
/** Numbers of worker processes to compare; the first is the measure for the others. */
const sizes = (option('workers') ?? '1,2').split(',').map(Number);
/** A worksheet holds no more rows below its header. A longer tape is sent as CSV, which has no such limit. */
const SHEET_ROWS = 1_048_575;
const isCsv = rows > SHEET_ROWS;
const file = await (isCsv ? makeTapeCsv(rows) : makeTapeWorkbook(rows));
const cluster = await openCluster(isCsv ? CSV_MAPPING : TAPE_MAPPING);

const timeOf = (stamp: { seconds?: unknown; nanos?: number | null } | null | undefined) =>
  Number(stamp?.seconds ?? 0) * 1000 + (stamp?.nanos ?? 0) / 1e6;

/** When each batch of the tape was processed, and by which worker. */
async function transformSpans(handle: WorkflowHandle<typeof loanTape>): Promise<Span[]> {
  const { events } = await handle.fetchHistory();
  const transforms = new Set<string>();
  const begun = new Map<string, { worker: string; startedAt: number }>();
  const spans: Span[] = [];
  for (const event of events ?? []) {
    const scheduled = event.activityTaskScheduledEventAttributes;
    if (scheduled?.activityType?.name === 'transformBatch') transforms.add(String(event.eventId));
    const started = event.activityTaskStartedEventAttributes;
    if (started) {
      const worker = started.identity ?? '';
      begun.set(String(started.scheduledEventId), { worker, startedAt: timeOf(event.eventTime) });
    }
    const completed = String(event.activityTaskCompletedEventAttributes?.scheduledEventId);
    const span = begun.get(completed);
    if (span && transforms.has(completed)) spans.push({ ...span, endedAt: timeOf(event.eventTime) });
  }
  return spans;
}

async function transformBy(workerCount: number): Promise<Transforming> {
  const tape = await cluster.makeTape(file);
  const reader = await startWorker(cluster.variables, 'workflows,io');
  const handle = await tape.start();
  // The progress shows when the reader is done: until then it works alone.
  while ((await handle.query<{ stage: string }>('progress')).stage === 'read') {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  // Flush what reading wrote to disk before the clock starts.
  await run('sync');
  const workers = await Promise.all(
    Array.from({ length: workerCount }, () => startWorker(cluster.variables, 'compute')),
  );
  const taken = new Map(workers.map(({ pid }) => [String(pid), [] as { at: number; cpuMs: number }[]]));
  const note = () => {
    for (const worker of workers) taken.get(String(worker.pid))?.push({ at: Date.now(), cpuMs: worker.cpuMs() });
  };
  const progress = async () => (await handle.query<{ stage: string }>('progress')).stage;
  const noting = setInterval(note, 20);
  note();
  // The same workers finalize the tape afterwards.
  while ((await progress()) === 'transform') await new Promise((resolve) => setTimeout(resolve, 50));
  clearInterval(noting);
  const done = await handle.result();
  const { counts } = await cluster.tape(tape.id);
  // Almost all rows must be assets: errored rows cost more.
  if (done.stage !== 'done' || counts?.dataRows !== rows || counts.assets < rows * 0.9) {
    throw new Error(`the tape ended as ${done.stage}: ${done.failure}; ${JSON.stringify(counts)}`);
  }
  const spans = await transformSpans(handle);
  const elapsedMs = Math.max(...spans.map((span) => span.endedAt)) - Math.min(...spans.map((span) => span.startedAt));
  const inHandMs = spans.reduce((sum, span) => sum + span.endedAt - span.startedAt, 0);
  const cpuAt = (pid: string, at: number) => taken.get(pid)?.findLast((noted) => noted.at <= at)?.cpuMs ?? 0;
  const warm = { pace: 0, cpuMs: 0, batches: 0 };
  let cpuMs = 0;
  for (const { pid } of workers) {
    const id = String(pid);
    const own = spans.filter((span) => span.worker.startsWith(`${id}@`)).sort((a, b) => a.endedAt - b.endedAt);
    const [first, last] = [own[0], own.at(-1)];
    if (!first || !last || own.length < 2) throw new Error('a worker had fewer than two batches: use more rows');
    cpuMs += cpuAt(id, last.endedAt) - (taken.get(id)?.[0]?.cpuMs ?? 0);
    warm.pace += ((own.length - 1) * 1000) / (last.endedAt - first.endedAt);
    warm.cpuMs += cpuAt(id, last.endedAt) - cpuAt(id, first.endedAt);
    warm.batches += own.length - 1;
  }
  const peakBytes = Math.max(...workers.map((worker) => worker.peakBytes()));
  await Promise.all([reader, ...workers].map((worker) => worker.end()));
  await cluster.removeTape(tape.id);
  const busyShare = inHandMs / (workerCount * elapsedMs);
  return { elapsedMs, cpuMs, busyShare, warmPace: warm.pace, warmCpuMs: warm.cpuMs / warm.batches, peakBytes };
}

/** Processes the whole tape with one ordinary worker, to measure the peak memory of a process. */
async function wholeTapePeak(): Promise<{ elapsedMs: number; peakBytes: number }> {
  const tape = await cluster.makeTape(file);
  const worker = await startWorker(cluster.variables, 'workflows,io,compute');
  const started = performance.now();
  const handle = await tape.start();
  const { stage, failure } = await handle.result();
  if (stage !== 'done') throw new Error(`the tape ended as ${stage}: ${failure}`);
  const elapsedMs = performance.now() - started;
  const peakBytes = worker.peakBytes();
  await worker.end();
  await cluster.removeTape(tape.id);
  return { elapsedMs, peakBytes };
}

const mb = (bytes: number) => Math.round(bytes / 2 ** 20);
const of = (runs: readonly Transforming[], what: keyof Transforming) => median(runs.map((run) => run[what]));

try {
  printLoad();
  const whole = sizes.length > 1 ? await wholeTapePeak() : null;
  if (whole)
    say(
      `${rows.toLocaleString('en')} rows from upload to published by one worker: ${whole.elapsedMs.toFixed(0)} ms, peak RSS ${mb(whole.peakBytes)} MB`,
    );
  const runsOf = new Map(sizes.map((size) => [size, [] as Transforming[]]));
  for (let round = 0; round < rounds; round += 1) {
    // The order alternates each round, so that drift and after-effects affect all of them.
    for (const size of round % 2 === 0 ? sizes : sizes.toReversed()) runsOf.get(size)!.push(await transformBy(size));
  }
  const workers = (size: number) => `${size} worker${size === 1 ? '' : 's'}`;
  for (const [size, runs] of runsOf) {
    const times = `${of(runs, 'elapsedMs').toFixed(0).padStart(7)} ms, ${of(runs, 'cpuMs').toFixed(0).padStart(7)} ms of CPU`;
    const share = `processing a batch ${(of(runs, 'busyShare') * 100).toFixed(0)} % of the time`;
    const each = runs.map((run) => run.elapsedMs.toFixed(0)).join(', ');
    say(
      `${workers(size).padEnd(12)} ${times}, ${share}   peak RSS ${mb(Math.max(...runs.map((run) => run.peakBytes)))} MB   (${each})`,
    );
  }
  printLoad();
  const [least = 1, ...others] = sizes;
  const base = runsOf.get(least)!;
  if (others.length === 0) say(`ratio cluster 1.00 (${workers(least)}, compared with no other number)`);
  for (const size of others) {
    const runs = runsOf.get(size)!;
    const quotient = (what: keyof Transforming) => of(runs, what) / of(base, what);
    // What they could achieve on cores of their own: no extra work in total, and no waiting.
    const bound = (work: keyof Transforming) => (((size / least) * quotient('busyShare')) / quotient(work)).toFixed(2);
    // The ratio of each round's pair: contention for the disk affects both runs of a pair alike, but not the next pair.
    const ofPairs = base.map((run, round) => run.elapsedMs / runs[round]!.elapsedMs);
    say(
      `${workers(size)}: by processor time and waiting alone ${bound('cpuMs')}, once warm ${bound('warmCpuMs')}; pace after the first batch of each ${quotient('warmPace').toFixed(2)} times; by pairs ${ofPairs.map((ratio) => ratio.toFixed(2)).join(', ')}`,
    );
    say(
      `ratio cluster ${median(ofPairs).toFixed(2)} (transform of ${rows.toLocaleString('en')} rows, ${size} single-threaded worker processes against ${least}, median of ${rounds} pairs)`,
    );
  }
} finally {
  await cluster.close();
}
