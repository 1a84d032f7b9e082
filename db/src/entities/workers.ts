import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

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
