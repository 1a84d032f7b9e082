import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';

/** A live worker process; see operations/workers/heartbeats.ts. */
export const WorkerHeartbeat = defineEntity({
  name: 'WorkerHeartbeat',
  tableName: 'worker_heartbeats',
  properties: {
    id: p.text().primary(),
    queues: p.array(),
    seenAt: p.datetime(),
  },
});
export type WorkerHeartbeat = InferEntity<typeof WorkerHeartbeat>;

/** A step of a job that failed and is not tried again; the same failure of one job is one row. */
export const JobFailure = defineEntity({
  name: 'JobFailure',
  tableName: 'job_failures',
  properties: {
    id: p.text().primary(),
    activity: p.text(),
    job: p.text(),
    reason: p.text(),
    times: p.integer().$type<number & Opt>().default(1),
    firstAt: p.datetime(),
    lastAt: p.datetime(),
  },
});

/** When backups were last made and tried; see operations/backups. */
export const BackupRun = defineEntity({
  name: 'BackupRun',
  tableName: 'backup_runs',
  properties: {
    kind: p.text().primary(),
    succeededAt: p.datetime().nullable(),
    failedAt: p.datetime().nullable(),
    failure: p.text().nullable(),
  },
});

/** An object that the database and the storage disagree about; see operations/storage/object-findings.ts. */
export const ObjectFinding = defineEntity({
  name: 'ObjectFinding',
  tableName: 'object_findings',
  properties: {
    key: p.text().primary(),
    finding: p.text(),
    foundAt: p.datetime(),
    checkedAt: p.datetime(),
  },
});

/** How far comparing them has come. */
export const ObjectComparison = defineEntity({
  name: 'ObjectComparison',
  tableName: 'object_comparison',
  properties: {
    onlyOne: p.boolean().primary(),
    place: p.text(),
    beganAt: p.datetime(),
  },
});

/** A restore, after which what jobs do is held; see operations/holds. */
export const Hold = defineEntity({
  name: 'Hold',
  tableName: 'holds',
  properties: {
    id: p.text().primary(),
    kind: p.text(),
    backupAt: p.datetime(),
    startedAt: p.datetime(),
    endedAt: p.datetime().nullable(),
    endedBy: p.text().nullable(),
  },
});

/** What was sent, so that it is carried out once; see operations/sent-requests. */
export const SentRequest = defineEntity({
  name: 'SentRequest',
  tableName: 'sent_requests',
  properties: {
    id: p.text().primary(),
    request: p.text(),
    status: p.integer().nullable(),
    answer: p.text().nullable(),
    transaction: p.text(),
    sentAt: p.datetime(),
  },
});
