import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { METRICS } from '@tapeline/telemetry/metrics.ts';
import { traceOfCaller } from '@tapeline/workflows/tracing/client.ts';
import { Client } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  loanTapeWorkflowId,
  openTapeCluster,
  type TapeCluster,
  TEST_QUEUES,
  until,
  type WorkerProcess,
} from './testing/tape-cluster.ts';
import { LOAN_MAPPING, manyLoans, writeLoans } from './testing/tape-file.ts';

interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
}

let cluster: TapeCluster;
let worker: WorkerProcess;
let receiver: Server;
let metricsUrl = '';
const spans: ReceivedSpan[] = [];

/** What an OTLP receiver gets, as far as it is looked at here. */
interface TraceExport {
  resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[];
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    const { resourceSpans } = (await json(request)) as TraceExport;
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  cluster = await openTapeCluster({ batchRows: 1000 });
  const port = await freePort();
  metricsUrl = `http://127.0.0.1:${port}`;
  [worker] = (await cluster.startWorkers(1, {
    METRICS_PORT: String(port),
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${portOf(receiver)}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  })) as [WorkerProcess];
});
afterAll(async () => {
  await cluster?.close();
  receiver?.close();
});

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const REQUEST = `00-${TRACE}-00f067aa0ba902b7-01`;

test('the trace of a request reaches the log lines and spans of every activity, and the metrics count its tape', async () => {
  const companyId = await cluster.companyId('Alder Auto');
  const mappingId = await cluster.createMapping(companyId, LOAN_MAPPING);
  const path = join(cluster.folder, 'loans.xlsx');
  const { loans } = manyLoans(2500);
  await writeLoans(path, loans());
  const tape = await cluster.createTape({ companyId, mappingId, cutOffDate: '2024-03-31', path });
  // As the web process does it within a request.
  const client = new Client({
    connection: cluster.client.connection,
    namespace: cluster.namespace,
    interceptors: { workflow: [traceOfCaller(() => REQUEST)] },
  });
  await client.workflow.execute('loanTape', {
    taskQueue: TEST_QUEUES.workflows,
    workflowId: loanTapeWorkflowId(tape.id),
    args: [{ tapeId: tape.id }],
  });

  const lines = worker.lines.flatMap((line) => {
    const { event, tapeId, ...fields } = JSON.parse(line);
    return event === 'tape ended' && tapeId === tape.id ? [fields] : [];
  });
  expect(lines).toEqual([
    expect.objectContaining({ traceId: TRACE, outcome: 'done', rowsRead: 2495, rowsTransformed: 2495, batches: 3 }),
  ]);
  expect(lines[0].durationMs).toBeGreaterThan(0);
  expect(Object.keys(lines[0].stageMs)).toEqual(['read', 'transform', 'finalize', 'publish']);

  const names = () => new Set(spans.filter(({ traceId }) => traceId === TRACE).map(({ name }) => name));
  await until(async () => names().has('workflow loanTape') && names().has('activity completeTape'));
  for (const activity of ['beginTape', 'readTape', 'transformBatch', 'publishTape', 'completeTape']) {
    expect(names()).toContain(`activity ${activity}`);
  }
  const ours = spans.filter(({ traceId }) => traceId === TRACE);
  // Each span hangs on the request or on another span of the trace: it is one connected trace.
  const ids = new Set(['00f067aa0ba902b7', ...ours.map(({ spanId }) => spanId)]);
  expect(ours.filter(({ parentSpanId }) => !ids.has(parentSpanId ?? ''))).toEqual([]);

  const text = await (await fetch(`${metricsUrl}/metrics`)).text();
  expect(text).toMatch(/^tapeline_tapes_total\{outcome="done"\} 1$/m);
  expect(text).toMatch(/^tapeline_tape_rows_total\{rows="read"\} 2495$/m);
  expect(text).toMatch(
    /^tapeline_activity_duration_seconds_count\{activity="transformBatch",outcome="completed"\} 3$/m,
  );
  expect(text).toMatch(/^tapeline_workflow_duration_seconds_count\{workflow="loanTape",outcome="completed"\} 1$/m);
  expect(text).toMatch(/^tapeline_worker_paused 0$/m);
  expect(text).not.toContain(tape.id);
  const shown = new Set(METRICS.map(({ name }) => name));
  const families = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name);
  expect(families.filter((name) => name !== 'target_info' && !shown.has(name ?? ''))).toEqual([]);
}, 300_000);

test('a worker reports its health, and that it drains', async () => {
  const ready = async () => {
    const answer = await fetch(`${metricsUrl}/readyz`);
    return { status: answer.status, ...(await answer.json()) };
  };
  expect(await (await fetch(`${metricsUrl}/healthz`)).text()).toBe('ok\n');
  expect((await fetch(`${metricsUrl}/nothing`)).status).toBe(404);
  expect((await fetch(`${metricsUrl}/metrics`, { method: 'POST' })).status).toBe(405);
  expect(await ready()).toEqual({ status: 200, ready: true, missing: [], degraded: [] });

  // An idle worker ends too soon to be asked, so one of its activities has to wait for a row.
  const path = join(cluster.folder, 'few-loans.xlsx');
  await writeLoans(path, manyLoans(10).loans());
  const companyId = await cluster.companyId('Alder Auto');
  const mappingId = await cluster.createMapping(companyId, LOAN_MAPPING);
  const tape = await cluster.createTape({ companyId, mappingId, cutOffDate: '2024-06-30', path });
  const answered = Promise.withResolvers<void>();
  const held = cluster.asSystem(async ({ query }) => {
    await query('select id from loan_tapes where id = $1 for update', [tape.id]);
    await cluster.startTape(tape.id);
    await answered.promise;
  });
  try {
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await until(async () => (await cluster.asSystem(({ query }) => query(waiting, []))).length > 0);
    worker.signal('SIGTERM');
    const draining = await until(async () => {
      const answer = await ready();
      return answer.status === 503 && answer;
    });
    expect(draining).toEqual({ status: 503, ready: false, missing: ['stopping'], degraded: [] });
    expect(worker.isRunning()).toBe(true);
  } finally {
    answered.resolve();
    await held;
  }
  await until(async () => !worker.isRunning());
}, 120_000);
