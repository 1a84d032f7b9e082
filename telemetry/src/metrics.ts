import type { Attributes, Counter, Histogram, Meter, ObservableResult } from '@opentelemetry/api';

/** Seconds, from a cached page to a tape that takes half an hour. */
const DURATIONS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];
/** Seconds of one database statement. */
const SHORT_DURATIONS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30];

type Labels<Label extends string> = Readonly<Record<Label, string>>;

interface Metric {
  /** As Prometheus shows it. */
  readonly name: string;
  readonly kind: 'counter' | 'histogram' | 'gauge';
  readonly help: string;
  readonly labels: readonly string[];
  /** Begins to collect. Until then, recording does nothing. */
  start(meter: Meter): void;
}

const metrics: Metric[] = [];

/** All metrics of the product. Their labels have few values: never the id of a document, a user or a tape. */
export const METRICS: readonly Metric[] = metrics;

export function collectMetrics(meter: Meter): void {
  for (const metric of METRICS) metric.start(meter);
}

interface Description<Label extends string> {
  readonly help: string;
  readonly labels?: readonly Label[];
}

function counter<Label extends string = never>(name: string, { help, labels = [] }: Description<Label>) {
  let instrument: Counter | null = null;
  metrics.push({
    name,
    kind: 'counter',
    help,
    labels,
    start(meter) {
      instrument = meter.createCounter(name, { description: help });
      // A metric without labels is shown before its first event.
      if (labels.length === 0) instrument.add(0);
    },
  });
  return { add: (value: number, attributes: Labels<Label>) => instrument?.add(value, attributes) };
}

function histogram<Label extends string = never>(
  name: string,
  { help, labels = [], buckets = DURATIONS }: Description<Label> & { buckets?: number[] },
) {
  let instrument: Histogram | null = null;
  metrics.push({
    name,
    kind: 'histogram',
    help,
    labels,
    start(meter) {
      instrument = meter.createHistogram(name, {
        description: help,
        unit: 's',
        advice: { explicitBucketBoundaries: buckets },
      });
    },
  });
  return { record: (seconds: number, attributes: Labels<Label>) => instrument?.record(seconds, attributes) };
}

/** Prometheus usually waits 10 seconds for all metrics of a process. Observations run side by side. */
const ANSWER_WITHIN_MS = 3_000;

/** @throws Error if the promise has not been kept in time */
async function within<Value>(ms: number, promise: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

type Observed<Label extends string> = readonly (readonly [value: number, attributes: Labels<Label>])[];
type Observe<Label extends string> = () => Observed<Label> | Promise<Observed<Label>>;

function gauge<Label extends string = never>(name: string, { help, labels = [] }: Description<Label>) {
  const sources = new Set<Observe<Label>>();
  metrics.push({
    name,
    kind: 'gauge',
    help,
    labels,
    start(meter) {
      meter
        .createObservableGauge(name, { description: help })
        .addCallback(async (result: ObservableResult<Attributes>) => {
          for (const source of sources) {
            // What does not respond has no value; the other metrics are still shown, and in time for who asks.
            const values = await within(ANSWER_WITHIN_MS, Promise.resolve().then(source)).catch(() => []);
            for (const [value, attributes] of values) result.observe(value, attributes);
          }
        });
    },
  });
  return {
    /** Reads the values whenever the metrics are collected. @returns a function that ends this */
    observe(source: Observe<Label>): () => void {
      sources.add(source);
      return () => void sources.delete(source);
    },
  };
}

export const httpRequests = histogram('http_server_request_duration_seconds', {
  help: 'Duration of HTTP requests by method, route pattern and status',
  labels: ['method', 'route', 'status'],
});
export const eventStreams = gauge('tapeline_event_streams', { help: 'Open streams of server-sent events' });

export const databaseWork = histogram('tapeline_database_duration_seconds', {
  help: 'Duration of database work: read (one round trip), transaction (all of it) or statement (within a transaction)',
  labels: ['work', 'outcome'],
  buckets: SHORT_DURATIONS,
});
export const databaseConnections = gauge('tapeline_database_connections', {
  help: 'Connections of the pool by state: used or idle',
  labels: ['state'],
});
export const databaseWaiting = gauge('tapeline_database_waiting', { help: 'Callers that wait for a connection' });

export const activities = histogram('tapeline_activity_duration_seconds', {
  help: 'Duration of one attempt of an activity by its outcome: completed, failed, refused, cancelled or disk full',
  labels: ['activity', 'outcome'],
});
export const workflowRuns = histogram('tapeline_workflow_duration_seconds', {
  help: 'Duration of workflow runs by their outcome: completed, failed, cancelled or continued',
  labels: ['workflow', 'outcome'],
});
export const queueBacklog = gauge('tapeline_queue_backlog', {
  help: 'Tasks that wait on a task queue for a worker',
  labels: ['queue'],
});
export const queueOldest = gauge('tapeline_queue_oldest_seconds', {
  help: 'How long the oldest task of a task queue has waited for a worker; 0 if none waits',
  labels: ['queue'],
});
export const failedSteps = gauge('tapeline_failed_steps', {
  help: 'Steps of jobs that failed within the last hour and are not tried again',
});
export const queueWorkers = gauge('tapeline_queue_workers', {
  help: 'Worker processes that take work from a task queue',
  labels: ['queue'],
});

export const tapes = counter('tapeline_tapes_total', {
  help: 'Tapes that ended, by how: done, failed, cancelled or asked (waiting for an answer)',
  labels: ['outcome'],
});
export const tapeRows = counter('tapeline_tape_rows_total', {
  help: 'Rows of ended tapes: read, transformed and errored',
  labels: ['rows'],
});
export const tapeStages = histogram('tapeline_tape_stage_duration_seconds', {
  help: 'Time that tapes spent in each stage',
  labels: ['stage'],
});

export const outboxBacklog = gauge('tapeline_outbox_backlog', {
  help: 'Emails in the outbox by status: Queued, Held or Failed',
  labels: ['status'],
});
export const missingObjects = counter('tapeline_storage_missing_total', {
  help: 'Reads of objects that are missing in the object storage, by the first part of their key',
  labels: ['kind'],
});
export const comparedObjects = counter('tapeline_storage_compared_total', {
  help: 'Objects that the database refers to and that were compared with the object storage, by what was found: none, missing, size or content',
  labels: ['finding'],
});
export const objectFindings = gauge('tapeline_storage_findings', {
  help: 'Objects that the database and the object storage disagree about: missing, another size, other content, or an orphan that the database does not know',
  labels: ['finding'],
});
export const lastBackup = gauge('tapeline_backup_last_success_timestamp_seconds', {
  help: 'When a backup last succeeded, in seconds since 1970; 0 if none has',
});
export const lastRestoreTest = gauge('tapeline_restore_test_last_success_timestamp_seconds', {
  help: 'When restoring a backup was last rehearsed with success, in seconds since 1970; 0 if it never was',
});
export const outboxAge = gauge('tapeline_outbox_oldest_seconds', {
  help: 'How long the oldest email that is due has waited; 0 if none is',
});
export const mails = counter('tapeline_mails_total', {
  help: 'Attempts to send an email by their outcome: sent or failed',
  labels: ['outcome'],
});

export const retentionRemoved = counter('tapeline_retention_removed_total', {
  help: 'Rows and files that were removed because they were older than the limit of their kind',
  labels: ['kind'],
});
export const retentionFailures = counter('tapeline_retention_failures_total', {
  help: 'Runs that could not remove data of a kind that was older than its limit',
  labels: ['kind'],
});

export const diskFree = gauge('tapeline_disk_free_bytes', { help: 'Free space of the disk with TAPELINE_HOME' });
export const diskSize = gauge('tapeline_disk_size_bytes', { help: 'Size of the disk with TAPELINE_HOME' });
export const ready = gauge('tapeline_ready', { help: '1 while /readyz of this process answers 200, otherwise 0' });
export const certificateEnds = gauge('tapeline_certificate_expires_timestamp_seconds', {
  help: 'When the TLS certificate of a server expires, in seconds since 1970: site (PUBLIC_URL), storage or temporal; the value last seen if it does not answer, 0 if it never has',
  labels: ['server'],
});
export const workPaused = gauge('tapeline_worker_paused', {
  help: '1 while this worker takes no work because its disk is full, otherwise 0',
});
export const cacheBytes = gauge('tapeline_cache_bytes', {
  help: 'Size of a cache: objects (copies of stored objects), results or row files',
  labels: ['cache'],
});
export const cacheReads = counter('tapeline_cache_reads_total', {
  help: 'Reads of a cache by whether it had the result: hit or miss',
  labels: ['cache', 'result'],
});
export const storageOutages = counter('tapeline_storage_served_locally_total', {
  help: 'Objects served from the local copy because the object storage did not respond',
});

export const processMemory = gauge('process_resident_memory_bytes', { help: 'Resident memory of the process' });
export const eventLoopBusy = gauge('tapeline_event_loop_utilization', {
  help: 'Share of the time since the last scrape in which the event loop was busy, 0 to 1',
});
